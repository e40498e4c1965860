"use strict";
// Python beside the page: loads Pyodide and the library, then answers one call after another.
// From the page: {id, call, values}; to the page: {stage, of, words}, {ready}, {done, total} while a
// shader runs, and {id, value}.
// @ts-ignore: the build copies it to this folder
import { loadPyodide } from "./pyodide.mjs";

const STAGES = ["Python", "unshade", "NumPy", "a first shader"];

/** @param {number} stage */
function tell(stage) {
  postMessage({ stage, of: STAGES.length, words: `Loading ${STAGES[stage]}…` });
}

/** @param {string} name @returns {Promise<Response>} */
async function fetched(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${answer.statusText}`);
  return answer;
}

async function start() {
  tell(0);
  const library = fetched("library.zip").then((answer) => answer.arrayBuffer());
  const example = fetched("examples/phong.dxbc").then((answer) => answer.arrayBuffer());
  const wheels = fetched("wheels.json").then((answer) => answer.json());
  const python = await loadPyodide({ indexURL: new URL("./", location.href).href });
  tell(1);
  python.FS.writeFile("/lib/library.zip", new Uint8Array(await library));
  python.runPython("import sys; sys.path.insert(0, '/lib/library.zip'); import playground");
  const names = await wheels;
  tell(2);
  for (const name of names) {
    python.unpackArchive(await (await fetched(`wheels/${name}`)).arrayBuffer(), "wheel");
  }
  const calls = python.pyimport("playground");
  let told = 0;
  calls.report = (/** @type {number} */ done, /** @type {number} */ total) => {
    if (performance.now() - told < 50) return;
    told = performance.now();
    postMessage({ done, total });
  };
  tell(3);
  /** @param {string} name @param {any[]} values */
  const call = (name, values) => {
    const given = values.map((value) => python.toPy(value));
    const answer = calls[name](...given);
    return answer.toJs({ dict_converter: Object.fromEntries });
  };
  call("warm", [new Uint8Array(await example), "phong.dxbc"]);
  postMessage({ ready: true, runs: names.length > 0 });
  return call;
}

const started = start();
started.catch((error) => postMessage({ failed: String(error) }));

onmessage = async ({ data }) => {
  const call = await started;
  try {
    postMessage({ id: data.id, value: call(data.call, data.values) });
  } catch (error) {
    postMessage({ id: data.id, value: { error: String(error) } });
  }
};
