"use strict";
// The sections below the panes: made from what the page shows without a script, one by one.

const NODES = 700; // elements of sections that are open from the start
const ROWS = 60; // of a table; the rest is shown on demand

/** @typedef {{title: string, size: number, draw: () => Element[]}} Drawing */

class Sections {
  /** @param {HTMLElement} host @param {Element} summary elements: a heading, then its content
   * @param {Drawing[]} drawings what stands before the table of a section, by its title
   */
  constructor(host, summary, drawings = []) {
    this.host = host;
    this.left = NODES;
    this.drawings = [...drawings];
    /** @type {Element[]} */
    let content = [];
    let title = "";
    const close = () => {
      if (title) host.append(this.section(title, content));
      else host.append(...content);
      content = [];
      title = "";
    };
    for (const each of [...summary.children]) {
      if (each.tagName === "H4") {
        close();
        title = each.textContent ?? "";
      } else if (each.tagName === "BR") {
        close(); // the title of an entry point follows
      } else {
        content.push(each);
      }
    }
    close();
  }

  /** @param {string} title @param {Element[]} content */
  section(title, content) {
    const at = this.drawings.findIndex((each) => each.title === title);
    const [drawing] = at < 0 ? [] : this.drawings.splice(at, 1);
    const size = content.reduce((sum, each) => sum + each.getElementsByTagName("*").length + 1, 0);
    return this.folded(title, size + (drawing?.size ?? 0), () => [
      ...(drawing?.draw() ?? []), ...content.map(shortened),
    ]);
  }

  /** Return a section that is made when it is opened; open if there is room for its elements.
   * @param {string} title @param {number} size elements @param {() => Element[]} make
   */
  folded(title, size, make) {
    const made = document.createElement("details");
    const heading = document.createElement("summary");
    heading.textContent = title;
    made.append(heading);
    made.addEventListener("toggle", () => {
      if (made.open && made.children.length === 1) made.append(...make());
      else if (!made.open) made.replaceChildren(heading);
    });
    made.open = size <= this.left;
    if (made.open) this.left -= size;
    return made;
  }
}

addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
});

/** Return content whose long tables show the first rows, and more on demand.
 * @param {Element} content
 */
function shortened(content) {
  const shown = /** @type {Element} */ (content.cloneNode(true));
  for (const body of shown.querySelectorAll("tbody")) {
    const rest = [...body.children].slice(ROWS);
    if (!rest.length) continue;
    for (const row of rest) row.remove();
    const table = /** @type {HTMLElement} */ (body.parentElement);
    const more = document.createElement("button");
    const label = () => {
      more.textContent = `${rest.length} more rows`;
    };
    more.addEventListener("click", () => {
      const first = body.firstElementChild;
      if (body.children.length >= 3 * ROWS && first) {
        for (let row = 0; row < ROWS; row++) body.firstElementChild?.remove();
      }
      body.append(...rest.splice(0, ROWS));
      if (rest.length) label();
      else more.remove();
    });
    label();
    table.after(more);
  }
  return shown;
}
