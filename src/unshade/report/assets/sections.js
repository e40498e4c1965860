"use strict";
// The sections below the panes: made from what the page shows without a script, one by one.

const NODES = 900; // elements of sections that are open from the start
const ROWS = 60; // of a table; the rest is shown on demand

class Sections {
  /** @param {HTMLElement} host @param {Element} summary elements: a heading, then its content */
  constructor(host, summary) {
    this.left = NODES;
    /** @type {Element[]} */
    let content = [];
    for (const each of [...summary.children].reverse()) {
      content.unshift(each);
      if (each.tagName !== "H4") continue;
      content.shift();
      host.prepend(this.section(each.textContent ?? "", content));
      content = [];
    }
    host.prepend(...content);
    addEventListener("beforeprint", () => {
      for (const each of host.querySelectorAll("details")) each.open = true;
    });
  }

  /** @param {string} title @param {Element[]} content */
  section(title, content) {
    const made = document.createElement("details");
    const heading = document.createElement("summary");
    heading.textContent = title;
    made.append(heading);
    const size = content.reduce((sum, each) => sum + each.getElementsByTagName("*").length + 1, 0);
    made.addEventListener("toggle", () => {
      if (made.open && made.children.length === 1) made.append(...content.map(shortened));
      else if (!made.open) made.replaceChildren(heading);
    });
    made.open = size <= this.left;
    if (made.open) this.left -= size;
    return made;
  }
}

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
