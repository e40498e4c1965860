"use strict";
// One cursor for all panes, kept in the address: #b=0x1a4.3&line=12&step=37&fold=9,30

const SOON = 100; // milliseconds until the address is that of a small step: browsers limit them

/** @typedef {{bit?: number, node?: number, line?: number, register?: number}} Place */

/** The parts of a page that a server answers, in place of its own (live.js).
 * @type {{
 *   parts: null | (() => Promise<Document>),
 *   shown: (show: (run: Block | null, sections: Element) => void) => void,
 *   lens: null | ((place: string, line: number) => void),
 * }}
 */
const live = { parts: null, shown: () => undefined, lens: null };

class Cursor {
  constructor() {
    this.bit = 0;
    this.node = -1;
    this.line = -1;
    this.register = -1;
    this.step = -1;
    this.thread = 0;
    /** First lines of folded regions; another set once they change. @type {ReadonlySet<number>} */
    this.folded = new Set();
    /** What is under the pointer. */
    this.under = { node: -1, line: -1, register: -1 };
    this.theme = "";
    this.jumps = false;
    this.writing = 0;
    this.pending = "";
    /** @type {((changed: Cursor) => void)[]} */
    this.views = [];
    /** Called when `under` has changed. @type {(() => void)[]} */
    this.lights = [];
  }

  /** Change some places of the cursor and show it in every pane.
   * @param {Partial<Pick<Cursor, "bit" | "node" | "line" | "register" | "step">>} places
   */
  move(places) {
    Object.assign(this, places);
    Rows.together(() => {
      for (const view of this.views) view(this);
    });
    this.write();
  }

  /** Write the address: a jump becomes an entry of the history, a small step does not. */
  write() {
    if (location.protocol === "about:") return; // a frame's content (srcdoc) has no address
    const address = this.address();
    if (this.jumps && address !== location.hash) {
      this.settle();
      history.pushState(null, "", address);
      this.pending = "";
    } else {
      this.pending = address;
      clearTimeout(this.writing);
      this.writing = setTimeout(() => this.settle(), SOON);
    }
    this.jumps = false;
  }

  /** Write the address of the small steps so far. */
  settle() {
    clearTimeout(this.writing);
    if (this.pending) history.replaceState(null, "", this.pending);
    this.pending = "";
  }

  /** Light what is under the pointer in every pane. @param {Partial<Cursor["under"]>} under */
  point({ node = -1, line = -1, register = -1 }) {
    const now = this.under;
    if (now.node === node && now.line === line && now.register === register) return;
    this.under = { node, line, register };
    Rows.together(() => {
      for (const light of this.lights) light();
    });
  }

  address() {
    const places = [`b=0x${Math.floor(this.bit / 8).toString(16)}`];
    if (this.bit % 8) places[0] += `.${this.bit % 8}`;
    if (this.line >= 0) places.push(`line=${this.line + 1}`);
    if (this.step >= 0) places.push(`step=${this.step}`);
    if (this.thread) places.push(`thread=${this.thread}`);
    if (this.folded.size) {
      const first = [...this.folded].sort((a, b) => a - b).slice(0, MOST_FOLDED);
      places.push(`fold=${first.map((line) => line + 1)}`);
    }
    if (this.theme) places.push(`theme=${this.theme}`);
    return `#${places.join("&")}`;
  }

  /** Return the places that an address names. @param {string} hash */
  static parse(hash) {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    /** @type {{bit?: number, line?: number, step?: number, theme?: string, thread?: number,
     *   folded: number[]}} */
    const found = { folded: [] };
    const place = /^(0x[0-9a-f]+|\d+)(?:\.([0-7]))?$/i.exec(given.get("b") ?? "");
    if (place) found.bit = Number(place[1]) * 8 + Number(place[2] ?? 0);
    const line = Number(given.get("line"));
    if (line > 0) found.line = Math.floor(line) - 1;
    const step = given.get("step");
    if (step !== null && Number(step) >= 0) found.step = Math.floor(Number(step));
    const thread = given.get("thread");
    if (thread !== null && Number(thread) >= 0) found.thread = Math.floor(Number(thread));
    const folded = (given.get("fold") ?? "").split(",").slice(0, MOST_FOLDED);
    found.folded = folded.map((each) => Number(each) - 1).filter((each) => each >= 0);
    const theme = given.get("theme");
    if (theme === "dark" || theme === "light") found.theme = theme;
    return found;
  }
}

/** Move the cursor to a bit, a node or a line, and the others of these to what belongs to it.
 * @param {Index} index @param {Cursor} cursor @param {Place} place
 */
function choose(index, cursor, place) {
  let { bit, node, line } = place;
  if (node === undefined && bit !== undefined) {
    node = bit % 8 ? index.at(bit) : index.atByte(bit / 8);
  } else if (node === undefined && line !== undefined) node = index.lineNode[line];
  if (line === undefined) line = node === undefined || node < 0 ? -1 : index.lineOf[node];
  if (bit === undefined) bit = node === undefined || node < 0 ? cursor.bit : index.start[node];
  const register = place.register ?? -1;
  cursor.move({ bit, node: node ?? -1, line, register });
}

/** Choose a place as one that the reader comes back from: the browser's back button leads here.
 * @param {Index} index @param {Cursor} cursor @param {Place} place
 */
function jump(index, cursor, place) {
  cursor.jumps = true;
  choose(index, cursor, place);
}
