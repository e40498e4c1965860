"use strict";
// The values at a step: what it reads and writes, then all others, components beside each other.

/** Components of one place: its name without them, and an access of each.
 * @typedef {{name: string, accesses: number[], own: boolean, wrote: boolean}} PlaceRow
 */

const PARTS = /^(.*)\.([xyzw])$/;

/** Return a row for each place of some accesses, in their order.
 * @param {Trace} trace @param {number[]} accesses @param {boolean} own of the step itself
 * @returns {PlaceRow[]}
 */
function placeRows(trace, accesses, own) {
  /** @type {Map<string, PlaceRow>} */
  const rows = new Map();
  for (const at of accesses) {
    const whole = trace.places[trace.place[at]];
    const wrote = own && (trace.flags[at] & WRITES) !== 0;
    const name = PARTS.exec(whole)?.[1] ?? whole;
    const key = `${wrote} ${name}`;
    const row = rows.get(key) ?? { name, accesses: [], own, wrote };
    row.accesses.push(at);
    rows.set(key, row);
  }
  for (const row of rows.values()) {
    row.accesses.sort((a, b) => letterOf(trace, a) - letterOf(trace, b));
    const letters = row.accesses.map((at) => PARTS.exec(trace.places[trace.place[at]])?.[2] ?? "");
    if (letters.some(Boolean)) row.name += `.${letters.join("")}`;
  }
  return [...rows.values()];
}

/** @param {Trace} trace @param {number} at */
function letterOf(trace, at) {
  return "xyzw".indexOf(PARTS.exec(trace.places[trace.place[at]])?.[2] ?? "");
}

/** Return the names in the source of a row's components, what they share once.
 * @param {Trace} trace @param {PlaceRow} row
 */
function labelOf(trace, row) {
  const labels = [...new Set(row.accesses.map((at) => trace.strings[trace.label[trace.place[at]]]))]
    .filter(Boolean);
  const parts = labels.map((each) => PARTS.exec(each));
  if (labels.length > 1 && parts.every((each) => each && each[1] === parts[0]?.[1])) {
    return `${parts[0]?.[1]}.${parts.map((each) => each?.[2]).join("")}`;
  }
  return labels.join(", ");
}

/** Return the colour of a row of at least three floats, "" for others.
 * @param {Trace} trace @param {PlaceRow} row
 */
function colourOf(trace, row) {
  const numbers = row.accesses.filter((at) => trace.kinds[trace.kind[at]] === "float"
    && !(trace.flags[at] & UNDEFINED)).map((at) => trace.number(at));
  if (numbers.length < 3 || !numbers.every(Number.isFinite)) return "";
  const parts = numbers.slice(0, 3).map((each) => Math.round(255 * Math.min(Math.max(each, 0), 1)));
  return `rgb(${parts.join(" ")})`;
}

/** Fill a row of the list. @param {Trace} trace @param {HTMLElement} host @param {PlaceRow} row
 * @param {string} form of numbers
 */
function fillPlace(trace, host, row, form) {
  const label = labelOf(trace, row);
  const colour = colourOf(trace, row);
  const swatch = span("swatch", "");
  if (colour) swatch.style.background = colour;
  else swatch.classList.add("none");
  const pieces = [
    span("mark", row.wrote ? "→" : ""), span("name", row.name), swatch, span("label", label),
  ];
  for (const at of row.accesses) pieces.push(valueButton(trace, at, form));
  const olds = row.accesses.filter((at) => row.wrote && !(trace.flags[at] & NEW));
  if (olds.length) {
    const old = olds.map((at) => trace.value(at, form, true));
    pieces.push(span("was", `was ${old.join(" ")}`));
  }
  host.className = `row${row.own ? " own" : ""}${row.wrote ? " wrote" : ""}`;
  host.replaceChildren(...pieces);
}

/** @param {Trace} trace @param {number} at @param {string} form */
function valueButton(trace, at, form) {
  const made = document.createElement("button");
  made.className = "number-value";
  made.dataset.at = String(at);
  made.textContent = trace.value(at, form);
  if (trace.flags[at] & UNDEFINED) made.classList.add("undefined");
  else if (trace.isNaN(at)) made.classList.add("bad");
  const bits = hexText(trace.low[at], trace.high[at], trace.size[at]);
  made.title = `${trace.places[trace.place[at]]} ${bits}: where it comes from`;
  return made;
}
