"use strict";
// Keys that work everywhere, the sheet that lists all of them, and the switch of colours.

/** @type {[string, string][]} */
const KEYS = [
  ["/", "search"],
  ["Enter, F3", "next place found; with Shift the previous one"],
  ["1 2 3 4", "listing, fields, bytes, values"],
  ["Tab", "next pane"],
  ["↑ ↓ Page Home End", "move in a pane"],
  ["← →", "close and open a group; previous and next byte"],
  ["Enter", "explain the operation of a line; open a group"],
  ["r", "next register of the line"],
  ["f, F", "fold or unfold the region of the line; all regions"],
  ["[ ]", "previous and next line with the register"],
  ["Alt ←", "back to the place before"],
  ["t", "light or dark"],
  ["?", "these keys"],
];

class Sheet {
  constructor() {
    this.box = document.createElement("dialog");
    this.box.id = "keys";
    this.box.setAttribute("aria-label", "Keys");
    this.box.addEventListener("click", () => this.box.close());
    document.body.append(this.box);
  }

  toggle() {
    if (this.box.open) {
      this.box.close();
      return;
    }
    const title = document.createElement("h2");
    title.textContent = "Keys";
    this.box.replaceChildren(title, listOf(KEYS), button("Close", () => this.box.close()));
    this.box.showModal();
  }
}

/** Show the page light or dark, whatever the system prefers. @param {string} theme */
function setTheme(theme) {
  document.documentElement.style.colorScheme = theme;
}

/** @param {Cursor} cursor */
function switchTheme(cursor) {
  const dark = cursor.theme ? cursor.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  cursor.theme = dark ? "light" : "dark";
  setTheme(cursor.theme);
  cursor.write();
}

/** @param {KeyboardEvent} event @param {SearchBox} search @param {Cursor} cursor
 * @param {Sheet} sheet
 */
function shortcuts(event, search, cursor, sheet) {
  if (event.key === "F3") {
    event.preventDefault();
    search.step(event.shiftKey ? -1 : 1);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof HTMLInputElement && event.target.type !== "range") return;
  const pane = { 1: "listing", 2: "tree", 3: "hex", 4: "values" }[event.key];
  if (event.key === "/") search.input.focus();
  else if (event.key === "?") sheet.toggle();
  else if (event.key === "t") switchTheme(cursor);
  else if (pane) showPane(pane, true);
  else return;
  event.preventDefault();
}

/** Show a pane where there is not room for all of them. @param {string} name
 * @param {boolean} focus
 */
function showPane(name, focus) {
  const bench = /** @type {HTMLElement} */ (document.getElementById("bench"));
  if (name !== "listing") bench.dataset.shown = name;
  for (const tab of document.querySelectorAll("#tabs button")) {
    const own = tab.getAttribute("aria-controls") === bench.dataset.shown;
    tab.setAttribute("aria-pressed", String(own));
  }
  if (focus) /** @type {HTMLElement} */ (document.querySelector(`#${name} .body`)).focus();
}
