"use strict";
// A page that a server on this machine answers: the token, requests, and what a tab remembers.

const STORED = "unshade"; // in the memory of the tab, which ends with it
const PATIENCE = 1000; // ms until a newer request no longer waits for an older one

/** @typedef {{name: string, label: string, kind: string, value: number[], role: string}} Constant */
/** @typedef {{
 *   stage: string, size: [number, number] | null, thread: number[] | null, constants: Constant[],
 * }} LiveFacts
 */
/** @typedef {{
 *   token: string, client: string, constants: Record<string, number[]>,
 *   size: [number, number] | null, thread: number[] | null, checks: boolean, lenses: string[],
 * }} LiveState
 */

/** Return what this tab remembers, with the token of the address, which is then removed from it.
 * @returns {LiveState}
 */
function remembered() {
  /** @type {LiveState} */
  const state = {
    token: "", client: "", constants: {}, size: null, thread: null, checks: false, lenses: [],
  };
  try {
    Object.assign(state, JSON.parse(sessionStorage.getItem(STORED) ?? "{}"));
  } catch {
    // nothing that this page wrote
  }
  const places = new URLSearchParams(location.hash.slice(1));
  const token = places.get("token");
  if (token !== null) {
    if (token !== state.token) {
      Object.assign(state, { constants: {}, size: null, thread: null, checks: false, lenses: [] });
    }
    state.token = token;
    places.delete("token");
    history.replaceState(null, "", `${location.pathname}#${places}`);
  }
  state.client ||= crypto.randomUUID();
  return state;
}

class LiveClient {
  constructor() {
    this.state = remembered();
    this.keep();
  }

  keep() {
    sessionStorage.setItem(STORED, JSON.stringify(this.state));
  }

  /** Return the answer to a request; an error with its message if there is none.
   * @param {string} kind @param {object} body @returns {Promise<any>}
   */
  async ask(kind, body) {
    const answer = await fetch(`/${kind}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Unshade-Token": this.state.token },
      body: JSON.stringify(body),
      cache: "no-store",
      redirect: "error",
    }).catch(() => null);
    if (!answer) throw new Error("the server does not answer: it has ended, or is busy");
    const data = await answer.json();
    if (answer.status === 409) throw new Outdated();
    if (!answer.ok) throw new Error(data.error);
    return data;
  }

  /** Ask for a run with the constants and the size that were chosen.
   * @param {"picture" | "trace"} kind @param {number[]} [thread]
   */
  run(kind, thread) {
    const { client, constants, size, checks, lenses } = this.state;
    const body = { client, constants, ...(size && { size }),
      ...(thread && { thread, checks, lenses }) };
    return this.ask(kind, body);
  }

  /** Load the page again when a file has changed. @param {number} version */
  async follow(version) {
    for (;;) {
      const found = await this.ask("changes", { version }).catch(() => null);
      if (!found) await new Promise((done) => setTimeout(done, 2000));
      else if (found.version !== version) location.reload();
    }
  }
}

class Outdated extends Error {}

/** One request at a time of those that replace each other, and the newest after it. */
class Newest {
  /** @param {() => Promise<void>} work */
  constructor(work) {
    this.work = work;
    this.running = 0;
    this.wanted = false;
    this.since = 0;
  }

  ask() {
    if (this.running && performance.now() - this.since < PATIENCE) {
      this.wanted = true;
      return;
    }
    this.wanted = false;
    this.running++;
    this.since = performance.now();
    this.work().finally(() => {
      this.running--;
      if (this.wanted) this.ask();
    });
  }
}

/** Put the parts that the server sends into the page. @param {LiveClient} client */
function answered(client) {
  const section = /** @type {HTMLElement} */ (document.getElementById("live"));
  const says = document.createElement("p");
  says.className = "says";
  says.setAttribute("role", "status");
  section.append(says);
  section.hidden = false;
  /** @type {any} */
  let found = null;
  live.parts = async () => {
    says.textContent = "The shader is opened …";
    try {
      found = await client.ask("page", { client: client.state.client });
    } catch (error) {
      says.textContent = /** @type {Error} */ (error).message;
      throw error;
    }
    says.textContent = "";
    client.follow(found.version);
    const page = new DOMParser().parseFromString(found.page, "text/html");
    document.title = page.title;
    for (const place of ["header h1", "header p"]) {
      const [mine, other] = [document, page].map((each) => each.querySelector(place));
      if (mine && other) mine.textContent = other.textContent;
    }
    return page;
  };
  live.shown = (show) => {
    new LiveControls(section, says, client, found.facts, show);
  };
}

answered(new LiveClient());
