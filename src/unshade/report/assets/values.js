"use strict";
// The chosen field, and its bytes read as numbers of every kind.

class ValuesPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor */
  constructor(host, index, cursor) {
    this.host = host;
    this.index = index;
    this.cursor = cursor;
    cursor.views.push(() => this.show());
  }

  show() {
    const { index, cursor } = this;
    const { node } = cursor;
    const byte = Math.floor(cursor.bit / 8);
    const list = document.createElement("dl");
    /** @param {string} name @param {string} value */
    const add = (name, value) => {
      if (!value) return;
      const term = document.createElement("dt");
      term.textContent = name;
      const text = document.createElement("dd");
      text.textContent = value;
      list.append(term, text);
    };
    const operation = cursor.line < 0 ? -1 : index.lineOperation[cursor.line];
    if (operation >= 0) {
      const [name, rows] = index.operations[operation];
      for (const [label, text] of rows) add(label || name, text);
    }
    if (node >= 0) {
      add("field", index.path(node));
      add("value", index.strings[index.value[node]]);
      add("meaning", index.strings[index.doc[node]]);
      const bits = index.size[node];
      const start = index.start[node];
      const end = (start + bits) / 8;
      const whole = start % 8 === 0 && bits % 8 === 0;
      const where = `0x${Math.floor(start / 8).toString(16)}`;
      add("bytes", whole ? `${where} to 0x${(end - 1).toString(16)}, ${bits / 8} bytes`
        : `${where}, bits ${start % 8} to ${(start % 8) + bits - 1}`);
    }
    for (const [name, value] of readings(index.file, byte)) add(name, value);
    this.host.replaceChildren(list);
  }
}

/** Return the numbers that start at a byte. @param {Uint8Array} file @param {number} at */
function readings(file, at) {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const left = file.length - at;
  /** @type {[string, string][]} */
  const found = [];
  if (left >= 1) found.push(["uint8, int8", `${view.getUint8(at)}, ${view.getInt8(at)}`]);
  if (left >= 2) {
    found.push(["uint16, int16", `${view.getUint16(at, true)}, ${view.getInt16(at, true)}`]);
    found.push(["float16", shortest(half(view.getUint16(at, true)))]);
  }
  if (left >= 4) {
    found.push(["uint32, int32", `${view.getUint32(at, true)}, ${view.getInt32(at, true)}`]);
    found.push(["float32", shortest(view.getFloat32(at, true))]);
  }
  if (left >= 8) {
    found.push(["uint64", String(view.getBigUint64(at, true))]);
    found.push(["float64", String(view.getFloat64(at, true))]);
  }
  return found;
}

/** Return the value of a half. @param {number} bits */
function half(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  if (!exponent) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** Return the shortest text that reads back as the same single. @param {number} number */
function shortest(number) {
  for (let digits = 1; digits < 9; digits++) {
    const text = number.toPrecision(digits);
    if (Math.fround(Number(text)) === number) return String(Number(text));
  }
  return String(number);
}
