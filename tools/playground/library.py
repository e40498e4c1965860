"""The Python part of the playground: one archive of modules, compiled for Pyodide's Python.

Only bytecode is in the archive, since compiling it in the browser takes most of the time until a
first file is shown. It is compiled by Pyodide itself, in Node.js, since another version of Python
makes other bytecode. Data files of packages (templates, scripts, styles) are kept.
"""

import importlib.util
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
# Of the packages that unshade needs for pages, YAML and the command line; no machine code.
PACKAGES = ("click", "jinja2", "markdown_it", "markupsafe", "mdurl", "pygments", "rich", "yaml")
LEFT_OUT = ("__pycache__", "*.so", "*.pyd", "*.c", "*.pyi", "*.pyx", "py.typed")
# What no one calls in a browser.
UNUSED = (
    "unshade/testing", "pygments/lexers", "pygments/formatters", "pygments/styles",
)  # fmt: skip


def write_library(path: Path, pyodide: Path) -> None:
    """Write the archive.

    Args:
        path: The archive to write.
        pyodide: The folder of Pyodide's package.
    """
    node = shutil.which("node")
    if node is None:
        raise SystemExit("node is not installed: it compiles the modules")
    with tempfile.TemporaryDirectory() as temporary:
        tree = Path(temporary) / "tree"
        collect(tree)
        subprocess.run(
            [node, HERE / "compile.mjs", pyodide, tree], check=True, stdout=subprocess.DEVNULL
        )
        shutil.make_archive(str(path.with_suffix("")), "zip", tree)


def collect(tree: Path) -> None:
    """Copy the sources and data of all packages to a folder."""
    ignored = shutil.ignore_patterns(*LEFT_OUT)
    shutil.copytree(ROOT / "src" / "unshade", tree / "unshade", ignore=ignored)
    for name in PACKAGES:
        found = importlib.util.find_spec(name)
        if found is None or found.origin is None:
            raise SystemExit(f"{name} is not installed: python -m pip install -e '.[report]'")
        shutil.copytree(Path(found.origin).parent, tree / name, ignore=ignored)
    for name in UNUSED:
        shutil.rmtree(tree / name, ignore_errors=True)
    shutil.copyfile(HERE / "playground.py", tree / "playground.py")
