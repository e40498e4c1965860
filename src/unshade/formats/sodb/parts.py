"""Tables of a database as parts.

shader_bytecode     every page of the table, of its indexes and of its long rows
"""

from collections.abc import Sequence
from typing import Any

from ...errors import FormatError, LimitError
from ...parts import Category
from .database import DatabaseRow
from .keys import spelled
from .pages import Run
from .schema import TABLES

__all__ = ["TITLES", "TablePart", "TableRows"]

TITLES = {
    "groups": "what the application asks for, and its version",
    "app_id": "the application",
    "root_signatures": "root signatures",
    "shader_bytecode": "shaders",
    "pipeline_states": "pipelines",
    "state_objects": "state objects",
    "exports": "exports of libraries",
    "input_element_descs": "elements of input layouts",
    "work_graphs": "work graphs",
}
CATEGORIES = {
    "shader_bytecode": Category.CODE,
    "groups": Category.CONTAINER,
    "app_id": Category.PRIVATE,
}
# Tables whose rows are part of state objects alone, or of pipelines and state objects.
OF_OBJECTS = (
    "state_objects", "exports", "rt_hit_groups", "rt_shader_config", "rt_pipeline_config",
    "subobject_to_exports_associations", "dxil_subobject_to_exports_associations",
    "generic_programs", "work_graphs", "node_ids", "shader_nodes", "node_output_overrides",
    "string_associations",
    *(name for name, table in TABLES.items() if table.pairs and name.startswith(("so_", "work"))),
)  # fmt: skip
# Tables whose rows are part of pipelines or state objects.
OF_PIPELINES = (
    "pipeline_states", "input_element_descs", "depth_stencil_op_descs", "depth_stencil_descs",
    "render_target_formats", "render_target_blend_descs", "blend_descs", "rasterizer_descs",
    "view_instancing_descs", "so_declarations", "stream_out_descs",
    "input_layout_to_input_element_associations",
    "stream_output_desc_to_stream_output_decl_associations",
    *OF_OBJECTS,
)  # fmt: skip
LARGE = ("Bytecode", "value")  # columns with files of other formats


class TableRows:
    """The rows of a table, as the value of a part."""

    def __init__(self, name: str, rows: Sequence[DatabaseRow]) -> None:
        self.name = name
        self.rows = rows

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        return f"<TableRows {self.name}: {len(self.rows)}>"

    def to_data(self) -> dict[str, Any]:
        """Return the rows by key, pairs by number; a shader is represented by its hash."""
        table = TABLES[self.name]
        found: dict[str, Any] = {}
        for row in self.rows:
            values = {name: _shown(name, value) for name, value in row.values.items()}
            key = str(values.pop(table.key)) if table.key else str(row.rowid)
            found[key] = values
        return found


def _shown(column: str, value: Any) -> Any:
    if not isinstance(value, bytes):
        return value
    if column in LARGE:
        from hashlib import sha256

        return f"{len(value):,} bytes, sha256 {sha256(value).hexdigest()[:16]}…"
    return spelled(value)


class TablePart:
    """A table that is not empty."""

    __slots__ = ("data", "error", "extents", "name", "offset", "value")

    def __init__(self, value: TableRows, data: bytes, extents: list[Run]) -> None:
        self.name = value.name
        self.value = value
        self.data = data
        self.extents = extents
        self.offset = extents[0][0] if extents else 0
        self.error: FormatError | LimitError | None = None

    @property
    def size(self) -> int:
        """Size of its pages in bytes."""
        return len(self.data)

    @property
    def title(self) -> str:
        """The number of its rows, and their subject."""
        count = len(self.value)
        what = TITLES.get(self.name)
        return f"{count:,} row{'s' * (count != 1)}{f': {what}' if what else ''}"

    @property
    def category(self) -> Category:
        """The category of the table."""
        return CATEGORIES.get(self.name, Category.INTERFACE)

    def category_of(self, field: str) -> Category:
        """Return the category of a field, given by its dotted path."""
        return self.category

    def in_program(self, field: str) -> bool:
        """Return True if `unshade.diff` compares the table through the pipelines."""
        return self.name in OF_PIPELINES

    def described(self, field: str, value: Any) -> str | None:
        """Return None: values need no description."""
        return None

    def __repr__(self) -> str:
        return f"<TablePart {self.name} at 0x{self.offset:x}>"
