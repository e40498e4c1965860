"use strict";
// The fields whose bytes differ, and where they are in both files.

const SEGMENTS = 150; // of a strip; nearer ones are drawn as one

class FieldDiff {
  /**
   * @param {HTMLElement} host
   * @param {Block} block
   * @param {(program: number, row: number) => void} chose the line that shows the chosen field
   */
  constructor(host, block, chose) {
    this.chose = chose;
    this.path = block.texts("field.path");
    this.program = block.numbers("field.program");
    this.row = block.numbers("field.row");
    this.sides = ["old", "new"].map((side) => ({
      at: block.numbers(`field.${side}.at`),
      size: block.numbers(`field.${side}.size`),
      value: block.texts(`field.${side}.value`),
      bytes: block.texts(`field.${side}.bytes`),
    }));
    this.chosen = -1;
    this.near = [-1, -1]; // program and row whose fields are marked
    const strips = element("div", "strips");
    ["before", "after"].forEach((name, side) => {
      strips.append(span("", name), this.strip(side, block.values.maps[side]));
    });
    this.body = element("div", "list");
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "region");
    this.body.setAttribute("aria-label", "Fields that differ");
    host.append(strips, this.body);
    this.rows = new Rows(this.body, {
      height: 20, most: 100, fill: (row, at) => this.fill(row, at),
    });
    this.body.style.height = `min(30vh, ${20 * this.path.length + 18}px)`;
    this.rows.set(this.path.length);
    this.body.addEventListener("click", (event) => {
      const row = /** @type {HTMLElement} */ (event.target).closest("[data-at]");
      if (row) this.choose(Number(/** @type {HTMLElement} */ (row).dataset.at));
    });
    this.body.addEventListener("keydown", (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      this.choose(Math.max(0, Math.min(this.path.length - 1, this.chosen + step)));
    });
  }

  /** Return a map of a file: its parts, and what differs. @param {number} side
   * @param {[string, number][]} parts names and sizes
   */
  strip(side, parts) {
    const made = element("div", "strip");
    const total = parts.reduce((sum, [, size]) => sum + size, 0) || 1;
    /** @param {string} kind @param {number} at @param {number} size @param {string} text */
    const piece = (kind, at, size, text) => {
      const drawn = span(kind, text);
      drawn.style.left = `${(100 * at) / total}%`;
      drawn.style.width = `${(100 * size) / total}%`;
      made.append(drawn);
    };
    let place = 0;
    for (const [name, size] of parts.slice(0, SEGMENTS)) {
      if (name) piece("part", place, size, name);
      place += size;
    }
    const { at, size } = this.sides[side];
    const order = Array.from(at.keys()).filter((each) => at[each] >= 0);
    order.sort((one, other) => at[one] - at[other]);
    let [start, end] = [-1, -1];
    for (const each of [...order, -1]) {
      if (each >= 0 && start >= 0 && at[each] - end <= total / SEGMENTS) {
        end = Math.max(end, at[each] + size[each]);
        continue;
      }
      if (start >= 0) piece("differs", start, end - start, "");
      if (each >= 0) [start, end] = [at[each], at[each] + size[each]];
    }
    made.addEventListener("click", (event) => {
      const { left, width } = made.getBoundingClientRect();
      const wanted = (total * (event.clientX - left)) / width;
      let best = -1;
      for (const each of order) {
        if (best < 0 || Math.abs(at[each] - wanted) < Math.abs(at[best] - wanted)) best = each;
      }
      if (best >= 0) this.choose(best);
    });
    return made;
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    row.dataset.at = String(at);
    const near = this.program[at] === this.near[0] && this.row[at] === this.near[1];
    row.classList.toggle("near", near && this.near[1] >= 0);
    row.classList.toggle("chosen", at === this.chosen);
    const cells = this.sides.map(({ at: offset, value, bytes }, side) => {
      const made = span(side ? "new" : "old", "");
      if (offset[at] < 0) return made;
      const place = `0x${offset[at].toString(16).padStart(4, "0")}`;
      made.append(span("offset", `${place}  `), value[at] || bytes[at]);
      made.title = `${place}: ${bytes[at]}`;
      return made;
    });
    const path = span("path", this.path[at]);
    path.title = this.path[at];
    row.replaceChildren(path, ...cells);
  }

  /** @param {number} at */
  choose(at) {
    this.chosen = at;
    this.rows.reveal(at);
    if (this.row[at] >= 0) this.chose(this.program[at], this.row[at]);
  }

  /** Mark the fields of a line. @param {number} program @param {number} row */
  mark(program, row) {
    this.near = [program, row];
    const first = this.row.findIndex((each, at) => each === row && this.program[at] === program);
    const chosen = this.chosen;
    if (chosen >= 0 && this.program[chosen] === program && this.row[chosen] === row) {
      this.rows.render();
    } else {
      this.chosen = -1;
      if (first >= 0) this.rows.reveal(first);
      else this.rows.render();
    }
  }
}
