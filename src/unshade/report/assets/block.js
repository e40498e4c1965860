"use strict";
// The block of columns that the page carries; report/columns.py has its layout.

/** @typedef {Int8Array | Int16Array | Int32Array | Float64Array} Numbers */

class Block {
  /** @param {ArrayBuffer} buffer the block, decompressed */
  constructor(buffer) {
    const size = new DataView(buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
    /** @type {Record<string, [string, number, number]>} */
    this.places = header.columns;
    /** @type {Record<string, any>} */
    this.values = header.values;
    this.buffer = buffer;
    this.body = Math.ceil((4 + size) / 8) * 8;
  }

  /**
   * Decompress the block in a script element.
   * @param {string} text base64 of gzip
   */
  static async of(text) {
    return new Block(await inflated(text).arrayBuffer());
  }

  /**
   * Return a column of numbers; differences are summed up.
   * @param {string} name
   * @returns {Numbers}
   */
  numbers(name) {
    const [form, offset, items] = this.places[name];
    const types = { 1: Int8Array, 2: Int16Array, 4: Int32Array, 8: Float64Array };
    const width = /** @type {1 | 2 | 4 | 8} */ (Number(form[1]));
    const found = new types[width](this.buffer, this.body + offset, items);
    if (form[0] === "i") return found;
    if (form[0] === "r") return firstUses(found);
    const summed = width === 8 ? new Float64Array(items) : new Int32Array(items);
    let sum = 0;
    for (let at = 0; at < items; at++) summed[at] = sum += found[at];
    return summed;
  }

  /** @param {string} name */
  raw(name) {
    const [, offset, size] = this.places[name];
    return new Uint8Array(this.buffer, this.body + offset, size);
  }

  /** @param {string} name */
  texts(name) {
    const [, offset, items] = this.places[name];
    const bytes = new Uint8Array(this.buffer, this.body + offset);
    let end = 0;
    for (let item = 0; item < items; item++) end = bytes.indexOf(0, end) + 1;
    // One call for all of them: a call for each text takes most of its time to start.
    const found = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, end))
      .split("\0").slice(0, items);
    for (let item = 1; item < items; item++) {
      if (found[item] === "\x01") found[item] = countedOn(found[item - 1]);
    }
    return found;
  }
}

/** Return numbers in order of first use. @param {Numbers} stored how far they are below the first
 * one that has not occurred
 */
function firstUses(stored) {
  const found = new Int32Array(stored.length);
  let next = 0;
  for (let at = 0; at < stored.length; at++) {
    found[at] = next - stored[at];
    next = Math.max(next, found[at] + 1);
  }
  return found;
}

/** Return a text with the number at its end one greater. @param {string} text */
function countedOn(text) {
  return text.replace(/(?:0|[1-9]\d*)$/, (digits) => String(Number(digits) + 1));
}
