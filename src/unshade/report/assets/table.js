"use strict";
// A table of any length: columns from the block, sorted and filtered, rows in a pool.

/**
 * @typedef {object} TableColumn
 * @property {string} key name in a filter, as in size>1000 or stage:pixel
 * @property {string} title
 * @property {string} track of the grid
 * @property {number} from the page's least width in pixels at which it is shown
 * @property {ArrayLike<string | number>} values -1 is an unknown number
 * @property {boolean} [code] shown in a monospaced font
 * @property {(row: number) => string} [kind] further class of a cell
 */

const NATURAL = new Intl.Collator("en", { numeric: true, sensitivity: "base" });
const COMPARED = /^([a-z]+)(>=|<=|>|<|=|:)(.+)$/;

class Table {
  /**
   * @param {HTMLElement} host
   * @param {TableColumn[]} columns the first one has the links
   * @param {object} options
   * @param {string} options.label
   * @param {(row: number) => string} options.link empty: no link
   * @param {(row: number) => string} options.note shown beside the first column
   * @param {(table: Table) => void} options.changed called when the rows or their order changed
   */
  constructor(host, columns, { label, link, note, changed }) {
    this.columns = columns;
    this.link = link;
    this.note = note;
    this.changed = changed;
    this.size = columns[0].values.length;
    this.order = Array.from({ length: this.size }, (_, row) => row);
    this.sorted = "";
    this.down = false;
    this.query = "";
    this.chosen = -1;
    /** @type {string[]} */
    this.words = [];
    /** @type {TableColumn[]} */
    this.shown = [];
    host.setAttribute("role", "table");
    host.setAttribute("aria-label", label);
    const group = document.createElement("div");
    group.setAttribute("role", "rowgroup");
    this.heads = document.createElement("div");
    this.heads.className = "heads";
    this.heads.setAttribute("role", "row");
    group.append(this.heads);
    this.body = document.createElement("div");
    this.body.className = "rows";
    this.body.tabIndex = 0;
    this.body.setAttribute("role", "rowgroup");
    this.body.setAttribute("aria-label", label);
    this.host = host;
    host.append(group, this.body);
    this.nothing = document.createElement("p");
    this.nothing.className = "nothing";
    this.nothing.textContent = "Nothing matches the filter";
    this.nothing.hidden = true;
    this.body.append(this.nothing);
    this.rows = new Rows(this.body, {
      height: 28, most: 120, fill: (row, at) => this.fill(row, at),
    });
    this.body.addEventListener("keydown", (event) => this.key(event));
    this.layout();
    addEventListener("resize", () => this.layout());
  }

  /** Show the columns that have room. */
  layout() {
    const shown = this.columns.filter((each) => each.from <= innerWidth);
    if (shown.length !== this.shown.length) {
      this.shown = shown;
      this.host.style.setProperty("--tracks", shown.map((each) => each.track).join(" "));
      this.heads.replaceChildren(...shown.map((each) => this.head(each)));
      for (const row of this.rows.pool) row.replaceChildren();
    }
    this.rows.render();
  }

  /** @param {TableColumn} column */
  head(column) {
    const made = document.createElement("div");
    made.setAttribute("role", "columnheader");
    made.dataset.key = column.key;
    if (typeof column.values[0] === "number") made.className = "number";
    const button = document.createElement("button");
    button.textContent = column.title;
    button.addEventListener("click", () => {
      const first = typeof column.values[0] === "number"; // the largest number first
      this.sort(column.key, this.sorted === column.key ? !this.down : first);
    });
    made.append(button);
    this.mark(made);
    return made;
  }

  /** @param {HTMLElement} head */
  mark(head) {
    const direction = this.down ? "descending" : "ascending";
    head.setAttribute("aria-sort", head.dataset.key === this.sorted ? direction : "none");
  }

  /** @param {string} key @param {boolean} down */
  sort(key, down) {
    this.sorted = this.columns.some((each) => each.key === key) ? key : "";
    this.down = down;
    for (const head of this.heads.children) this.mark(/** @type {HTMLElement} */ (head));
    this.update();
  }

  /** @param {string} query */
  filter(query) {
    this.query = query;
    this.update();
  }

  update() {
    const tests = this.query.toLowerCase().split(/\s+/).filter(Boolean).map((word) => this.test(word));
    const kept = [];
    for (let row = 0; row < this.size; row++) if (tests.every((test) => test(row))) kept.push(row);
    const column = this.columns.find((each) => each.key === this.sorted);
    if (column) {
      const { values } = column;
      const sign = this.down ? -1 : 1;
      kept.sort((one, other) => {
        const x = values[one];
        const y = values[other];
        const last = Number(isUnknown(x)) - Number(isUnknown(y)); // whatever the direction
        if (last) return last;
        const order = typeof x === "number" && typeof y === "number"
          ? x - y
          : NATURAL.compare(String(x), String(y));
        return sign * order || one - other;
      });
    }
    this.order = kept;
    this.chosen = -1;
    this.nothing.hidden = kept.length > 0;
    this.host.setAttribute("aria-rowcount", String(kept.length + 1));
    this.rows.count = kept.length;
    this.rows.first = 0;
    this.body.scrollTop = 0;
    this.rows.resize();
    this.changed(this);
  }

  /** Return the test of a word of the filter. @param {string} word
   * @returns {(row: number) => boolean}
   */
  test(word) {
    const parts = COMPARED.exec(word);
    const column = parts && this.columns.find((each) => each.key === parts[1]);
    if (parts && column) {
      const { values } = column;
      const [, , sign, text] = parts;
      const number = Number(text.replaceAll(",", ""));
      if (sign === ":") return (row) => String(values[row]).toLowerCase().includes(text);
      if (sign === "=") {
        return (row) => String(values[row]).toLowerCase().replace(/\s/g, "_") === text;
      }
      /** @param {number} value */
      const holds = (value) => ({
        ">": value > number, "<": value < number, ">=": value >= number, "<=": value <= number,
      })[sign] ?? false;
      return (row) => Number(values[row]) >= 0 && holds(Number(values[row]));
    }
    return (row) => this.text(row).includes(word);
  }

  /** Return all texts of a row. @param {number} row */
  text(row) {
    this.words[row] ??= [
      ...this.columns.map((each) => each.values[row]), this.note(row),
    ].join("\n").toLowerCase();
    return this.words[row];
  }

  /** @param {HTMLElement} element @param {number} at */
  fill(element, at) {
    const row = this.order[at];
    element.setAttribute("role", "row");
    element.setAttribute("aria-rowindex", String(at + 2));
    element.classList.toggle("chosen", at === this.chosen);
    if (element.children.length !== this.shown.length) {
      element.replaceChildren(...this.shown.map((each, place) => this.cell(each, place)));
    }
    this.shown.forEach((column, place) => {
      const cell = /** @type {HTMLElement} */ (element.children[place]);
      const value = column.values[row];
      const text = typeof value === "number" ? (value < 0 ? "" : value.toLocaleString("en")) : value;
      cell.title = text;
      if (column.kind) cell.className = `cell ${column.kind(row)}`;
      if (place) cell.textContent = text;
      else this.name(cell, row, text);
    });
  }

  /** @param {TableColumn} column @param {number} place */
  cell(column, place) {
    const number = typeof column.values[0] === "number";
    const made = span(`cell${number ? " number" : ""}${column.code ? " code" : ""}`, "");
    made.setAttribute("role", "cell");
    if (!place) made.append(document.createElement("a"), span("why", ""));
    return made;
  }

  /** @param {HTMLElement} cell @param {number} row @param {string} text */
  name(cell, row, text) {
    const [anchor, why] = /** @type {HTMLCollectionOf<HTMLElement>} */ (cell.children);
    anchor.textContent = text;
    const link = this.link(row);
    if (link) anchor.setAttribute("href", link);
    else anchor.removeAttribute("href");
    why.textContent = this.note(row);
    why.hidden = !why.textContent;
    if (why.textContent) cell.title = `${text}: ${why.textContent}`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const page = this.rows.room - 1;
    const last = this.order.length - 1;
    /** @type {Record<string, number>} */
    const steps = {
      ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page,
      PageUp: this.chosen - page, Home: 0, End: last,
    };
    if (event.key in steps) {
      this.chosen = Math.max(0, Math.min(last, steps[event.key]));
      this.rows.reveal(this.chosen);
    } else if (event.key === "Enter" && this.chosen >= 0 && event.target === this.body) {
      const link = this.link(this.order[this.chosen]);
      if (link) location.href = link;
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** @param {string | number} value */
function isUnknown(value) {
  return typeof value === "number" ? value < 0 : value === "";
}
