"use strict";
// One cursor for all panes, kept in the address: #b=0x1a4&line=12&step=37

class Cursor {
  constructor() {
    this.bit = 0;
    this.node = -1;
    this.line = -1;
    this.register = -1;
    this.step = -1;
    this.thread = 0;
    /** @type {((changed: Cursor) => void)[]} */
    this.views = [];
  }

  /** Change some places of the cursor and show it in every pane.
   * @param {Partial<Pick<Cursor, "bit" | "node" | "line" | "register" | "step">>} places
   */
  move(places) {
    Object.assign(this, places);
    for (const view of this.views) view(this);
    // The content of a frame (srcdoc) has no address.
    if (location.protocol !== "about:") history.replaceState(null, "", this.address());
  }

  address() {
    const places = [`b=0x${Math.floor(this.bit / 8).toString(16)}`];
    if (this.bit % 8) places[0] += `.${this.bit % 8}`;
    if (this.line >= 0) places.push(`line=${this.line + 1}`);
    if (this.step >= 0) places.push(`step=${this.step}`);
    if (this.thread) places.push(`thread=${this.thread}`);
    return `#${places.join("&")}`;
  }

  /** Return the places that an address names. @param {string} hash */
  static parse(hash) {
    const given = new URLSearchParams(hash.replace(/^#/, ""));
    /** @type {{bit?: number, line?: number, step?: number, thread?: number}} */
    const found = {};
    const place = /^(0x[0-9a-f]+|\d+)(?:\.([0-7]))?$/i.exec(given.get("b") ?? "");
    if (place) found.bit = Number(place[1]) * 8 + Number(place[2] ?? 0);
    const line = Number(given.get("line"));
    if (line > 0) found.line = Math.floor(line) - 1;
    const step = given.get("step");
    if (step !== null && Number(step) >= 0) found.step = Math.floor(Number(step));
    const thread = given.get("thread");
    if (thread !== null && Number(thread) >= 0) found.thread = Math.floor(Number(thread));
    return found;
  }
}
