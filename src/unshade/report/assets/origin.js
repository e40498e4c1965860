"use strict";
// Where a value comes from: the accesses that lead to it, back to its first operation.

const FARTHEST = 400; // links of a chain

/** A link: the access, and why the chain ends there, "" where it goes on.
 * @typedef {{at: number, step: number, end: string}} Link
 */

/** Return the chain of accesses from a value back to its origin.
 *
 * From a read to the write of its place before, from a write to what its step reads: the chain of a
 * NaN follows what is NaN, that of an undefined value what is undefined. The chain of another value
 * ends at the operation that wrote it.
 * @param {Trace} trace @param {Index} index @param {ListingUses} uses @param {number} from
 * @returns {Link[]}
 */
function originOf(trace, index, uses, from) {
  /** @type {Link[]} */
  const chain = [];
  const wanted = trace.isNaN(from);
  const seen = new Set();
  let at = from;
  while (chain.length < FARTHEST && !seen.has(at)) {
    seen.add(at);
    const link = { at, step: trace.stepAt(at), end: "" };
    chain.push(link);
    if (trace.flags[at] & WRITES) {
      const sources = inputsOf(trace, uses, at);
      const next = wanted ? sources.find((each) => trace.isNaN(each))
        : undefinedRead(trace, uses, at, new Set());
      if (next === undefined) {
        link.end = wanted ? `this operation makes the NaN` : "";
        break;
      }
      at = next;
    } else if (trace.flags[at] & UNDEFINED) {
      link.end = `${trace.places[trace.place[at]]} was never written before${elsewhere(trace, uses, at)}`;
      break;
    } else {
      const write = trace.written[at];
      if (write < 0) {
        link.end = "given to the shader: no step of this thread writes it";
        break;
      }
      at = write;
    }
  }
  return chain;
}

/** Return what a write is computed from: the reads of its step, else the last values of the
 * registers that its line names.
 * @param {Trace} trace @param {ListingUses} uses @param {number} at @returns {number[]}
 */
function inputsOf(trace, uses, at) {
  const step = trace.stepAt(at);
  const found = [];
  for (let one = trace.firstAccess[step]; one < trace.firstAccess[step + 1]; one++) {
    if (!(trace.flags[one] & WRITES)) found.push(one);
  }
  if (found.length) return found;
  const names = new Set(uses.read(trace.line[step]));
  for (const last of trace.before(step)) {
    const name = last < 0 ? "" : trace.places[trace.place[last]];
    if (!names.has(name) && !names.has(name.replace(/\.[xyzw]$/, ""))) continue;
    const write = trace.flags[last] & WRITES ? last : trace.written[last];
    if (write >= 0) found.push(write);
  }
  return found;
}

/** Return the closest read of the operation of a write that leads to an undefined value.
 * @param {Trace} trace @param {ListingUses} uses @param {number} at @param {Set<number>} seen
 * @returns {number | undefined}
 */
function undefinedRead(trace, uses, at, seen) {
  if (seen.has(at) || seen.size > FARTHEST) return undefined;
  seen.add(at);
  const sources = inputsOf(trace, uses, at);
  const direct = sources.find((each) => trace.flags[each] & UNDEFINED);
  if (direct !== undefined) return direct;
  return sources.find((each) => {
    const write = trace.flags[each] & WRITES ? each : trace.written[each];
    return write >= 0 && undefinedRead(trace, uses, write, seen) !== undefined;
  });
}

/** Return the lines that do write a place. @param {Trace} trace @param {ListingUses} uses
 * @param {number} at
 */
function elsewhere(trace, uses, at) {
  const name = trace.places[trace.place[at]];
  const lines = uses.writers(name).map((line) => line + 1);
  if (!lines.length) return ": no line writes it";
  const listed = lines.slice(0, 8).join(", ") + (lines.length > 8 ? ", …" : "");
  return `; it is written by line${lines.length > 1 ? "s" : ""} ${listed}`;
}

/** Which lines of the listing read and write a register. */
class ListingUses {
  /** @param {Block} block */
  constructor(block) {
    this.registers = block.texts("registers");
    this.use = block.numbers("use.register");
    this.flags = block.numbers("use.flags");
    this.first = starts(block.numbers("line.uses"));
  }

  /** Return the registers that a line reads. @param {number} line @returns {string[]} */
  read(line) {
    const found = [];
    for (let at = this.first[line]; at < this.first[line + 1]; at++) {
      if (!(this.flags[at] & DEFINES)) found.push(this.registers[this.use[at]]);
    }
    return found;
  }

  /** Return the lines that write a register or its whole. @param {string} name */
  writers(name) {
    const whole = name.replace(/\.[xyzw]$/, "");
    const numbers = new Set();
    this.registers.forEach((each, at) => {
      if (each === name || each === whole) numbers.add(at);
    });
    const found = [];
    for (let line = 0; line + 1 < this.first.length; line++) {
      for (let at = this.first[line]; at < this.first[line + 1]; at++) {
        if (this.flags[at] & DEFINES && numbers.has(this.use[at])) found.push(line);
      }
    }
    return [...new Set(found)];
  }
}
