"""What `--bind NAME=VALUE` and `--set NAME=VALUE` say, as objects for a kernel.

y.npy  image.png  consts.json  dump.bin      files; images may end with `,mips` and `,srgb`
px.png,nx.png,py.png,ny.png,pz.png,nz.png    several images: faces of a cube, layers, slices
zeros(64)  ones(8,8)  iota(64,uint32)  random(64)      arrays made here
{"a": 2.0}  [1, 2, 3]  0.5                   JSON
point  linear,wrap  anisotropic,max_lod=4    samplers: filter, address, numbers by name
"""

import json
import os
import re
from typing import TYPE_CHECKING, Any

from ..errors import UnshadeError, UnsupportedError, UsageError
from ..files import write_atomically

if TYPE_CHECKING:
    from ..run.bindings import Binding
    from ..run.kernels import Kernel

MAKER = re.compile(r"(zeros|ones|iota|random)\(([^)]*)\)")
IMAGES = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp", ".tif", ".tiff", ".tga")
SAMPLER_NUMBERS = (
    "lod_bias", "min_lod", "max_lod", "border", "comparison", "max_anisotropy"
)  # fmt: skip
MOST = 1 << 28  # elements that a maker makes


def named(texts: tuple[str, ...], option: str) -> dict[str, str]:
    """`NAME=VALUE` each."""
    found: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not sign or not name or not value:
            raise UsageError(f"{option} takes NAME=VALUE, not {text!r:.60}")
        if name in found:
            raise UsageError(f"{option} names {name} twice")
        found[name] = value
    return found


def bindings(kernel: "Kernel", binds: tuple[str, ...], sets: tuple[str, ...]) -> dict[str, Any]:
    """Everything for one call: bindings by name, variables of constant buffers, inputs."""
    known = {name: each for each in kernel.bindings for name in each.names}
    found: dict[str, Any] = {}
    for name, text in named(binds, "--bind").items():
        found[name] = value_of(text, known.get(name))
    for name, text in named(sets, "--set").items():
        found[name] = plain(text)
    return found


def split_inputs(kernel: "Kernel", given: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Inputs by semantic, and the rest."""
    from ..run.patches import DOMAIN

    names = {name for each in kernel.bindings for name in each.names}
    inputs = {}
    for name in list(given):
        if name in names:
            continue
        if kernel.input(name) is not None or (name == DOMAIN and kernel.stage == "domain"):
            inputs[name] = given.pop(name)
    return inputs, given


def plain(text: str) -> Any:
    """JSON, or numbers with commas between them."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    try:
        return json.loads(f"[{text}]")
    except ValueError:
        raise UsageError(f"numbers or JSON expected, not {text!r:.60}") from None


def value_of(text: str, binding: "Binding | None") -> Any:
    """What a binding's VALUE stands for."""
    if binding is not None and binding.form == "sampler":
        return sampler(text)
    made = MAKER.fullmatch(text)
    if made is not None:
        return _made(made[1], made[2], binding)
    if text[:1] in "{[" or re.fullmatch(r"[-+.\deE]+", text):
        return plain(text)
    return _file(text)


def sampler(text: str) -> Any:
    """`point`, `linear,wrap`, `linear,wrap,clamp`, `anisotropic,border,border=1/1/1/1`."""
    from ..run import Sampler

    words = text.split(",")
    numbers: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            continue
        if name not in SAMPLER_NUMBERS:
            raise UsageError(f"a sampler has {', '.join(SAMPLER_NUMBERS)}, not {name!r:.40}")
        numbers[name] = _sampler_number(name, value)
    filter, *address = [word for word in words if "=" not in word] or ["linear"]
    return Sampler(filter, address or "clamp", **numbers)


def _sampler_number(name: str, text: str) -> Any:
    try:
        if name == "border":
            return [float(each) for each in text.split("/")]
        if name == "max_anisotropy":
            return int(text)
        return text if name == "comparison" else float(text)
    except ValueError:
        wanted = "numbers with / between them" if name == "border" else "a number"
        raise UsageError(f"a sampler's {name} is {wanted}, not {text!r:.40}") from None


def _made(kind: str, inside: str, binding: "Binding | None") -> Any:
    import numpy as np

    sizes, dtype = [], _default_dtype(binding)
    for each in filter(None, (word.strip() for word in inside.split(","))):
        if each.isdigit():
            sizes.append(int(each))
            continue
        try:
            dtype = np.dtype(each)
        except TypeError:
            raise UsageError(f"{kind}({inside}): {each!r} is neither size nor dtype") from None
    count = 1
    for size in sizes:
        count *= size
    if not sizes or count > MOST:
        raise UsageError(f"{kind}({inside}): sizes are needed, up to {MOST:,} elements")
    base = dtype.subdtype[0] if dtype.subdtype else dtype
    if kind == "zeros":
        return np.zeros(sizes, dtype)
    if base.names:
        raise UsageError(f"{kind}({inside}): elements have members; zeros() would do")
    shape = (*sizes, *(dtype.shape if dtype.subdtype else ()))
    if kind == "ones":
        return np.ones(shape, base)
    if kind == "iota":
        return np.arange(int(np.prod(shape))).reshape(shape).astype(base)
    return np.random.default_rng(0).random(shape).astype(base)


def _default_dtype(binding: "Binding | None") -> Any:
    import numpy as np

    if binding is None:
        return np.dtype("<f4")
    if binding.form == "raw":
        return np.dtype("<u4")
    if binding.form == "structured":
        if binding.dtype is not None:
            return binding.dtype
        return np.dtype(("<u4", (binding.resource.stride // 4,)))
    return np.dtype({"uint": "<u4", "sint": "<i4"}.get((*binding.resource.returns, "")[0], "<f4"))


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()


def _file(text: str) -> Any:
    import numpy as np

    path, *options = text.split(",") if not os.path.exists(text) else [text]
    suffix = _suffix(path)
    more = [each for each in options if _suffix(each) in IMAGES]
    options = [each for each in options if each not in more]
    if (options or more) and (suffix not in IMAGES or not set(options) <= {"mips", "srgb"}):
        raise UsageError(f"{text}: only images have options, mips and srgb")
    try:
        if suffix == ".npy":
            return np.load(path, allow_pickle=False)
        if suffix == ".json":
            with open(path, encoding="utf-8") as file:
                return json.load(file)
        if suffix in IMAGES:
            return _images([path, *more], options)
        with open(path, "rb") as data:
            return data.read()
    except UnshadeError:
        raise
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror or error}") from None
    except Exception as error:  # whatever NumPy and Pillow find wrong with a file
        raise UsageError(f"{path}: {error}") from None


def pillow() -> Any:
    """Pillow's Image module; UnsupportedError says how to get it."""
    try:
        from PIL import Image
    except ImportError:
        raise UnsupportedError("images need Pillow: pip install 'unshade[run]'") from None
    return Image


def _images(paths: list[str], options: list[str]) -> Any:
    from ..run import Texture
    from ..run.texels import pixels

    arrays = []
    for path in paths:
        with pillow().open(path) as picture:
            arrays.append(pixels(picture))
    data = arrays if len(arrays) > 1 else arrays[0]
    return Texture(data, mips="mips" in options, srgb="srgb" in options)


# ---------------------------------------------------------------- writing


def save(array: Any, path: str) -> None:
    """Write an array as its suffix says, whole or not at all."""
    write_atomically(path, encoded(array, path))


def encoded(array: Any, path: str) -> bytes:
    """The bytes of a file for an array: .npy, .json, an image, else the plain bytes."""
    from io import BytesIO

    import numpy as np

    suffix = os.path.splitext(path)[1].lower()
    array = np.asarray(array)
    if suffix == ".npy":
        into = BytesIO()
        np.save(into, array, allow_pickle=False)
        return into.getvalue()
    if suffix == ".json":
        return (json.dumps(array.tolist()) + "\n").encode()
    if suffix in IMAGES:
        return picture(array, suffix)
    data: bytes = array.tobytes()
    return data


def picture(array: Any, suffix: str) -> bytes:
    """An image of (height, width[, components]); floats go from 0 to 1."""
    from io import BytesIO

    import numpy as np

    from ..run.texels import quantised

    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] > 4):
        raise UsageError(f"an image is (height, width[, 1 to 4]), not {array.shape}")
    if array.dtype.kind == "f":
        array = quantised(array.astype("<f4"), np.dtype("u1"))
    elif array.dtype != np.uint8:
        array = np.clip(array, 0, 255).astype("u1")
    if array.ndim == 3 and array.shape[2] in (1, 2):
        padding = np.zeros((*array.shape[:2], 3 - array.shape[2]), "u1")
        array = array[..., 0] if array.shape[2] == 1 else np.concatenate([array, padding], 2)
    into = BytesIO()
    image = pillow().fromarray(array)
    if suffix in (".jpg", ".jpeg", ".bmp") and image.mode == "RGBA":
        image = image.convert("RGB")
    kind = {".jpg": "JPEG", ".tif": "TIFF"}.get(suffix, suffix[1:].upper())
    image.save(into, kind)
    return into.getvalue()
