"use strict";
// The picture of a live page, its constants, and the choice of the pixel or thread to trace.

const FRAME = 100; // ms between two pictures while time passes
const LENSES = 8; // of a trace, at most

class LiveControls {
  /** @param {HTMLElement} section @param {HTMLElement} says @param {LiveClient} client
   * @param {LiveFacts} facts @param {(run: Block | null, sections: Element) => void} show
   */
  constructor(section, says, client, facts, show) {
    this.says = says;
    this.client = client;
    this.facts = facts;
    this.show = show;
    this.drawing = new Newest(() => this.draw());
    this.tracing = new Newest(() => this.trace());
    /** @type {HTMLInputElement[]} */
    this.axes = [];
    this.reveal = false; // whether the lenses are scrolled to when they are shown
    this.picture = document.createElement("img");
    this.place = span("place", "");
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.append(...this.threadFields(), actionButton("Trace", "run and trace it", () => this.chosen()));
    const controls = document.createElement("div");
    controls.className = "controls";
    controls.append(bar, this.everyLane());
    if (facts.size) {
      section.prepend(this.frame());
      bar.append(...this.sizeFields(facts.size));
      bar.append(actionButton("Redraw", "draw the picture again", () => this.drawing.ask()));
      this.drawing.ask();
    }
    controls.append(...facts.constants.map((each) => this.constant(each)), says);
    section.append(controls);
    const thread = client.state.thread ?? facts.thread;
    if (thread) this.goTo(thread);
  }

  /** Return the picture, on which a click, or the arrow keys and Enter, choose a pixel. */
  frame() {
    const frame = document.createElement("div");
    frame.className = "picture";
    frame.tabIndex = 0;
    frame.setAttribute("role", "application");
    frame.setAttribute("aria-label", "Picture: arrow keys move, Enter traces the pixel");
    this.picture.alt = "what the shader draws";
    this.picture.draggable = false;
    frame.append(this.picture, this.place);
    this.picture.addEventListener("click", (event) => {
      const { width, height } = this.picture.getBoundingClientRect();
      const x = (event.offsetX / width) * this.picture.naturalWidth;
      const y = (event.offsetY / height) * this.picture.naturalHeight;
      this.goTo([Math.max(0, Math.floor(x)), Math.max(0, Math.floor(y))]);
    });
    frame.addEventListener("keydown", (event) => {
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
        ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      if (event.key === "Enter") this.chosen();
      else if (x || y) this.mark([Number(this.axes[0].value) + x, Number(this.axes[1].value) + y]);
      else return;
      event.preventDefault();
    });
    return frame;
  }

  /** Return what runs all lanes, not only those that the trace needs. */
  everyLane() {
    const { state } = this.client;
    const bar = document.createElement("div");
    bar.className = "bar";
    const checks = document.createElement("input");
    checks.type = "checkbox";
    checks.checked = state.checks;
    checks.addEventListener("change", () => {
      state.checks = checks.checked;
      this.chosen();
    });
    const lenses = document.createElement("input");
    lenses.placeholder = "r0.xyz@17";
    lenses.spellcheck = false;
    const shown = () => {
      lenses.value = state.lenses.join(", ");
    };
    lenses.addEventListener("change", () => {
      state.lenses = lenses.value.split(",").map((each) => each.trim()).filter(Boolean);
      this.chosen();
    });
    live.lens = (place, line) => {
      const wanted = `${place}@${line}`;
      state.lenses = [...state.lenses.filter((each) => each !== wanted), wanted].slice(-LENSES);
      shown();
      this.chosen();
      this.reveal = true;
    };
    shown();
    const all = labelled("Findings and counts of lines", checks);
    all.title = "runs all pixels or threads, which takes longer";
    const lens = labelled("Lenses", lenses);
    lens.title = "places at lines, as pictures over all pixels or threads";
    bar.append(all, lens);
    return bar;
  }

  threadFields() {
    const { stage } = this.facts;
    const thread = this.client.state.thread ?? this.facts.thread;
    const names = { pixel: ["x", "y"], compute: ["x", "y", "z"], mesh: ["x", "y", "z"],
      amplification: ["x", "y", "z"] }[stage] ?? ["number"];
    const word = stage === "pixel" ? "Pixel" : names.length > 1 ? "Thread" : "Lane";
    return names.map((name, at) => {
      const input = numberField(thread?.[at] ?? 0, 0, 2 ** 31, 1);
      input.addEventListener("change", () => this.mark(this.thread()));
      input.addEventListener("keydown", (event) => event.key === "Enter" && this.chosen());
      this.axes.push(input);
      return labelled(at ? name : `${word} ${name}`, input);
    });
  }

  /** @param {[number, number]} size */
  sizeFields(size) {
    const given = this.client.state.size ?? size;
    const inputs = given.map((each) => numberField(each, 1, 2048, 1));
    for (const input of inputs) {
      input.addEventListener("change", () => {
        const [width, height] = inputs.map((each) => Math.round(Number(each.value)));
        this.client.state.size = [width, height];
        this.client.keep();
        this.drawing.ask();
      });
    }
    return [labelled("Width", inputs[0]), labelled("Height", inputs[1])];
  }

  /** Return the row of a constant: a slider and a number for each component.
   * @param {Constant} constant
   */
  constant(constant) {
    const { name, label, kind, role } = constant;
    const value = [...(this.client.state.constants[name] ?? constant.value)];
    const row = document.createElement("div");
    row.className = "constant";
    row.append(span("name", label));
    /** @type {(() => void)[]} */
    const shown = [];
    const set = () => {
      for (const each of shown) each();
      this.client.state.constants[name] = value;
      this.client.keep();
      this.drawing.ask();
    };
    if (role === "colour") row.append(colourField(label, value, set, shown));
    value.forEach((_, at) => {
      const part = value.length > 1 ? `${label}.${"xyzw"[at]}` : label;
      row.append(componentFields(part, kind, value, at, set, shown));
    });
    if (role === "time") row.append(this.play(label, value, set));
    for (const each of shown) each();
    return row;
  }

  /** Return a button that lets time pass. @param {string} name @param {number[]} value
   * @param {() => void} set
   */
  play(name, value, set) {
    let timer = 0;
    const made = actionButton("▶", `let ${name} pass`, () => {
      made.textContent = timer ? "▶" : "❚❚";
      if (timer) clearInterval(timer);
      const [began, from] = [performance.now(), value[0]];
      timer = timer ? 0 : setInterval(() => {
        if (this.drawing.running) return;
        value[0] = Math.round(1000 * from + performance.now() - began) / 1000;
        set();
      }, FRAME);
    });
    return made;
  }

  thread() {
    return this.axes.map((each) => Math.max(0, Math.round(Number(each.value)) || 0));
  }

  /** Show a pixel or thread as chosen. @param {number[]} thread */
  mark(thread) {
    const most = [this.picture.naturalWidth, this.picture.naturalHeight];
    this.axes.forEach((input, at) => {
      const last = this.facts.size && most[at] ? most[at] - 1 : 2 ** 31;
      input.value = String(Math.min(Math.max(thread[at] ?? 0, 0), last));
    });
    const [x, y] = this.thread();
    this.place.hidden = !this.facts.size || !most[0];
    this.place.style.left = `${(100 * (x + 0.5)) / most[0]}%`;
    this.place.style.top = `${(100 * (y + 0.5)) / most[1]}%`;
  }

  /** @param {number[]} thread */
  goTo(thread) {
    this.mark(thread);
    this.chosen();
  }

  chosen() {
    this.client.state.thread = this.thread();
    this.client.keep();
    this.tracing.ask();
  }

  async draw() {
    await this.told(async () => {
      const found = await this.client.run("picture");
      this.picture.src = `data:image/png;base64,${found.picture}`;
      await this.picture.decode();
      this.mark(this.thread());
      return found.notes;
    });
  }

  async trace() {
    await this.told(async () => {
      const found = await this.client.run("trace", this.thread());
      const sections = new DOMParser().parseFromString(found.sections, "text/html");
      this.show(found.block ? await Block.of(found.block) : null, sections.body);
      if (this.reveal) document.getElementById("lenses")?.scrollIntoView();
      this.reveal = false;
      return found.notes;
    });
  }

  /** Do something, and show its notes or its error. @param {() => Promise<string[]>} work */
  async told(work) {
    try {
      this.says.textContent = (await work()).join("\n");
      this.says.classList.remove("error");
    } catch (error) {
      if (error instanceof Outdated) return;
      this.says.textContent = /** @type {Error} */ (error).message;
      this.says.classList.add("error");
    }
  }
}
