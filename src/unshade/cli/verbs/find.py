"""`unshade find`: find shaders inside larger files."""

from ... import formats
from ...files import write_atomically
from ...screens.text import visible
from .. import exits
from ..commands import FindOptions
from ..inputs import Input, plain, words
from ..inputs import run as run_on
from ..output import CommandOutput
from ..targets import Targets


def run(given: FindOptions) -> int:
    """List the shaders inside each file.

    Returns 1 if no file contains shaders, 3 if a shader is damaged. `extract` is a folder to write
    them to, named by file and offset.
    """
    out = CommandOutput(given.output, as_json=given.as_json)
    targets = Targets(given.extract, [r"@[0-9a-f]+\..*"], given.files, always=True)

    def find(item: Input) -> int:
        data = item.view()
        listed = []
        code = exits.FINE
        for found in formats.find(data, strict=False):
            out.see("shader")
            damage = found.damage
            if damage is not None:
                code = max(code, exits.code_of(damage))
            if given.extract is not None:
                suffix = formats.format_named(found.format).suffix
                mark = "" if damage is None else ".damaged"
                place = targets.place(item, f"@{found.offset:x}{mark}{suffix}")
                assert place is not None
                write_atomically(place, data[found.offset : found.offset + found.size])
            if given.as_json:
                more = {} if damage is None else {"damage": plain(damage, words(damage))}
                listed.append({**found._asdict(), **more})
            else:
                where = f"0x{found.offset:08x}  {found.size:>9,}  {found.format}"
                what = "" if damage is None else f"  damaged: {visible(str(damage))}"
                out.text(f"{visible(item.name)}: {where}{what}\n")
        if given.as_json:
            out.document(item, {"found": listed})
        return code

    code = run_on(given.files, find, out, wanted=lambda item: True, targets=targets)
    return exits.FINDING if code == exits.FINE and not out.seen else code
