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

/** @param {string} text @param {() => void} act */
function button(text, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.addEventListener("click", act);
  return made;
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
      if (index.step(node) === name) jump(index, cursor, { node });
    }
  });
}

/** Make the sections below the panes. @param {HTMLElement} host @param {Element} summary
 * @param {Block} block @param {Index} index @param {Cursor} cursor @param {Marks} marks
 */
function drawSections(host, summary, block, index, cursor, marks) {
  /** @type {Layout[]} */
  const layouts = block.values.layouts ?? [];
  const drawings = layouts.map((each) => ({
    title: each.title,
    size: 8 * Math.min(12, Math.ceil(each.size / ROW)),
    draw: () => [drawLayout(each), span("about", padding(each))],
  }));
  const sections = new Sections(host, summary, drawings);
  for (const made of host.querySelectorAll("details")) {
    if (made.firstElementChild?.textContent !== "Findings") continue;
    made.addEventListener("toggle", () => {
      const table = made.querySelector("table");
      if (table) marks.link(table, (place) => jump(index, cursor, place));
    });
  }
  /** @type {Flow} */
  const flow = block.values.flow;
  if (flow && flow.blocks.length > 1) {
    const size = 3 * Math.min(flow.blocks.length, MOST_BLOCKS) + flow.edges.length * 2;
    host.append(sections.folded("Control flow", size, () => (
      drawFlow(flow, index, (line) => jump(index, cursor, { line }))
    )));
  }
  return sections;
}

/** Make the controls of the header. @param {Index} index @param {Cursor} cursor */
function drawHeader(index, cursor) {
  const box = /** @type {HTMLElement} */ (document.getElementById("search"));
  box.hidden = false;
  const input = /** @type {HTMLInputElement} */ (box.querySelector("input"));
  const found = /** @type {HTMLElement} */ (document.getElementById("found"));
  const count = /** @type {HTMLElement} */ (document.getElementById("count"));
  const search = new SearchBox(input, found, count, index, cursor);
  const sheet = new Sheet();
  const theme = button("◐", () => switchTheme(cursor));
  theme.title = "light or dark (t)";
  theme.setAttribute("aria-label", theme.title);
  const help = button("?", () => sheet.toggle());
  help.title = "keys (?)";
  help.setAttribute("aria-label", help.title);
  box.append(theme, help);
  addEventListener("keydown", (event) => shortcuts(event, search, cursor, sheet));
  for (const tab of document.querySelectorAll("#tabs button")) {
    const name = tab.getAttribute("aria-controls") ?? "";
    tab.addEventListener("click", () => showPane(name, false));
  }
}

/** Return the line that is chosen first: where the code begins, -1 without lines of fields.
 * @param {Index} index @param {Flow | undefined} flow
 */
function firstLine(index, flow) {
  if (flow?.blocks.length) return flow.blocks[0][0];
  const code = index.lineOperation.findIndex((each) => each >= 0);
  return code >= 0 ? code : index.lineNode.findIndex((node) => node >= 0);
}

/** Set the cursor from the address. @param {Index} index @param {Cursor} cursor
 * @param {StepsPane | null} traced @param {Flow | undefined} flow
 */
function follow(index, cursor, traced, flow) {
  const { bit, line, step, thread, theme, folded } = Cursor.parse(location.hash);
  cursor.folded = new Set(folded);
  if (thread !== undefined) traced?.setThread(thread);
  const trace = traced?.trace;
  if (theme) {
    cursor.theme = theme;
    setTheme(theme);
  }
  const known = line !== undefined && line < index.lines.length ? line : undefined;
  const first = firstLine(index, flow);
  if (step !== undefined) cursor.step = step;
  if (trace && step !== undefined && step < trace.count) {
    choose(index, cursor, { line: trace.line[step] });
  } else if (bit !== undefined) {
    choose(index, cursor, { bit: Math.min(bit, Math.max(index.file.length * 8 - 1, 0)) });
    // A line of several fields, or without one, stays the chosen one.
    if (known !== undefined && known !== cursor.line) cursor.move({ line: known });
  } else if (known !== undefined) choose(index, cursor, { line: known });
  else if (trace) choose(index, cursor, { line: trace.line[0] });
  else if (first >= 0) choose(index, cursor, { line: first });
  else choose(index, cursor, { bit: 0 });
}

/** Print the whole listing, which the panes show in part. @param {Index} index */
function printWhole(index) {
  const printed = document.createElement("pre");
  printed.id = "printed";
  document.querySelector("main")?.append(printed);
  addEventListener("beforeprint", () => printed.replaceChildren(index.lines.join("\n")));
  addEventListener("afterprint", () => printed.replaceChildren());
}

/** Return the page without its script, and its block: its own, or those that a server sends. */
async function parts() {
  const page = live.parts ? await live.parts() : document;
  const packed = /** @type {HTMLElement} */ (page.getElementById("block"));
  const block = await Block.of(packed.textContent ?? "");
  packed.remove();
  if (page !== document) return { kept: page, block };
  const held = /** @type {HTMLElement} */ (document.getElementById("without-script"));
  return { kept: new DOMParser().parseFromString(held.textContent ?? "", "text/html"), block };
}

/** Tell whether a run took the steps that are shown already. @param {StepsPane | null} traced
 * @param {Block} run
 */
function sameSteps(traced, run) {
  if (!traced) return false;
  const lines = [...new Trace(run, run.values.traces.shown).line];
  const known = traced.trace.line;
  return lines.length === known.length && lines.every((line, at) => line === known[at]);
}

/** Make the panes and the sections below them. @param {Document} kept @param {Block} block
 * @param {Index} index @param {Cursor} cursor
 */
function panes(kept, block, index, cursor) {
  const marks = new Marks(index, block.values.findings ?? []);
  const card = new Card();
  /** @param {string} name */
  const pane = (name) => /** @type {HTMLElement} */ (document.querySelector(`#${name} .body`));
  const counts = block.values.branches ? new Counts(block) : null;
  new HexPane(pane("hex"), index, cursor, marks);
  new TreePane(pane("tree"), index, cursor, marks);
  const code = new ListingPane(pane("listing"), index, cursor, block, marks, card, counts);
  new ValuesPane(pane("values"), index, cursor, code, marks);
  const traced = block.values.traces ? tracePane(index, cursor, block) : null;
  const sources = block.values.sources
    ? new SourcesPane(pane("sources"), index, cursor, block, traced, counts) : null;
  if (block.values.lenses) showLenses(block);
  const against = block.values.against || live.parts
    ? new AgainstPane(pane("against"), index, cursor) : null;
  against?.set(block, traced);
  const summary = kept.getElementById("summary");
  const overview = document.getElementById("overview");
  if (summary && overview) drawSections(overview, summary, block, index, cursor, marks);
  drawMap(kept, index, cursor);
  drawHeader(index, cursor);
  printWhole(index);
  showPane(traced ? "values" : "tree", false);
  return { code, traced, sources, against };
}

async function main() {
  const { kept, block } = await parts();
  const listing = kept.getElementById("listing-text")?.textContent ?? "";
  const index = new Index(block, listing ? listing.split("\n") : []);
  const cursor = new Cursor();
  const { flow } = block.values;
  const made = Rows.together(() => {
    const all = panes(kept, block, index, cursor);
    follow(index, cursor, all.traced, flow);
    return all;
  });
  const { code, sources, against } = made;
  let { traced } = made;
  addEventListener("popstate", () => follow(index, cursor, traced, flow));
  live.shown((run, sections) => {
    const records = /** @type {HTMLElement} */ (document.getElementById("records"));
    records.replaceChildren();
    new Sections(records, sections);
    const step = run && sameSteps(traced, run) ? cursor.step : 0;
    traced?.end();
    traced = run && tracePane(index, cursor, run);
    const found = run?.values.branches ? new Counts(run) : null;
    code.count(found);
    sources?.count(traced, found);
    against?.set(run, traced);
    showLenses(run);
    if (!traced) return;
    showPane("values", false);
    if (step) traced.go(step);
    else if (cursor.line >= 0 && traced.trace.line.includes(cursor.line)) cursor.move({});
    else traced.go(0);
  });
  document.documentElement.dataset.ready = "true";
  performance.mark("ready");
}

main();
