"""YAML, as a thin layer over plain data: `to_data` and `from_data` decide what stands in it."""

from typing import Any

import yaml

from .api import from_data
from .errors import FormatError
from .formats import Shader

try:
    from yaml import CSafeDumper as _Dumper
    from yaml import CSafeLoader as _Loader
except ImportError:  # PyYAML without libyaml: slower, the same result
    from yaml import SafeDumper as _Dumper  # type: ignore[assignment]
    from yaml import SafeLoader as _Loader  # type: ignore[assignment]


class _Plain(_Dumper):
    """Writes every value out; an anchor would tie two values that only look alike."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def to_yaml(shader: Shader) -> str:
    """The shader as YAML; `from_yaml` gives the same bytes back."""
    text: str = yaml.dump(
        shader.to_data(), Dumper=_Plain, sort_keys=False, default_flow_style=None, width=120
    )
    return text


def from_yaml(text: str) -> Shader:
    """The shader that YAML describes. FormatError for text that is not YAML, or not a shader."""
    try:
        data = yaml.load(text, Loader=_Loader)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise FormatError(f"not YAML: {str(error).splitlines()[0]}", path="yaml") from None
    return from_data(data)
