"""Names of the scalars of a value, as steps: `.x`, `[1]`, `.colour`."""

from ..tree import ArrayDataType, DataType, StructDataType

__all__ = ["component_names"]

LETTERS = "xyzw"


def component_names(type_: DataType) -> list[tuple[str, ...]]:
    """Return the steps to each scalar of a value, in order; of a scalar one without steps."""
    type_ = type_.resolved
    if isinstance(type_, ArrayDataType):
        inner = component_names(type_.component)
        return [(f"[{at}]", *each) for at in range(max(type_.columns, 0)) for each in inner]
    if isinstance(type_, StructDataType):
        return [
            (f".{member.name}", *each)
            for member in type_.members
            for each in component_names(member.type)
        ]
    if type_.is_matrix:
        return [
            (f"[{column}]", f".{LETTERS[row]}")
            for column in range(type_.columns)
            for row in range(type_.rows)
        ]
    if type_.is_vector:
        return [(f".{LETTERS[at]}",) for at in range(type_.columns)]
    return [()]
