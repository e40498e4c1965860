"use strict";
// A card beside the pointer or a line: it explains an operation, a register, a field.

class Card {
  constructor() {
    this.box = document.createElement("div");
    this.box.id = "card";
    this.box.setAttribute("role", "status");
    this.box.hidden = true;
    document.body.append(this.box);
    this.waiting = 0;
    addEventListener("scroll", () => this.hide(), true);
  }

  /** Show labelled texts beside an element, after a moment if the pointer may only pass.
   * @param {Element} beside @param {string} title @param {[string, string][]} rows
   * @param {number} delay milliseconds
   */
  show(beside, title, rows, delay = 0) {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      if (!beside.isConnected) return;
      this.box.replaceChildren(span("card-title", title), listOf(rows));
      this.box.hidden = false;
      const place = beside.getBoundingClientRect();
      const size = this.box.getBoundingClientRect();
      const left = Math.max(8, Math.min(place.left, innerWidth - size.width - 8));
      const below = place.bottom + 4 + size.height < innerHeight;
      const top = below ? place.bottom + 4 : Math.max(4, place.top - size.height - 4);
      this.box.style.translate = `${left}px ${top}px`;
    }, delay);
  }

  hide() {
    clearTimeout(this.waiting);
    this.box.hidden = true;
  }
}

/** Return a list of labelled texts; a text without a label takes both columns.
 * @param {[string, string | Node][]} rows
 */
function listOf(rows) {
  const list = document.createElement("dl");
  for (const [label, text] of rows) {
    if (!text) continue;
    const term = document.createElement("dt");
    term.textContent = label;
    const value = document.createElement("dd");
    if (!label) value.className = "whole";
    value.append(text);
    list.append(term, value);
  }
  return list;
}
