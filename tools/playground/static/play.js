"use strict";
// The page of the playground. What is shown is one file, `now`; `first` is that file as it was
// opened. Everything else is asked of the worker, which is ended and started anew by Stop.

/** @typedef {{name: string, data: Uint8Array, format: string}} Shown */

/** @template {HTMLElement} T @param {string} id @param {new () => T} kind @returns {T} */
function element(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`no ${id}`);
  return found;
}

const button = (/** @type {string} */ id) => element(id, HTMLButtonElement);
const box = (/** @type {string} */ id) => element(id, HTMLElement);
const text = element("text", HTMLTextAreaElement);
const progress = element("progress", HTMLProgressElement);
const line = element("command", HTMLInputElement);
const said = box("said");

/** @type {Shown | null} */
let now = null;
/** @type {Shown | null} */
let first = null;
let shownText = "";
/** Pictures, arrays and meshes, which command lines name. @type {Map<string, Uint8Array>} */
const kept = new Map();
const KEPT = /\.(npy|npz|png|jpe?g|exr|hdr|dds|ktx2?|obj|gltf|glb|stl|ply|bin|csv|yaml)$/i;
/** @type {Worker} */
let worker;
let calls = 0;
/** @type {Map<number, (value: any) => void>} */
const waiting = new Map();

// ---------------------------------------------------------------- the worker

function start() {
  worker = new Worker("worker.js", { type: "module" });
  document.documentElement.removeAttribute("data-ready");
  busy(true, "Loading…");
  worker.onmessage = ({ data }) => {
    if (data.stage !== undefined) {
      progress.max = data.of;
      progress.value = data.stage;
      said.textContent = data.words;
    } else if (data.done !== undefined) {
      progress.max = data.total;
      progress.value = data.done;
    } else if (data.ready) {
      box("without-numpy").hidden = data.runs;
      document.documentElement.setAttribute("data-ready", "");
      if (waiting.size === 0) busy(false, "Ready.");
    } else if (data.failed) {
      busy(false, data.failed);
    } else {
      waiting.get(data.id)?.(data.value);
      waiting.delete(data.id);
    }
  };
  worker.onerror = (event) => busy(false, `The worker failed: ${event.message}`);
}

/** Show whether the worker is at work, and words on it.
 * @param {boolean} working @param {string} words
 */
function busy(working, words) {
  progress.hidden = !working;
  if (working) progress.removeAttribute("value");
  button("stop").disabled = !working;
  said.textContent = words;
}

/** Ask the worker; the answer has `error` if unshade refuses.
 * @param {string} words @param {string} call @param {any[]} values @returns {Promise<any>}
 */
async function ask(words, call, ...values) {
  const id = ++calls;
  const began = performance.now();
  busy(true, words);
  const answer = await new Promise((resolve) => {
    waiting.set(id, resolve);
    worker.postMessage({ id, call, values });
  });
  const seconds = ((performance.now() - began) / 1000).toFixed(2);
  if (waiting.size === 0) busy(false, answer.stopped ? "Stopped." : `Done in ${seconds} s.`);
  return answer;
}

function stop() {
  worker.terminate();
  for (const resolve of waiting.values()) resolve({ error: "stopped", stopped: true });
  waiting.clear();
  start();
}

// ---------------------------------------------------------------- views

/** @param {string} name */
function view(name) {
  for (const tab of document.querySelectorAll("[role=tab]")) {
    const chosen = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", String(chosen));
    tab.setAttribute("tabindex", chosen ? "0" : "-1");
    box(tab.getAttribute("aria-controls") ?? "").hidden = !chosen;
  }
}

/** Show an HTML page in a frame of its own origin. Its policy and that of the playground, which a
 * document without an address inherits, allow it to load nothing. It has no address since a service
 * worker does not answer for sandboxed frames.
 * @param {HTMLElement} place @param {string} html @param {string} title
 */
function page(place, html, title) {
  const frame = document.createElement("iframe");
  frame.title = title;
  frame.setAttribute("sandbox", "allow-scripts");
  frame.srcdoc = html;
  place.replaceChildren(frame);
}

/** @param {HTMLElement} place @param {string} words */
function refuse(place, words) {
  const shown = document.createElement("p");
  shown.className = "empty wrong";
  shown.textContent = words;
  place.replaceChildren(shown);
}

/** Open a file: show its page and its text.
 * @param {string} name @param {Uint8Array} data @param {boolean} edited
 */
async function open(name, data, edited = false) {
  const answer = await ask(`Reading ${name}…`, "show", data, name);
  if (answer.stopped) return;
  if (answer.error) {
    if (!edited) view("page");
    refuse(box("view-page"), `${name}: ${answer.error}`);
    return;
  }
  now = { name, data, format: answer.format };
  if (!edited) {
    first = now;
    view("page");
  }
  page(box("view-page"), answer.page, `Page of ${name}`);
  shownText = text.value = answer.text;
  box("problem").textContent = answer.refused ?? "";
  for (const id of ["share", "save", "diff-original", "diff-other", "run"]) button(id).disabled = false;
  for (const id of ["assemble", "revert"]) button(id).disabled = Boolean(answer.refused);
  suggest(answer.lines);
}

/** Offer command lines: a button for each, and completions.
 * @param {[string, string][]} lines
 */
function suggest(lines) {
  box("commands").replaceChildren(...lines.map(([, each]) => new Option(each, each)));
  box("lines").replaceChildren(...lines.map(([word, each]) => {
    const offered = document.createElement("button");
    offered.type = "button";
    offered.textContent = word;
    offered.title = `unshade ${each}`;
    offered.onclick = () => { line.value = each; run(); };
    return offered;
  }));
  line.value = lines[0][1];
}

async function assemble() {
  if (!now) return;
  box("problem").className = "";
  const answer = await ask("Assembling…", "assemble", text.value, now.data);
  if (answer.error) {
    box("problem").className = "wrong";
    box("problem").textContent = answer.error;
    select(Number(/^text:(\d+):/.exec(answer.error)?.[1] ?? 0));
    return;
  }
  await open(now.name, answer.data, true);
  box("problem").textContent = `${answer.data.length} bytes`;
}

/** Select a line of the listing, from 1, and scroll to it. @param {number} number */
function select(number) {
  const lines = text.value.split("\n");
  if (number < 1 || number > lines.length) return;
  const start = lines.slice(0, number - 1).join("\n").length + Number(number > 1);
  text.focus();
  text.setSelectionRange(start, start + lines[number - 1].length);
  text.scrollTop = (number / lines.length) * text.scrollHeight - text.clientHeight / 2;
}

/** @param {Shown} before @param {{name: string, data: Uint8Array}} after */
async function compare(before, after) {
  const answer = await ask("Comparing…", "compare", before.data, after.data, before.name, after.name);
  box("verdict").textContent = answer.verdict ?? "";
  if (answer.error) refuse(box("difference"), answer.error);
  else page(box("difference"), answer.page, "Differences");
}

async function run() {
  if (!now) return;
  const answer = await ask("Running…", "command", line.value, { ...Object.fromEntries(kept), [now.name]: now.data });
  box("printed").textContent = answer.error ?? `${answer.text}\nexit code ${answer.code}`;
  box("made").replaceChildren();
  for (const [name, data] of Object.entries(answer.files ?? {})) {
    const place = document.createElement("div");
    place.className = "fill";
    box("made").append(place);
    if (name.endsWith(".html")) {
      page(place, new TextDecoder().decode(data), name);
    } else if (name.endsWith(".png")) {
      const picture = document.createElement("img");
      picture.alt = name;
      picture.src = URL.createObjectURL(new Blob([data], { type: "image/png" }));
      place.append(picture);
      const drawn = line.value;
      if (/^(unshade )?render /.test(drawn)) {
        picture.className = "drawn";
        picture.onclick = (event) => step(drawn, picture, event);
        const hint = document.createElement("p");
        hint.className = "hint";
        hint.textContent = "Click a pixel to step through it.";
        place.append(hint);
      }
    } else {
      const save = document.createElement("button");
      save.textContent = `Save ${name} (${data.length} bytes)`;
      save.onclick = () => download(name, data);
      place.append(save);
    }
  }
}

/** Step through the pixel of a picture that was clicked.
 * @param {string} drawn the command line that drew it
 * @param {HTMLImageElement} picture @param {MouseEvent} event
 */
function step(drawn, picture, event) {
  const x = Math.floor(event.offsetX * picture.naturalWidth / picture.clientWidth);
  const y = Math.floor(event.offsetY * picture.naturalHeight / picture.clientHeight);
  const same = drawn.replace(/\brender /, "debug ").replace(/ (-o|--output)[ =]\S+/, "");
  line.value = `${same} --thread ${x},${y} --html trace.html`;
  run();
}

/** @param {string} name @param {Uint8Array<ArrayBuffer>} data */
function download(name, data) {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([data]));
  link.click();
  URL.revokeObjectURL(link.href);
}

// ---------------------------------------------------------------- links that hold a file

/** @param {Uint8Array} data @param {any} through @returns {Promise<Uint8Array>} */
async function piped(data, through) {
  const stream = new Blob([/** @type {any} */ (data)]).stream().pipeThrough(through);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function share() {
  if (!now) return;
  const packed = await piped(now.data, new CompressionStream("deflate-raw"));
  let letters = "";
  for (const each of packed) letters += String.fromCharCode(each);
  const coded = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  history.replaceState(null, "", `#name=${encodeURIComponent(now.name)}&data=${coded}`);
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = "Copied.";
  } catch {
    said.textContent = "The link is in the address bar.";
  }
}

async function openShared() {
  const given = new URLSearchParams(location.hash.slice(1));
  const coded = given.get("data");
  if (!coded) return;
  try {
    const letters = atob(coded.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (each) => each.charCodeAt(0));
    const data = await piped(packed, new DecompressionStream("deflate-raw"));
    await open(given.get("name") ?? "shader", data);
  } catch {
    refuse(box("view-page"), "The link is damaged: expected a file packed with deflate, in base64.");
  }
}

// ---------------------------------------------------------------- controls

/** @param {FileList | null | undefined} files @param {(name: string, data: Uint8Array) => any} use */
async function take(files, use) {
  for (const file of files ?? []) {
    const data = new Uint8Array(await file.arrayBuffer());
    if (!KEPT.test(file.name)) {
      await use(file.name, data);
      continue;
    }
    kept.set(file.name, data);
    said.textContent = `Command lines can name ${[...kept.keys()].join(", ")}.`;
  }
}

const file = element("file", HTMLInputElement);
const other = element("other", HTMLInputElement);
button("open").onclick = () => file.click();
file.onchange = () => take(file.files, open);
button("diff-other").onclick = () => other.click();
other.onchange = () => take(other.files, (name, data) => now && compare(now, { name, data }));
button("diff-original").onclick = () => first && now && compare(first, now);
button("assemble").onclick = assemble;
button("revert").onclick = () => { text.value = shownText; };
button("share").onclick = share;
button("save").onclick = () => now && download(now.name, /** @type {any} */ (now.data));
button("stop").onclick = stop;
element("line", HTMLFormElement).onsubmit = (event) => { event.preventDefault(); run(); };

const tabs = [...document.querySelectorAll("[role=tab]")];
for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => view(tab.id.slice(4)));
  tab.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {KeyboardEvent} */ (event).key];
    if (!by) return;
    const next = /** @type {HTMLElement} */ (tabs[(at + by + tabs.length) % tabs.length]);
    view(next.id.slice(4));
    next.focus();
  });
}

addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("over"); });
addEventListener("dragleave", () => document.body.classList.remove("over"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("over");
  take(event.dataTransfer?.files, open);
});
addEventListener("hashchange", openShared);

const examples = element("examples", HTMLSelectElement);
fetch("examples.json").then((answer) => answer.json()).then((names) => {
  for (const name of names) {
    examples.add(new Option(name, name));
    const offered = document.createElement("button");
    offered.type = "button";
    offered.textContent = name;
    offered.onclick = () => { examples.value = name; example(name); };
    document.getElementById("offers")?.append(offered);
  }
});
examples.onchange = () => examples.value && example(examples.value);

/** @param {string} name */
async function example(name) {
  const answer = await fetch(`examples/${name}`);
  await open(name, new Uint8Array(await answer.arrayBuffer()));
}

start();
openShared();
// The files are kept once the worker has loaded them, so that keeping does not delay it.
new MutationObserver((_, observer) => {
  observer.disconnect();
  navigator.serviceWorker?.register("offline.js").then(() => navigator.serviceWorker.ready).then(
    () => document.documentElement.setAttribute("data-kept", ""),
  );
}).observe(document.documentElement, { attributeFilter: ["data-ready"] });
