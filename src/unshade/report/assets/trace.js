"use strict";
// The recorded steps of a thread: any step's values from the keyframe before it.

const KEYFRAME = 1024; // steps
const WRITES = 1; // flags of an access
const NEW = 2;
const UNDEFINED = 4;

class Trace {
  /** @param {Block} block @param {number} number of the thread @param {string} [prefix] */
  constructor(block, number, prefix = `trace${number}.`) {
    /** @param {string} name */
    const numbers = (name) => block.numbers(prefix + name);
    /** @type {string[]} */
    this.kinds = block.values.traces.kinds;
    this.line = numbers("step.line");
    this.notes = numbers("step.notes");
    this.loops = numbers("step.loops");
    this.file = numbers("step.file");
    this.source = numbers("step.source");
    this.frame = numbers("step.frame");
    this.firstAccess = starts(sums(numbers("step.reads"), numbers("step.writes")));
    this.place = numbers("access.place");
    this.low = numbers("access.low");
    this.high = numbers("access.high");
    this.oldLow = numbers("access.old_low");
    this.oldHigh = numbers("access.old_high");
    this.kind = numbers("access.kind");
    this.oldKind = numbers("access.old_kind");
    this.flags = numbers("access.flags");
    this.size = numbers("access.size");
    this.strings = block.texts(`${prefix}strings`);
    this.places = block.texts(`${prefix}places`);
    this.names = numbers("place.names");
    this.label = numbers("place.label");
    /** Function, caller, file and line of the call of each frame. */
    this.function = numbers("frame.function");
    this.caller = numbers("frame.caller");
    this.callFile = numbers("frame.file");
    this.callLine = numbers("frame.line");
    this.count = this.line.length;
    /** The last write of each access's place before it, -1 for none. */
    this.written = new Int32Array(this.place.length);
    this.keyframes = this.computed();
  }

  /** Return for every 1,024th step the last access of each place before it, -1 for none. */
  computed() {
    /** @type {Int32Array[]} */
    const found = [];
    const last = new Int32Array(this.places.length).fill(-1);
    const write = new Int32Array(this.places.length).fill(-1);
    for (let step = 0; step < this.count; step++) {
      if (step % KEYFRAME === 0) found.push(last.slice());
      for (let at = this.firstAccess[step]; at < this.firstAccess[step + 1]; at++) {
        last[this.place[at]] = at;
        this.written[at] = write[this.place[at]];
        if (this.flags[at] & WRITES) write[this.place[at]] = at;
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

  /** Return the step that an access belongs to. @param {number} at */
  stepAt(at) {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.firstAccess[middle + 1] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Return the value of an access as text. @param {number} at
   * @param {string} [form] float, int, uint or hex; the type that the program uses it as otherwise
   * @param {boolean} [old] the value before a write
   */
  value(at, form = "", old = false) {
    const low = old ? this.oldLow[at] : this.low[at];
    const high = old ? this.oldHigh[at] : this.high[at];
    if (!old && this.flags[at] & UNDEFINED) return "undefined";
    if (form === "hex") return hexText(low, high, this.size[at]);
    const kind = this.kinds[old ? this.oldKind[at] : this.kind[at]];
    return numberText(low, high, this.size[at], form || kind);
  }

  /** Return the value of an access as a number, in its own type. @param {number} at */
  number(at) {
    return numberOf(this.low[at], this.high[at], this.size[at], this.kinds[this.kind[at]]);
  }

  /** Tell whether an access holds a float that is no number. @param {number} at */
  isNaN(at) {
    if (this.kinds[this.kind[at]] !== "float" || this.flags[at] & UNDEFINED) return false;
    const [low, high] = [this.low[at], this.high[at]];
    if (this.size[at] === 2) return (low & 0x7fff) > 0x7c00;
    if (this.size[at] === 4) return (low & 0x7fffffff) > 0x7f800000;
    const top = high & 0x7fffffff;
    return top > 0x7ff00000 || (top === 0x7ff00000 && low !== 0);
  }

  /** Return the iterations of the loops around a step, outermost first. @param {number} step */
  rounds(step) {
    const text = this.strings[this.loops[step]];
    return text ? text.split(" ").map((each) => each.split(":")[1]).join(", ") : "";
  }

  /** Tell whether a place is called by a name: the whole, its first parts, several components.
   * @param {number} place @param {string} name
   */
  isCalled(place, name) {
    const letters = /^(.*)\.([xyzw]{2,4})$/.exec(name);
    return this.strings[this.names[place]].split("\n").some((each) => each === name
      || (each.startsWith(name) && ".[+".includes(each[name.length]))
      || (letters && each.length === letters[1].length + 2 && each.startsWith(`${letters[1]}.`)
        && letters[2].includes(each[each.length - 1])));
  }
}

/** @param {Numbers} one @param {Numbers} other */
function sums(one, other) {
  return Int32Array.from(one, (number, at) => number + other[at]);
}

/** Return bits in hexadecimal. @param {number} low @param {number} high @param {number} size */
function hexText(low, high, size) {
  const [lower, upper] = [low, high].map((each) => (each >>> 0).toString(16).padStart(8, "0"));
  return `0x${(upper + lower).slice(-2 * size)}`;
}

const WORDS = new DataView(new ArrayBuffer(8));

/** Return a number. @param {number} low @param {number} high words of its bits
 * @param {number} size bytes @param {string} kind
 */
function numberOf(low, high, size, kind) {
  WORDS.setInt32(0, low, true);
  WORDS.setInt32(4, high, true);
  if (kind === "bool") return low || high ? 1 : 0;
  if (kind === "float") {
    if (size === 2) return half(low & 0xffff);
    return size === 8 ? WORDS.getFloat64(0, true) : WORDS.getFloat32(0, true);
  }
  if (size === 8) {
    return Number(kind === "int" ? WORDS.getBigInt64(0, true) : WORDS.getBigUint64(0, true));
  }
  const unused = 32 - 8 * size;
  return kind === "int" ? (low << unused) >> unused : (low << unused) >>> unused;
}

/** Return a number as text. @param {number} low @param {number} high words of its bits
 * @param {number} size bytes @param {string} kind
 */
function numberText(low, high, size, kind) {
  const number = numberOf(low, high, size, kind);
  if (kind === "bool") return number ? "true" : "false";
  if (kind === "float") return size === 8 ? String(number) : shortest(number);
  if (size !== 8) return String(number);
  return String(kind === "int" ? WORDS.getBigInt64(0, true) : WORDS.getBigUint64(0, true));
}
