"use strict";
// A list of any length in a constant number of elements: rows are made once and filled anew.

const TALLEST = 4e6; // pixels of a scrolled element; browsers stop near 2^24

class Rows {
  /** Lists that are filled at the end of `Rows.together`. @type {Set<Rows> | null} */
  static waiting = null;

  /** Scroll lists first, then fill each of them once: scrolling a list that is being filled makes
   * the browser lay out anew. @template T @param {() => T} act @returns {T} what `act` returns
   */
  static together(act) {
    if (Rows.waiting) return act();
    Rows.waiting = new Set();
    const found = act();
    const lists = Rows.waiting;
    Rows.waiting = null;
    for (const list of lists) list.render();
    return found;
  }

  /**
   * @param {HTMLElement} host the element that scrolls
   * @param {object} options
   * @param {number} options.height pixels of a row
   * @param {number} options.most rows that are ever shown at once
   * @param {(row: HTMLElement, index: number) => void} options.fill
   */
  constructor(host, { height, most, fill }) {
    this.host = host;
    this.height = height;
    this.most = most;
    this.fill = fill;
    this.count = 0;
    this.first = 0;
    /** @type {HTMLElement[]} */
    this.pool = [];
    this.space = document.createElement("div");
    this.space.className = "space";
    this.layer = document.createElement("div");
    this.layer.className = "layer";
    this.space.append(this.layer);
    host.append(this.space);
    this.moving = false; // the scroll position is set by this object
    // Asking the browser for sizes makes it lay out anew: the height is asked for once, by the
    // first list that scrolls after all panes are made; later both are known from its events.
    /** @type {number | null} */
    this.known = null;
    this.top = 0;
    host.addEventListener("scroll", () => this.scrolled());
    host.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    new ResizeObserver(() => {
      this.known = host.clientHeight;
      this.top = host.scrollTop;
      this.resize();
      this.show(this.first); // a list that was hidden could not scroll
    }).observe(host);
  }

  /** The pixels of the list that are seen. */
  get tall() {
    this.known ??= this.host.clientHeight;
    return this.known;
  }

  get scaled() {
    return this.count * this.height > TALLEST;
  }

  /** The number of rows that fit. */
  get room() {
    return Math.max(1, Math.min(this.most, Math.floor(this.tall / this.height)));
  }

  /** @param {number} count */
  set(count) {
    this.count = count;
    this.resize();
  }

  resize() {
    const height = Math.min(this.count * this.height, TALLEST);
    this.space.style.height = `${height}px`;
    this.render();
  }

  scrolled() {
    if (this.moving) {
      this.moving = false;
      this.top = this.host.scrollTop;
      return;
    }
    const { scrollTop, scrollHeight } = this.host;
    this.top = scrollTop;
    const share = scrollTop / Math.max(1, scrollHeight - this.tall);
    const last = Math.max(0, this.count - this.room);
    this.first = this.scaled ? Math.round(share * last) : Math.floor(scrollTop / this.height);
    this.render();
  }

  /** Where the scroll position is scaled, a step of the wheel is still a few rows.
   * @param {WheelEvent} event
   */
  wheel(event) {
    if (!this.scaled) return;
    event.preventDefault();
    this.show(this.first + Math.sign(event.deltaY) * Math.max(1, Math.abs(event.deltaY) / 40));
  }

  /** Set the first row that is shown. @param {number} first */
  show(first) {
    const last = Math.max(0, this.count - this.room);
    this.first = Math.round(Math.min(Math.max(first, 0), last));
    const top = this.scaled
      ? (this.first / Math.max(1, last)) * (TALLEST - this.tall)
      : Math.max(0, Math.min(this.first * this.height, this.count * this.height - this.tall));
    if (this.tall && Math.abs(top - this.top) >= 1) {
      this.moving = true;
      this.host.scrollTop = top;
      this.top = top;
    }
    this.render();
  }

  /** Scroll as little as needed for a row to be seen. @param {number} index */
  reveal(index) {
    if (index < this.first + 1 || index >= this.first + this.room - 1) {
      this.show(index - Math.floor(this.room / 3));
    } else {
      this.render();
    }
  }

  render() {
    if (Rows.waiting) {
      Rows.waiting.add(this);
      return;
    }
    const wanted = Math.min(this.count, this.room + 1);
    while (this.pool.length < wanted) {
      const row = document.createElement("div");
      row.className = "row";
      this.layer.append(row);
      this.pool.push(row);
    }
    const first = Math.min(this.first, Math.max(0, this.count - wanted));
    // At the end of a scaled list there is one row more above, so that the last one is not below.
    const top = this.scaled
      ? this.top - (this.first - first) * this.height
      : first * this.height;
    this.layer.style.transform = `translateY(${top}px)`;
    this.pool.forEach((row, at) => {
      row.hidden = at >= wanted;
      if (at < wanted) this.fill(row, first + at);
    });
  }
}
