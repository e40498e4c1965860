"""`unshade catalog similar`: print the shaders that are most like another one."""

from typing import Any

from .... import catalog
from ....catalog.store import literal
from ....errors import UnshadeError
from ....screens.blocks import Block, FactsBlock, Title
from ....screens.text import visible
from ....shader import Shader
from ... import exits
from ...commands import CatalogSimilarOptions
from ...inputs import Input, single
from ...output import CommandOutput

PROVED = 3  # shaders that --prove runs


SIMILAR = {
    "shader": "string", "score": "number", "margin": "number", "same": ["string"],
    "common": {"*": ["integer"]}, "words": ["string"], "format": "string", "stage": "string?",
    "profile": "string?", "path": "string?", "place": "string?", "proved?": "string",
}  # fmt: skip
WHOLE = {"similar": [SIMILAR]}


def run(given: CatalogSimilarOptions) -> int:
    """Print the most similar shaders; return 1 if there are none."""
    single(given.file)
    shader = Input(given.file).open()
    with catalog.Catalog(given.catalog) as opened:
        found = catalog.similar(opened, shader, most=given.most)
        listed = [{**each._asdict(), "same": [*each.same]} for each in found]
        if given.prove:
            for each in listed[:PROVED]:
                each["proved"] = _proved(opened, shader, each["shader"])
    with CommandOutput(given.output, as_json=given.as_json) as out:
        if given.as_json:
            out.json({"similar": listed})
        elif not listed:
            out.line("nothing similar")
        for each in listed if not given.as_json else ():
            out.blocks(_blocks(each))
    return exits.FINE if found else exits.FINDING


def _proved(opened: "catalog.Catalog", shader: Shader, name: str) -> str:
    """Return the result of running two shaders, as words."""
    from ....run import prove

    for _, found in catalog.shaders_of(opened, f"shader = {literal(name)}"):
        try:
            proof = prove(shader, found.open())
        except UnshadeError as error:
            return f"not run: {error}"
        return str(proof).partition("\n")[0]
    return "not run: its file is gone or has changed"


def _blocks(each: dict[str, Any]) -> list[Block]:
    where = f"{each['path']}!{each['place']}" if each["path"] else each["shader"]
    known = [each["format"], each["stage"] or "-", each["profile"] or "-"]
    common = (f"{both} of {all} {kind}s" for kind, (both, all) in each["common"].items())
    rows = [("common", ", ".join(common))]
    if each["same"]:
        rows.insert(0, ("same", ", ".join(f"same {name}" for name in each["same"])))
    if each["words"]:
        rows.append(("such as", visible(", ".join(each["words"]))))
    if "proved" in each:
        rows.append(("run", visible(each["proved"])))
    score = f"{each['score']:.2f}, {each['margin']:.2f} before the next; {', '.join(known)}"
    return [Title(visible(where), score), FactsBlock(rows)]
