// Compile the Python files of a folder with Pyodide: node compile.mjs PYODIDE FOLDER
// Each a.py becomes a.pyc beside it, without a time in it, and is removed.
import path from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2).map((each) => path.resolve(each));
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, "pyodide.mjs")).href);
const runtime = await loadPyodide({ indexURL: pyodide + path.sep });
runtime.FS.mkdir("/tree");
runtime.FS.mount(runtime.FS.filesystems.NODEFS, { root: folder }, "/tree");
runtime.runPython(`
from pathlib import Path
from py_compile import PycInvalidationMode, compile

for path in sorted(Path("/tree").rglob("*.py")):
    name = path.relative_to("/tree").as_posix()
    compile(path, path.with_suffix(".pyc"), name, True,
            invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)
    path.unlink()
`);
process.exit(0);
