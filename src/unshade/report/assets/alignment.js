"use strict";
// The aligned lines of one program: rows of a line before, a line after, or both.

const EQUAL = 0;
const REMOVED = 3;
const MOVED = 4;
const RENUMBERED = 5;
const ROW_KINDS = ["", "changed", "added", "removed", "moved", "renumbered"];

/** @typedef {{text: string, kind: string, marked: boolean}} AlignedWord a part of a line */

class Alignment {
  /** @param {Block} block @param {number} number of the program */
  constructor(block, number) {
    const lead = `${number}.`;
    this.kind = block.numbers(`${lead}kind`);
    /** @type {string[]} */
    this.kinds = block.values.kinds;
    /** The line of each row on both sides, -1 without one. */
    this.lines = [block.numbers(`${lead}old`), block.numbers(`${lead}new`)];
    this.count = this.kind.length;
    this.texts = ["old", "new"].map((side) => ({
      lines: block.texts(`${lead}${side}.text`),
      first: this.sums(block.numbers(`${lead}${side}.words`)),
      size: block.numbers(`${lead}${side}.size`),
      kind: block.numbers(`${lead}${side}.kind`),
    }));
    /** @type {Map<number, [number, number][]>} */
    this.marks = new Map();
    const marks = block.numbers(`${lead}marks`);
    for (let at = 0; at < marks.length; at += 4) {
      const key = 2 * marks[at] + marks[at + 1];
      const known = this.marks.get(key) ?? [];
      known.push([marks[at + 2], marks[at + 3]]);
      this.marks.set(key, known);
    }
    /** The line on the other side of each line that moved. @type {Map<number, number>[]} */
    this.moves = [new Map(), new Map()];
    const [old, moved] = ["old", "new"].map((side) => block.numbers(`${lead}moved.${side}`));
    old.forEach((line, at) => {
      this.moves[0].set(line, moved[at]);
      this.moves[1].set(moved[at], line);
    });
  }

  /** @param {Numbers} counts */
  sums(counts) {
    const found = new Int32Array(counts.length + 1);
    for (let at = 0; at < counts.length; at++) found[at + 1] = found[at] + counts[at];
    return found;
  }

  /** Return the side and line that hold the text of a line. @param {number} row @param {number} side */
  place(row, side) {
    const line = this.lines[side][row];
    // A line that is the same on both sides is stored once.
    const stored = side && this.kind[row] === EQUAL && !this.texts[1].lines[line] ? 0 : side;
    return { side: stored, line: this.lines[stored][row] };
  }

  /** Return the words of a line. @param {number} row @param {number} side @returns {AlignedWord[]} */
  pieces(row, side) {
    const place = this.place(row, side);
    const { lines, first, size, kind } = this.texts[place.side];
    const text = lines[place.line] ?? "";
    const marks = this.marks.get(2 * row + side) ?? [];
    /** @type {AlignedWord[]} */
    const found = [];
    let at = 0;
    for (let word = first[place.line]; word < first[place.line + 1]; word++) {
      const end = at + size[word];
      for (const [start, stop, marked] of cut(at, end, marks)) {
        found.push({ text: text.slice(start, stop), kind: this.kinds[kind[word]], marked });
      }
      at = end;
    }
    return found;
  }

  /** Return the length of the longest line. */
  longest() {
    let most = 0;
    for (const { lines } of this.texts) for (const line of lines) most = Math.max(most, line.length);
    return most;
  }
}

/** Cut a word where marks begin and end. @param {number} start @param {number} end
 * @param {[number, number][]} marks start, size @returns {[number, number, boolean][]}
 */
function cut(start, end, marks) {
  const places = [start, end];
  for (const [from, size] of marks) places.push(from, from + size);
  const inside = [...new Set(places)].filter((at) => at >= start && at <= end);
  inside.sort((one, other) => one - other);
  return inside.slice(1).map((stop, at) => {
    const from = inside[at];
    return [from, stop, marks.some(([mark, size]) => mark <= from && stop <= mark + size)];
  });
}
