"use strict";
// Lenses: a place after a line as a picture over all lanes, with its numbers under the pointer.

/**
 * @typedef {object} LensFacts
 * @property {string} title
 * @property {string[]} components
 * @property {number} width
 * @property {number} height
 * @property {string} kind float, int or uint
 * @property {number | string} minimum
 * @property {number | string} maximum
 * @property {number} nans
 * @property {number} left lanes that did not run the line
 */

const LENS_MAPS = [["grey", "grey"], ["ramp", "blue to red"], ["signed", "sign"], ["colour", "colour"]];
const LENS_WIDTH = 480; // pixels of a picture at least, in whole multiples

class LensPicture {
  /** @param {Block} block @param {number} number */
  constructor(block, number) {
    const { all, stops, marks } = block.values.lenses;
    /** @type {LensFacts} */
    this.facts = all[number];
    /** @type {Record<string, number[][]>} */
    this.stops = stops;
    /** @type {Record<string, number[]>} */
    this.marks = marks;
    const bytes = block.raw(`lens${number}.numbers`).slice();
    const { buffer } = bytes;
    const { kind } = this.facts;
    this.numbers = kind === "float" ? new Float32Array(buffer)
      : kind === "int" ? new Int32Array(buffer) : new Uint32Array(buffer);
    this.reached = block.raw(`lens${number}.reached`);
    const { width, height, title, components } = this.facts;
    this.host = element("figure", "lens");
    const heading = element("figcaption", "");
    const maps = LENS_MAPS.filter(([name]) => name !== "colour" || components.length >= 3);
    this.map = choice(`colours of ${title}`, maps);
    this.map.addEventListener("change", () => this.draw());
    heading.append(span("name", title), this.map);
    this.canvas = element("canvas", "");
    this.canvas.width = width;
    this.canvas.height = height;
    this.canvas.tabIndex = 0;
    this.canvas.setAttribute("role", "img");
    const scale = Math.max(1, Math.floor(LENS_WIDTH / width));
    this.canvas.style.width = `${width * scale}px`;
    this.under = span("under", "");
    this.under.setAttribute("aria-live", "polite");
    this.at = [0, 0];
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.host.append(heading, this.canvas, span("about", this.about()), this.under);
    this.canvas.setAttribute("aria-label", `${title}: ${this.about()}`);
    this.draw();
  }

  /** Return the range of the numbers, and how many are none. */
  about() {
    const { width, height, minimum, maximum, nans, left } = this.facts;
    const parts = [`${width} × ${height}`, `minimum ${lensNumber(minimum)}`,
      `maximum ${lensNumber(maximum)}`, `${nans.toLocaleString("en")} NaN`];
    if (left) parts.push(`${left.toLocaleString("en")} not reached`);
    return parts.join(", ");
  }

  draw() {
    const { width, height, components } = this.facts;
    const context = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext("2d"));
    const image = context.createImageData(width, height);
    for (let lane = 0; lane < width * height; lane++) {
      const own = this.numbers.subarray(lane * components.length, (lane + 1) * components.length);
      image.data.set(this.reached[lane] ? this.colour(own) : this.marks.left, 4 * lane);
      image.data[4 * lane + 3] = 255;
    }
    context.putImageData(image, 0, 0);
  }

  /** Return red, green and blue of a lane. @param {ArrayLike<number>} own its numbers */
  colour(own) {
    const numbers = Array.from(own);
    if (numbers.some(Number.isNaN)) return this.marks.nan;
    if (numbers.some((each) => !Number.isFinite(each))) return this.marks.infinite;
    if (this.map.value === "colour") return numbers.slice(0, 3).map((each) => 255 * each);
    let least = Number(this.facts.minimum);
    let most = Number(this.facts.maximum);
    if (this.map.value === "signed") {
      most = Math.max(Math.abs(least), Math.abs(most));
      least = -most;
    }
    const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    const stops = this.stops[this.map.value];
    const where = most > least ? (mean - least) / (most - least) : 0.5;
    const place = Math.min(Math.max(where, 0), 1) * (stops.length - 1);
    const stop = Math.min(Math.floor(place), stops.length - 2);
    return stops[stop].map((each, at) => each + (stops[stop + 1][at] - each) * (place - stop));
  }

  /** @param {PointerEvent} event */
  point(event) {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this.facts;
    this.show(
      Math.floor(((event.clientX - box.left) / box.width) * width),
      Math.floor(((event.clientY - box.top) / box.height) * height),
    );
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number[]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    this.show(this.at[0] + step[0], this.at[1] + step[1]);
  }

  /** Show the numbers of a lane. @param {number} column @param {number} row */
  show(column, row) {
    const { width, height, components } = this.facts;
    const x = Math.min(Math.max(column, 0), width - 1);
    const y = Math.min(Math.max(row, 0), height - 1);
    this.at = [x, y];
    const lane = y * width + x;
    const text = components.map((name, at) => {
      const number = this.numbers[lane * components.length + at];
      return `${name} ${this.facts.kind === "float" ? shortest(number) : number}`;
    });
    this.under.textContent = `(${x}, ${y})  ${this.reached[lane] ? text.join("  ") : "not reached"}`;
  }
}

/** Return a number in few digits, or the text of one that JSON lacks. @param {number | string} given */
function lensNumber(given) {
  return typeof given === "number" ? short(given) : given;
}

/** Show the lenses of a run; nothing without one. @param {Block | null} block */
function showLenses(block) {
  const host = document.getElementById("lenses");
  if (!host) return;
  host.hidden = !block?.values.lenses;
  host.replaceChildren();
  if (!block?.values.lenses) return;
  const heading = element("h2", "");
  heading.textContent = "Lenses";
  /** @type {LensFacts[]} */
  const all = block.values.lenses.all;
  host.append(heading, ...all.map((_, number) => new LensPicture(block, number).host));
}
