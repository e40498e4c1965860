"use strict";
// How often lines ran, in lanes, and which ways branches went.

const COUNTED = "Before each line: how many lanes (pixels, threads) ran it; at a branch,"
  + " how many went each way";

class Counts {
  /** @param {Block} block */
  constructor(block) {
    const lines = block.numbers("count.line");
    const lanes = block.numbers("count.lanes");
    /** Lanes of each line with code. @type {Map<number, number>} */
    this.lanes = new Map(Array.from(lines, (line, at) => [line, lanes[at]]));
    /** Branches of each line: each way with its lanes. @type {Map<number, [string, number][][]>} */
    this.branches = new Map();
    for (const [line, ways] of block.values.branches) {
      this.branches.set(line, [...(this.branches.get(line) ?? []), ways]);
    }
    /** @type {Map<string, number>} */
    this.sources = new Map(block.values.source_counts.map(
      (/** @type {[string, number, number]} */ [file, line, count]) => [`${file}:${line}`, count],
    ));
    const texts = [...this.lanes.keys()].map((line) => this.text(line).length);
    this.width = Math.min(Math.max(...texts, 1), 14);
    this.label = "lanes that ran each line";
    /** The files of the source that have counts. @type {Set<string>} */
    this.files = new Set([...this.sources.keys()].map((key) => key.slice(0, key.lastIndexOf(":"))));
  }

  /** Return the lanes of a line, those of a branch by way: `8|44`. @param {number} line */
  text(line) {
    const ways = this.branches.get(line);
    if (ways) return ways[0].map(([, count]) => compact(count)).join("|");
    const count = this.lanes.get(line);
    return count === undefined ? "" : compact(count);
  }

  /** Return the counts of a line in the margin. @param {number} line */
  margin(line) {
    const made = span("count", `${this.text(line).slice(0, this.width).padStart(this.width)} `);
    const count = this.lanes.get(line);
    const branches = this.branches.get(line) ?? [];
    if (count === undefined && !branches.length) return made;
    if (!count && branches.every((ways) => ways.every(([, lanes]) => !lanes))) {
      made.classList.add("never");
    } else if (branches.some((ways) => ways.filter(([, lanes]) => lanes).length > 1)) {
      made.classList.add("diverged");
    }
    const words = branches.map((ways) => ways.map(
      ([word, lanes]) => `${word}: ${lanes.toLocaleString("en")}`).join(", "));
    made.title = [`${(count ?? 0).toLocaleString("en")} lanes`, ...words].join("; ");
    return made;
  }
}

/** Return a count in few letters: 950, 12.3k, 4.5M. @param {number} count */
function compact(count) {
  if (count < 10000) return String(count);
  return count < 1e6 ? `${(count / 1e3).toPrecision(3)}k` : `${(count / 1e6).toPrecision(3)}M`;
}
