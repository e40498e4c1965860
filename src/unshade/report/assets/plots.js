"use strict";
// A graph over the steps of a trace: one canvas, with the step of the cursor and marked steps.

class Plot {
  /** @param {HTMLElement} host @param {number} height pixels
   * @param {(step: number) => void} pick called with the step that is pointed at
   */
  constructor(host, height, pick) {
    this.canvas = document.createElement("canvas");
    this.canvas.className = "plot";
    this.canvas.setAttribute("role", "img");
    this.canvas.style.height = `${height}px`;
    host.append(this.canvas);
    this.height = height;
    this.back = document.createElement("canvas");
    /** A number for each step; NaN is drawn at the bottom. @type {Numbers} */
    this.numbers = new Float64Array(0);
    this.dots = false;
    /** @type {number[]} */
    this.marks = [];
    this.step = 0;
    this.pointer = ""; // the colour of the cursor
    this.start = 0; // the first step that has a value
    const go = (/** @type {PointerEvent} */ event) => {
      const { left, width } = this.canvas.getBoundingClientRect();
      const share = (event.clientX - left) / Math.max(1, width);
      pick(Math.min(Math.max(Math.floor(share * this.numbers.length), 0), this.numbers.length - 1));
    };
    this.canvas.addEventListener("pointerdown", go);
    this.canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
  }

  /** Show other numbers. @param {string} label @param {Numbers} numbers @param {boolean} dots
   * @param {number[]} [marks] steps
   */
  set(label, numbers, dots, marks = []) {
    this.canvas.setAttribute("aria-label", label);
    this.canvas.title = label;
    this.numbers = numbers;
    this.dots = dots;
    this.marks = marks;
    this.draw();
  }

  /** Move the cursor. @param {number} step */
  at(step) {
    this.step = step;
    const { canvas } = this;
    const context = canvas.getContext("2d");
    if (!context || !canvas.width || !this.numbers.length) return;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.drawImage(this.back, 0, 0);
    context.fillStyle = this.pointer;
    const x = ((step + 0.5) / this.numbers.length) * canvas.width;
    context.fillRect(Math.round(x) - 1, 0, 2 * devicePixelRatio, canvas.height);
  }

  /** @param {string} name */
  colour(name) {
    const probe = span("", "");
    probe.style.color = `var(${name})`;
    this.canvas.after(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  }

  draw() {
    const width = Math.round(this.canvas.clientWidth * devicePixelRatio);
    const height = Math.round(this.height * devicePixelRatio);
    if (!width) return;
    for (const each of [this.canvas, this.back]) [each.width, each.height] = [width, height];
    const context = this.back.getContext("2d");
    if (!context) return;
    this.pointer = this.colour("--cursor");
    context.fillStyle = this.colour("--mark");
    for (const step of this.marks) {
      context.fillRect(Math.floor(((step + 0.5) / this.numbers.length) * width), 0, 1, height);
    }
    this.columns(context, width, height);
    this.at(this.step);
  }

  /** Draw the numbers: dots, or from the least to the most of each column of pixels.
   * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height
   */
  columns(context, width, height) {
    const { numbers } = this;
    const [least, most] = finiteRange(numbers);
    const high = height - 6 * devicePixelRatio;
    const scale = most > least ? high / (most - least) : 0;
    const level = (/** @type {number} */ number) => 3 * devicePixelRatio
      + (scale ? (this.dots ? number - least : most - number) * scale : high / 2);
    const thick = Math.max(1, Math.round(devicePixelRatio));
    const plain = this.colour("--plot");
    const bad = this.colour("--bad");
    let before = NaN;
    for (let x = 0, step = 0; x < width && step < numbers.length; x++) {
      const end = Math.max(step + 1, Math.floor(((x + 1) / width) * numbers.length));
      const last = numbers.length >= width ? end : Math.floor((x / width) * numbers.length) + 1;
      const first = numbers.length >= width ? step : last - 1;
      let [low, top, wrong] = [Infinity, -Infinity, false];
      const seen = new Set();
      for (let at = first; at < last && at < numbers.length; at++) {
        const number = numbers[at];
        if (Number.isFinite(number)) {
          low = Math.min(low, number);
          top = Math.max(top, number);
          if (this.dots) seen.add(Math.round(level(number)));
        } else wrong = true;
      }
      context.fillStyle = plain;
      if (this.dots) for (const y of seen) context.fillRect(x, y, thick, thick + 1);
      else if (low <= top) {
        const from = Number.isFinite(before) ? Math.min(low, before) : low;
        const to = Number.isFinite(before) ? Math.max(top, before) : top;
        const [upper, lower] = [level(to), level(from)];
        context.fillRect(x, upper, thick, Math.max(thick + 1, lower - upper));
        before = numbers[Math.min(last, numbers.length) - 1];
      }
      if (wrong && !this.dots && first >= this.start) {
        context.fillStyle = bad;
        context.fillRect(x, height - 3 * thick, thick, 3 * thick);
      }
      step = numbers.length >= width ? end : step;
    }
  }
}

/** @param {Numbers} numbers @returns {[number, number]} */
function finiteRange(numbers) {
  let [least, most] = [Infinity, -Infinity];
  for (const each of numbers) {
    if (!Number.isFinite(each)) continue;
    if (each < least) least = each;
    if (each > most) most = each;
  }
  return [least, most];
}

/** Return the value of a place behind each step, and the first step that has one.
 * @param {Trace} trace @param {number} place @returns {[Float64Array, number]}
 */
function valuesOver(trace, place) {
  const found = new Float64Array(trace.count).fill(NaN);
  let [value, start] = [NaN, trace.count];
  for (let step = 0; step < trace.count; step++) {
    for (let at = trace.firstAccess[step]; at < trace.firstAccess[step + 1]; at++) {
      if (trace.place[at] !== place || trace.flags[at] & UNDEFINED) continue;
      value = trace.number(at);
      start = Math.min(start, step);
    }
    found[step] = value;
  }
  return [found, start];
}
