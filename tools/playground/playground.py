"""The calls of the playground's page, in its worker: bytes in, plain data out.

Each returns a dict; errors of unshade are {"error": words}, since the page shows them as they are.
"""

import io
import os
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any

import unshade
from unshade.model import BufferKind, ResourceKind, TypeDescription

Answer = dict[str, Any]
WORDS = {
    "Summary": "info", "Verify": "verify", "Bytes": "hexdump", "Source": "decompile",
    "Cost": "cost",
}  # fmt: skip
SIZE = (256, 192)  # of a picture
COUNT = 64  # elements of an array
report: Callable[[int, int], None] | None = None  # the worker's, called with (done, total)


def answered(function: Callable[..., Answer]) -> Callable[..., Answer]:
    """Return a function whose errors of unshade become an answer."""

    @wraps(function)
    def call(*arguments: Any) -> Answer:
        try:
            return function(*arguments)
        except unshade.UnshadeError as error:
            return {"error": str(error)}

    return call


@answered
def show(data: bytes, name: str) -> Answer:
    """Return the page of a file, its text, and a line on it.

    Args:
        data: The file.
        name: The name of the file.
    """
    from unshade.report.page import page

    shader = unshade.loads(bytes(data), strict=False)
    answer: Answer = {"format": shader.format, "size": len(data), "page": page(shader, name)}
    try:
        answer["text"] = shader.disassemble(dialect="exact")
    except unshade.UnshadeError as error:
        answer["text"], answer["refused"] = "", str(error)
    answer["lines"] = [*lines_of(shader, name)]
    return answer


def lines_of(shader: unshade.Shader, name: str) -> Iterator[tuple[str, str]]:
    """Yield command lines for a file, each with a word for its button.

    Args:
        shader: The file.
        name: The name of the file.
    """
    file = shlex.quote(name)
    with suppress(unshade.UnshadeError):  # of several programs, or of a database
        yield from _runs(shader.reflect(), file)
    for word, verb in WORDS.items():
        yield word, f"{verb} {file}"


def _runs(reflection: unshade.Reflection, file: str) -> Iterator[tuple[str, str]]:
    """Yield command lines that run a shader, with values for what it reads."""
    count = COUNT if reflection.stage == "compute" else 1
    given = [
        f" --set {field.name}={_value(field.name, field.type, count)}"
        for buffer in reflection.constant_buffers
        if buffer.kind != BufferKind.ELEMENT
        for field in buffer.variables
        if field.type.type_class in ("scalar", "vector")
    ]
    if reflection.stage == "pixel":
        size = "x".join(map(str, SIZE))
        sets = "".join(each for each in given if not each.endswith("=0"))
        yield "Draw", f"render {file} --size {size}{sets} -o picture.png"
        middle = ",".join(str(each // 2) for each in SIZE)
        yield "Step", f"debug {file} --size {size} --thread {middle}{sets} --html trace.html"
    elif reflection.stage == "compute":
        arrays = "".join(
            f" --bind {each.name}=iota({COUNT})"
            for each in reflection.resources
            if each.kind in (ResourceKind.STRUCTURED_BUFFER, ResourceKind.RAW_BUFFER)
        )
        yield "Run", f"run {file} --groups 1{''.join(given)}{arrays}"


def _value(name: str, kind: TypeDescription, count: int) -> str:
    """Return a value: a size is that of the picture, a whole number `count`."""
    if kind.type_class == "vector":
        known = name.lower().endswith(("size", "resolution")) and kind.columns == 2
        return ",".join(map(str, SIZE)) if known else "0"
    if kind.scalar == "float":
        return "1"
    return str(count)


@answered
def assemble(text: str, data: bytes) -> Answer:
    """Return the file with the program that a text assembles to.

    Args:
        text: A text of `show`, edited.
        data: The file that it is from; parts that the text does not contain are its.
    """
    donor = unshade.loads(bytes(data))
    try:
        made = unshade.assemble(text, donor.format, donor=donor)
    except unshade.UsageError:  # formats whose text is all of the file take no donor
        made = unshade.assemble(text, donor.format)
    return {"data": made.to_bytes()}


@answered
def compare(before: bytes, after: bytes, before_name: str, after_name: str) -> Answer:
    """Return the page of the differences of two files, and the verdict."""
    from unshade.report.difference import difference_page

    first = unshade.loads(bytes(before), strict=False)
    second = unshade.loads(bytes(after), strict=False)
    found = unshade.diff(first, second)
    names = (before_name, after_name)
    return {
        "page": difference_page(first, second, names, found),
        "different": bool(found),
        "verdict": found.verdict,
    }


def command(line: str, files: Mapping[str, bytes]) -> Answer:
    """Run a command line of unshade in a folder that holds files only.

    Args:
        line: The command, with or without the word `unshade`.
        files: The files of the folder, by name.
    """
    from unshade.cli import main
    from unshade.cli.progress import reported

    try:
        words = shlex.split(line)
    except ValueError as error:
        return {"code": 2, "text": str(error), "files": {}}
    if words[:1] == ["unshade"]:
        del words[0]
    streams = sys.stdout, sys.stderr
    written = io.BytesIO()
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files.items():
            Path(folder, Path(name).name).write_bytes(bytes(data))
        os.chdir(folder)
        text = io.TextIOWrapper(written, encoding="utf-8", errors="replace", write_through=True)
        sys.stdout = sys.stderr = text
        try:
            with reported(report):
                code = main(words)
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        finally:
            sys.stdout, sys.stderr = streams
            text.flush()
            os.chdir(here)
        made = {
            path.name: path.read_bytes()
            for path in sorted(Path(folder).iterdir())
            if path.is_file() and path.name not in files
        }
    return {"code": code, "text": written.getvalue().decode("utf-8", "replace"), "files": made}


def warm(data: bytes, name: str) -> Answer:
    """Load what the first file of a format needs; return the page of an example."""
    answer = show(data, name)
    made = assemble(answer["text"], data)
    compare(data, made["data"], name, name)
    return answer
