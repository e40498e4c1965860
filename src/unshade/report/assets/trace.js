"use strict";
// The recorded steps of a thread: any step's values from the keyframe before it.

const KEYFRAME = 1024; // steps
const WRITES = 1; // flags of an access
const NEW = 2;

class Trace {
  /** @param {Block} block */
  constructor(block) {
    this.about = block.values.trace;
    this.line = block.numbers("step.line");
    this.notes = block.numbers("step.notes");
    this.rounds = block.numbers("step.rounds");
    this.file = block.numbers("step.file");
    this.source = block.numbers("step.source");
    this.reads = block.numbers("step.reads");
    this.firstAccess = starts(sums(this.reads, block.numbers("step.writes")));
    this.place = block.numbers("access.place");
    this.low = block.numbers("access.low");
    this.high = block.numbers("access.high");
    this.oldLow = block.numbers("access.old_low");
    this.oldHigh = block.numbers("access.old_high");
    this.kind = block.numbers("access.kind");
    this.flags = block.numbers("access.flags");
    this.size = block.numbers("access.size");
    this.strings = block.texts("trace.strings");
    this.places = block.texts("places");
    this.label = block.numbers("place.label");
    this.count = this.line.length;
    this.keyframes = this.computed();
  }

  /** Return for every 1,024th step the last access of each place before it, -1 for none. */
  computed() {
    /** @type {Int32Array[]} */
    const found = [];
    const last = new Int32Array(this.places.length).fill(-1);
    for (let step = 0; step < this.count; step++) {
      if (step % KEYFRAME === 0) found.push(last.slice());
      for (let at = this.firstAccess[step]; at < this.firstAccess[step + 1]; at++) {
        last[this.place[at]] = at;
      }
    }
    return found;
  }

  /** Return the last access of each place before a step, -1 for none. @param {number} step */
  before(step) {
    const frame = Math.min(Math.floor(step / KEYFRAME), this.keyframes.length - 1);
    const last = frame < 0 ? new Int32Array(0) : this.keyframes[frame].slice();
    for (let at = this.firstAccess[frame * KEYFRAME]; at < this.firstAccess[step]; at++) {
      last[this.place[at]] = at;
    }
    return last;
  }

  /** Return the closest step of a line, from a step on; -1 if it has none. @param {number} line
   * @param {number} step @param {1 | -1} [direction] @returns {number}
   */
  stepOf(line, step, direction = 1) {
    for (let at = step; at >= 0 && at < this.count; at += direction) {
      if (this.line[at] === line) return at;
    }
    return direction === 1 && step > 0 ? this.stepOf(line, step - 1, -1) : -1;
  }

  /** Return the value of an access. @param {number} at @param {boolean} [old] before a write */
  value(at, old = false) {
    const low = old ? this.oldLow[at] : this.low[at];
    const high = old ? this.oldHigh[at] : this.high[at];
    return numberText(low, high, this.size[at], this.about.kinds[this.kind[at]]);
  }

  /** Return the bits of an access in hexadecimal. @param {number} at */
  bits(at) {
    const digits = 2 * this.size[at];
    const low = (this.low[at] >>> 0).toString(16).padStart(8, "0");
    const high = (this.high[at] >>> 0).toString(16).padStart(8, "0");
    return `0x${(high + low).slice(-digits)}`;
  }
}

/** @param {Numbers} one @param {Numbers} other */
function sums(one, other) {
  return Int32Array.from(one, (number, at) => number + other[at]);
}

const WORDS = new DataView(new ArrayBuffer(8));

/** Return a number as text. @param {number} low @param {number} high words of its bits
 * @param {number} size bytes @param {string} kind
 */
function numberText(low, high, size, kind) {
  WORDS.setInt32(0, low, true);
  WORDS.setInt32(4, high, true);
  if (kind === "bool") return low || high ? "true" : "false";
  if (kind === "float") {
    if (size === 2) return shortest(half(low & 0xffff));
    return size === 8 ? String(WORDS.getFloat64(0, true)) : shortest(WORDS.getFloat32(0, true));
  }
  if (size === 8) {
    return String(kind === "int" ? WORDS.getBigInt64(0, true) : WORDS.getBigUint64(0, true));
  }
  const unused = 32 - 8 * size;
  return String(kind === "int" ? (low << unused) >> unused : (low << unused) >>> unused);
}
