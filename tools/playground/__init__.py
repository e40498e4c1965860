"""The playground: a static page that runs unshade in the browser.

    index.html, play.js     the page: file, listing, comparison, command line
        │  messages: {id, call, arguments} → {id, value}
    worker.js               Pyodide, the library, playground.py
    offline.js              a service worker that keeps every file of files.json

`python -m tools.playground -o FOLDER` builds the folder: Pyodide from npm, which is never
committed; the library and the packages that it needs, compiled to the bytecode of Pyodide's
Python (library.py); the examples. Reading, pages, assembling and comparing need no package with
machine code: MarkupSafe and PyYAML have Python beside theirs. NumPy and Pillow, which running and
drawing need, are wheels that `pyodide-lock.json` names; `--wheels FOLDER` has them.
"""
