"use strict";
// The tree of fields; groups open and close, long arrays in pieces of a hundred.

const PIECE = 100;

class TreePane {
  /** @param {HTMLElement} host @param {Index} index @param {Cursor} cursor @param {Marks} marks */
  constructor(host, index, cursor, marks) {
    this.index = index;
    this.cursor = cursor;
    this.marks = marks;
    /** @type {Set<number>} */
    this.open = new Set();
    /** Rows: a node, or the first node of a piece of an array as -1 - node. @type {number[]} */
    this.shown = [];
    const fill = (/** @type {HTMLElement} */ row, /** @type {number} */ at) => this.fill(row, at);
    this.rows = new Rows(host, { height: 20, most: 96, fill });
    host.addEventListener("click", (event) => this.pick(event));
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("mouseover", (event) => this.hover(event));
    host.addEventListener("mouseleave", () => cursor.point({}));
    cursor.views.push(() => this.follow());
    /** Nodes that are under the pointer or shown by the line under it. @type {number[]} */
    this.hovered = [];
    cursor.lights.push(() => {
      this.hovered = index.shownWith(cursor.under.node, cursor.under.line);
      this.rows.render();
    });
    host.setAttribute("role", "tree");
    this.rows.layer.setAttribute("role", "presentation");
    this.rows.space.setAttribute("role", "presentation");
    this.list();
  }

  /** List the nodes of open groups anew. */
  list() {
    const { index } = this;
    /** @type {number[]} */
    const shown = [];
    /** @param {number} from @param {number} to */
    const add = (from, to) => {
      for (let at = from; at < to; at = index.after[at]) {
        shown.push(at);
        if (this.open.has(at)) add(at + 1, index.after[at]);
      }
    };
    add(0, index.count);
    this.shown = shown;
    this.rows.set(shown.length);
  }

  /** @param {HTMLElement} row @param {number} at */
  fill(row, at) {
    const { index, cursor } = this;
    const node = this.shown[at];
    const inner = index.after[node] > node + 1;
    const mark = span("mark", inner ? (this.open.has(node) ? "▾" : "▸") : "");
    const name = span(`${inner ? "group" : colour(index, node)} name`, index.step(node));
    const text = index.strings[index.value[node]];
    const value = text || !inner ? span("value", text) : span("value gist", index.gist(node));
    row.dataset.row = String(at);
    const grade = this.marks.node[node] || (this.open.has(node) ? 0 : this.marks.inside[node]);
    row.className = `row${Marks.kind(grade)}`;
    if (node === cursor.node) row.classList.add("chosen");
    else if (node !== cursor.under.node && index.within(cursor.node, node)) row.classList.add("around");
    if (this.hovered.some((each) => node === each || (inner && !this.open.has(node)
      && index.within(each, node)))) row.classList.add("hovered");
    else if (index.within(cursor.under.node, node)) row.classList.add("around");
    row.style.paddingInlineStart = `${index.depth[node] * 12 + 4}px`;
    row.title = [
      index.strings[index.doc[node]], ...this.marks.at({ node }).map((each) => each.message),
    ].filter(Boolean).join("\n");
    row.setAttribute("role", "treeitem");
    row.setAttribute("aria-level", String(index.depth[node] + 1));
    row.setAttribute("aria-selected", String(node === cursor.node));
    if (inner) row.setAttribute("aria-expanded", String(this.open.has(node)));
    else row.removeAttribute("aria-expanded");
    row.replaceChildren(mark, name, value);
  }

  /** Open what is above the chosen node and show it. */
  follow() {
    const { index, cursor } = this;
    if (cursor.node < 0) return;
    let opened = false;
    for (let at = index.parent(cursor.node); at >= 0; at = index.parent(at)) {
      if (!this.open.has(at)) {
        this.open.add(at);
        opened = true;
      }
    }
    if (opened) this.list();
    this.rows.reveal(this.shown.indexOf(cursor.node));
  }

  /** @param {number} node */
  toggle(node) {
    if (!this.open.delete(node)) this.open.add(node);
    this.list();
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest(".row");
    if (!(row instanceof HTMLElement)) return;
    const node = this.shown[Number(row.dataset.row)];
    const inner = this.index.after[node] > node + 1;
    const onMark = /** @type {HTMLElement} */ (event.target).classList.contains("mark");
    if (inner && (onMark || node === this.cursor.node)) this.toggle(node);
    jump(this.index, this.cursor, { node });
  }

  /** @param {MouseEvent} event */
  hover(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest(".row");
    if (!(row instanceof HTMLElement)) return;
    const node = this.shown[Number(row.dataset.row)];
    this.cursor.point({ node, line: this.index.lineOf[node] });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const { index, cursor, shown } = this;
    const at = shown.indexOf(cursor.node);
    const node = cursor.node;
    const inner = node >= 0 && index.after[node] > node + 1;
    /** @param {number} to */
    const go = (to) => {
      const last = shown.length - 1;
      choose(index, cursor, { node: shown[Math.min(Math.max(to, 0), last)] });
    };
    const page = this.rows.room - 1;
    /** @type {Record<string, () => void>} */
    const actions = {
      ArrowDown: () => go(at + 1),
      ArrowUp: () => go(at - 1),
      PageDown: () => go(at + page),
      PageUp: () => go(at - page),
      Home: () => go(0),
      End: () => go(shown.length - 1),
      Enter: () => (inner ? this.toggle(node) : undefined),
      ArrowRight: () => (inner && !this.open.has(node) ? this.toggle(node) : go(at + 1)),
      ArrowLeft: () => {
        if (inner && this.open.has(node)) this.toggle(node);
        else if (index.parent(node) >= 0) choose(index, cursor, { node: index.parent(node) });
      },
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
