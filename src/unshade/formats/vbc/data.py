"""VBC files as plain data: the record, with its modules as header and lines of text.

layout            the commits of VSL with that layout, only if it is an older one
subpass_form      only if it is not the documented one
vert … frag       of the stages that exist; bytes in hex if they are not SPIR-V
everything else   `wire.data`, by the declaration of the record
"""

from collections.abc import Mapping
from typing import Any

from ...errors import FormatError
from ...wire.data import from_data, to_data
from .layout import arguments_of
from .older import LAYOUTS, OlderLayout
from .program import Program, module_from_data, module_to_data
from .records import SubpassForm, VbcFile
from .spelling import NAMES

__all__ = ["fields", "from_fields", "reflection_fields"]

FORM = "subpass_form"
LAYOUT = "layout"


def fields(
    record: VbcFile,
    form: SubpassForm,
    programs: Mapping[str, Program],
    older: OlderLayout | None = None,
) -> dict[str, Any]:
    """Return a file as plain data."""
    found = reflection_fields(record, form, older)
    for name in NAMES:
        code = getattr(record, name)
        if code:
            found[name] = module_to_data(code, programs.get(name))
    return found


def reflection_fields(
    record: VbcFile, form: SubpassForm, older: OlderLayout | None = None
) -> dict[str, Any]:
    """Return everything but the modules as plain data."""
    found: dict[str, Any] = {} if older is None else {LAYOUT: older.commits}
    if form is not SubpassForm.DOCUMENTED:
        found[FORM] = form.name
    bare = VbcFile(
        **{f.name: getattr(record, f.name) for f in record.layout.fields if f.name not in NAMES}
    )
    return found | {key: value for key, value in to_data(bare).items() if key not in NAMES}


def from_fields(data: Mapping[str, Any]) -> tuple[VbcFile, SubpassForm, OlderLayout | None]:
    """Return the record that plain data describes; FormatError if a value is invalid."""
    left = dict(data)
    commits = left.pop(LAYOUT, None)
    if commits is not None and (not isinstance(commits, str) or commits not in LAYOUTS):
        problem = f"expected one of {', '.join(LAYOUTS)}, got {commits!r:.40}"
        raise FormatError(problem, path=LAYOUT)
    older = None if commits is None else LAYOUTS[commits]
    name = left.pop(FORM, SubpassForm.DOCUMENTED.name)
    if name not in SubpassForm.__members__:
        known = ", ".join(SubpassForm.__members__)
        raise FormatError(f"expected one of {known}, got {name!r:.40}", path=FORM)
    form = SubpassForm[name]
    for stage in NAMES:
        left[stage] = module_from_data(left.get(stage, ""), stage).hex()
    return from_data(VbcFile, left, arguments_of(form), path="VBC"), form, older
