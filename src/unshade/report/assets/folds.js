"use strict";
// Regions of the listing that fold: the first line of a folded one stays, the others are hidden.

const MOST_FOLDED = 200; // regions that an address names

class Folds {
  /** @param {Cursor} cursor which holds the first lines of folded regions
   * @param {[number, number][]} regions @param {number} count lines of the listing
   */
  constructor(cursor, regions, count) {
    this.cursor = cursor;
    this.count = count;
    /** The last line of the largest region of each first line. @type {Map<number, number>} */
    this.last = new Map();
    for (const [first, last] of regions) {
      this.last.set(first, Math.max(this.last.get(first) ?? 0, last));
    }
    /** The line of each row; null if every line is shown. @type {Int32Array | null} */
    this.lines = null;
    this.shown = cursor.folded;
  }

  get rows() {
    return this.lines?.length ?? this.count;
  }

  /** List the shown lines anew if other regions are folded; tell whether that is so. */
  update() {
    const { folded } = this.cursor;
    if (this.shown === folded) return false;
    this.shown = folded;
    const lines = [];
    for (let line = 0; folded.size && line < this.count; line++) {
      lines.push(line);
      if (folded.has(line)) line = Math.max(line, this.last.get(line) ?? line);
    }
    this.lines = folded.size ? Int32Array.from(lines) : null;
    return true;
  }

  /** @param {number} row */
  lineAt(row) {
    return this.lines ? this.lines[row] : row;
  }

  /** Return the row that shows a line, or the folded region around it. @param {number} line */
  rowOf(line) {
    if (!this.lines) return line;
    let low = 0;
    let high = this.lines.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.lines[middle] <= line) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Return the line that stands for a line: itself if it is shown. @param {number} line */
  standIn(line) {
    return line < 0 ? line : this.lineAt(this.rowOf(line));
  }

  /** Return the first line of the innermost region around a line, -1 if there is none.
   * @param {number} line
   */
  around(line) {
    let found = -1;
    for (const [first, last] of this.last) {
      if (first <= line && line <= last && first > found) found = first;
    }
    return found;
  }

  /** Unfold what hides a line. @param {number} line */
  reveal(line) {
    const { folded } = this.cursor;
    const kept = [...folded].filter((first) => (
      line <= first || line > (this.last.get(first) ?? first)
    ));
    if (kept.length < folded.size) this.cursor.folded = new Set(kept);
  }

  /** Fold a region, or unfold it. @param {number} first */
  toggle(first) {
    const folded = new Set(this.cursor.folded);
    if (!folded.delete(first)) folded.add(first);
    this.cursor.folded = folded;
  }

  /** Fold every region; unfold all if one is folded. */
  toggleAll() {
    this.cursor.folded = new Set(this.cursor.folded.size ? [] : this.last.keys());
  }
}
