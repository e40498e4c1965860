"use strict";
// The chosen field and those around it, and its bytes read as numbers of every kind.

const LINKS = 30; // lines of a register that are listed

class ValuesPane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor
   * @param {ListingPane} listing @param {Marks} marks
   */
  constructor(host, index, cursor, listing, marks) {
    this.host = host;
    this.index = index;
    this.cursor = cursor;
    this.listing = listing;
    this.marks = marks;
    cursor.views.push(() => this.show());
  }

  show() {
    const { index, cursor, listing } = this;
    const { node } = cursor;
    const byte = Math.floor(cursor.bit / 8);
    /** @type {[string, string | Node][]} */
    const rows = [];
    for (const each of this.marks.at(cursor)) rows.push([each.severity, each.message]);
    if (cursor.register >= 0) rows.push(...this.uses(cursor.register));
    const operation = cursor.line < 0 ? -1 : index.lineOperation[cursor.line];
    if (operation >= 0) {
      const [name, about] = index.operations[operation];
      for (const [label, text] of about) rows.push([label || name, text]);
    }
    /** @type {Node[]} */
    const above = [];
    if (node >= 0) {
      above.push(this.around(node));
      rows.push(["value", index.strings[index.value[node]]]);
      rows.push(["meaning", index.strings[index.doc[node]]]);
      const bits = index.size[node];
      const start = index.start[node];
      const end = (start + bits) / 8;
      const whole = start % 8 === 0 && bits % 8 === 0;
      const where = `0x${Math.floor(start / 8).toString(16)}`;
      rows.push(["bytes", whole ? `${where} to 0x${(end - 1).toString(16)}, ${bits / 8} bytes`
        : `${where}, bits ${start % 8} to ${(start % 8) + bits - 1}`]);
    }
    rows.push(...readings(index.file, byte));
    this.host.replaceChildren(...above, listOf(rows));
    this.host.classList.toggle("of-register", cursor.register >= 0 && listing.registers.length > 0);
  }

  /** Return the fields around a node, outermost first, each a button. @param {number} node */
  around(node) {
    const { index } = this;
    const path = document.createElement("nav");
    path.className = "path";
    path.setAttribute("aria-label", "Fields around");
    /** @type {number[]} */
    const nodes = [];
    for (let at = node; at >= 0 && nodes.length < 40; at = index.parent(at)) nodes.unshift(at);
    nodes.forEach((each, at) => {
      const step = index.step(each);
      if (at && !step.startsWith("[")) path.append(".");
      path.append(button(step, () => jump(index, this.cursor, { node: each })));
      path.append(document.createElement("wbr"));
    });
    return path;
  }

  /** Return where a register is defined and used, as lines that can be gone to.
   * @param {number} register @returns {[string, Node][]}
   */
  uses(register) {
    const { index, listing, cursor } = this;
    const { defined, used } = listing.usesOf(register);
    /** @param {number[]} lines */
    const links = (lines) => {
      const made = span("lines", lines.length ? "" : "nowhere");
      for (const line of lines.slice(0, LINKS)) {
        made.append(button(String(line + 1), () => jump(index, cursor, { line, register })), " ");
      }
      if (lines.length > LINKS) made.append(`and ${lines.length - LINKS} more`);
      return made;
    };
    const name = listing.registers[register];
    return [[`${name} ◆`, links(defined)], [`${name} ◇`, links(used)]];
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
