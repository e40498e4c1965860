"use strict";
// The graph of basic blocks: blocks below each other in the order of the listing, edges beside.

const BLOCK = 22; // pixels of a block's row
const MOST_BLOCKS = 150; // drawn at once
const SHAPES = "http://www.w3.org/2000/svg";

/** @typedef {{blocks: [number, number][], edges: [number, number, string][],
 *   folds: [number, number][]}} Flow */

/** @param {string} tag @param {Record<string, string | number>} attributes */
function shape(tag, attributes) {
  const made = document.createElementNS(SHAPES, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** Return for each edge the lane that it runs in, so that no two cross the same rows in one lane.
 * @param {[number, number, string][]} edges
 */
function lanesOf(edges) {
  /** @type {[number, number][][]} */
  const lanes = [];
  const order = edges.map((_, at) => at).sort((a, b) => (
    Math.abs(edges[a][1] - edges[a][0]) - Math.abs(edges[b][1] - edges[b][0])
  ));
  const found = new Array(edges.length).fill(0);
  for (const at of order) {
    const low = Math.min(edges[at][0], edges[at][1]);
    const high = Math.max(edges[at][0], edges[at][1]);
    let lane = lanes.findIndex((taken) => taken.every(([a, b]) => high < a || low > b));
    if (lane < 0) lane = lanes.push([]) - 1;
    lanes[lane].push([low, high]);
    found[at] = lane;
  }
  return found;
}

/** Draw the graph of a listing. @param {Flow} flow @param {Index} index
 * @param {(line: number) => void} go
 */
function drawFlow(flow, index, go) {
  const blocks = flow.blocks.slice(0, MOST_BLOCKS);
  const edges = flow.edges.filter(([from, to]) => from < blocks.length && to < blocks.length);
  const beside = edges.filter(([from, to]) => to !== from + 1);
  const lanes = lanesOf(beside);
  const most = Math.min(lanes.reduce((a, b) => Math.max(a, b + 1), 0), 24);
  const wide = 300;
  const drawn = shape("svg", {
    class: "flow", width: wide + 24 + most * 10, height: blocks.length * BLOCK * 1.5 + 4,
    role: "group", "aria-label": "Basic blocks",
  });
  /** @param {number} block */
  const top = (block) => 2 + block * BLOCK * 1.5;
  blocks.forEach(([first, last], at) => {
    const group = shape("g", { tabindex: 0, role: "link" });
    const text = shape("text", { x: 10, y: top(at) + 15 });
    const lines = first === last ? `${first + 1}` : `${first + 1}–${last + 1}`;
    const shown = index.lines[first].trim();
    text.textContent = `${lines}  ${shown.length > 30 ? `${shown.slice(0, 29)}…` : shown}`;
    group.append(shape("rect", { x: 1, y: top(at), width: wide, height: BLOCK, rx: 4 }), text);
    group.addEventListener("click", () => go(first));
    group.addEventListener("keydown", (event) => {
      if (/** @type {KeyboardEvent} */ (event).key === "Enter") go(first);
    });
    drawn.append(group);
  });
  for (const [from, to, kind] of edges) {
    if (to !== from + 1) continue;
    const d = `M20 ${top(from) + BLOCK}V${top(to)}`;
    drawn.append(shape("path", { d, class: `edge ${kind}` }));
  }
  beside.forEach(([from, to, kind], at) => {
    const x = wide + 12 + Math.min(lanes[at], 23) * 10;
    const end = top(to) + 7;
    const d = `M${wide} ${top(from) + 15}H${x}V${end}H${wide + 1}m5 -3l-5 3l5 3`;
    const edge = shape("path", { d, class: `edge ${kind}${to <= from ? " back" : ""}` });
    const title = shape("title", {});
    title.textContent = kind;
    edge.append(title);
    drawn.append(edge);
  });
  const host = document.createElement("div");
  host.className = "flow-host";
  host.append(drawn);
  const left = flow.blocks.length - blocks.length;
  return left > 0 ? [host, span("about", `${left} more blocks`)] : [host];
}
