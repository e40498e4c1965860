"use strict";
// The page: the block is read, the panes are made, the cursor is set from the address.

const COLOURS = 8; // of fields, in page.css

/** Return where the items of each row start. @param {Numbers} counts */
function starts(counts) {
  const found = new Int32Array(counts.length + 1);
  for (let at = 0; at < counts.length; at++) found[at + 1] = found[at] + counts[at];
  return found;
}

/** Return the class of a field's colour, by its name. @param {Index} index @param {number} node */
function colour(index, node) {
  let at = node;
  while (index.name[at] < 0 && index.up[at]) at -= index.up[at];
  return `f${(index.name[at] * 7) % COLOURS}`;
}

/** @type {WeakMap<HTMLElement, number>} */
const widths = new WeakMap();

/** Return the width of a letter in an element, whose font is monospaced. @param {HTMLElement} host */
function letterWidth(host) {
  const known = widths.get(host);
  if (known) return known;
  const probe = span("probe", "0".repeat(50));
  host.append(probe);
  const width = probe.getBoundingClientRect().width / 50;
  probe.remove();
  widths.set(host, width);
  return width;
}

/** Move the cursor to a bit, a node or a line, and the others of these to what belongs to it.
 * @param {Index} index @param {Cursor} cursor
 * @param {{bit?: number, node?: number, line?: number, register?: number}} place
 */
function choose(index, cursor, place) {
  let { bit, node, line } = place;
  if (bit !== undefined) node = bit % 8 ? index.at(bit) : index.atByte(bit / 8);
  else if (node === undefined && line !== undefined) node = index.lineNode[line];
  if (line === undefined) line = node === undefined || node < 0 ? -1 : index.lineOf[node];
  if (bit === undefined) bit = node === undefined || node < 0 ? cursor.bit : index.start[node];
  const register = place.register ?? -1;
  cursor.move({ bit, node: node ?? -1, line, register });
}

/** Show the map of the file's parts above the panes. @param {Document} kept @param {Index} index
 * @param {Cursor} cursor
 */
function drawMap(kept, index, cursor) {
  const map = document.getElementById("map");
  const drawn = kept.querySelector("#map-kept > *");
  if (!map || !drawn) return;
  map.append(document.adoptNode(drawn));
  map.addEventListener("click", (event) => {
    const name = /** @type {HTMLElement} */ (event.target).textContent ?? "";
    for (let node = 0; node < index.count; node = index.after[node]) {
      if (index.step(node) === name) choose(index, cursor, { node });
    }
  });
}

/** Keys that work everywhere: / searches, 1 to 4 go to a pane. @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 */
function shortcuts(event, input) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (document.activeElement === input) return;
  const pane = { 1: "listing", 2: "tree", 3: "hex", 4: "values" }[event.key];
  if (event.key === "/") input.focus();
  else if (pane) /** @type {HTMLElement} */ (document.querySelector(`#${pane} .body`)).focus();
  else return;
  event.preventDefault();
}

async function main() {
  const held = /** @type {HTMLElement} */ (document.getElementById("without-script"));
  const kept = new DOMParser().parseFromString(held.textContent ?? "", "text/html");
  const listing = kept.getElementById("listing-text")?.textContent ?? "";
  const packed = /** @type {HTMLElement} */ (document.getElementById("block"));
  const block = await Block.of((packed.textContent ?? "").trim());
  packed.remove();
  const index = new Index(block, listing ? listing.replace(/^\n/, "").split("\n") : []);
  const cursor = new Cursor();
  /** @param {string} name */
  const pane = (name) => /** @type {HTMLElement} */ (document.querySelector(`#${name} .body`));
  const panes = {
    hex: new HexPane(pane("hex"), index, cursor),
    tree: new TreePane(pane("tree"), index, cursor),
    listing: new ListingPane(pane("listing"), index, cursor, block),
    values: new ValuesPane(pane("values"), index, cursor),
  };
  const traced = block.values.traces ? tracePane(index, cursor, block) : null;
  const summary = kept.getElementById("summary");
  const overview = document.getElementById("overview");
  if (summary && overview) new Sections(overview, summary);
  drawMap(kept, index, cursor);
  const box = /** @type {HTMLElement} */ (document.getElementById("search"));
  box.hidden = false;
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  const found = /** @type {HTMLElement} */ (document.getElementById("found"));
  new SearchBox(input, found, index, cursor);
  addEventListener("keydown", (event) => shortcuts(event, input));
  const follow = () => {
    const { bit, line, step, thread } = Cursor.parse(location.hash);
    if (thread !== undefined) traced?.setThread(thread);
    const trace = traced?.trace;
    if (step !== undefined) cursor.step = step;
    const first = index.lineNode.findIndex((node) => node >= 0);
    if (bit !== undefined && step === undefined) choose(index, cursor, { bit });
    else if (trace && step !== undefined && step < trace.count) {
      choose(index, cursor, { line: trace.line[step] });
    } else if (line !== undefined && line < index.lines.length) choose(index, cursor, { line });
    else if (trace) choose(index, cursor, { line: trace.line[0] });
    else if (first >= 0) choose(index, cursor, { line: first });
    else choose(index, cursor, { bit: 0 });
  };
  follow();
  addEventListener("hashchange", follow);
  document.documentElement.dataset.ready = "true";
  return panes;
}

main();
