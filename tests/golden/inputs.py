"""Inputs of our own, by family and name.

inputs("tpf")      {"tpf/examples/phong": bytes, "tpf/vectors/lit": bytes, …}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import Any

import unshade
from tests.corpus import REPOSITORY

PURPOSES = {"filter": "color_filter"}  # of SkSL, where they have another name
TEXELS = (
    *(f"BC{n}_UNORM" for n in (1, 2, 3, 4, 5)), "BC4_SNORM", "BC5_SNORM", "BC6H_UF16", "BC6H_SF16",
    "BC1_UNORM_SRGB", "EAC_R11_UNORM", "EAC_R11_SNORM", "EAC_R11G11_UNORM", "EAC_R11G11_SNORM",
    "ASTC_4x4_UNORM", "ASTC_6x5_SRGB", "ASTC_8x8_SFLOAT", "ASTC_12x10_UNORM",
    "R9G9B9E5_SHAREDEXP", "R11G11B10_FLOAT", "R10G10B10A2_UNORM", "R10G10B10_XR_BIAS_A2_UNORM",
    "B5G6R5_UNORM", "B4G4R4A4_UNORM", "R8G8_SNORM", "R16G16_FLOAT", "R16G16B16A16_UNORM",
    "R10X6G10X6_UNORM_2PACK16", "R8G8_B8G8_UNORM", "G8R8_G8B8_UNORM", "R32G32_SINT",
)  # fmt: skip
# Lines of the command line; {e} is the folder of the examples.
COMMANDS = """
info {e}/phong.dxbc
info {e}/saxpy6.dxil --cost
info {e}/lit.shbin
info {e}/everything.vbc
info {e}/particles.spv --json
info {e}/pipelines.sodb
info {e}/julia.skslb
parts {e}/phong.dxbc
parts {e}/everything.vbc --json
identify {e}/phong.dxbc {e}/lit.shbin {e}/particles.spv
hexdump {e}/saxpy.dxbc
hexdump {e}/saxpy6.dxil --part PSV0
hexdump {e}/lit.shbin
hexdump {e}/julia.skslb
dis {e}/skinning.dxbc
dis {e}/saxpy6.dxil
dis {e}/reverse.shbin
dis {e}/particles.spv --source
dis {e}/clay.frag.spv --comment
reflect {e}/phong.dxbc
reflect {e}/skinning.dxbc --json
reflect {e}/clay.frag.spv
reflect {e}/everything.vbc
verify {e}/phong.dxbc {e}/lit.shbin {e}/clay.vert.spv
check {e}/phong.dxbc --max-bytes 1000 --max-operations 10
check --pipeline {e}/clay.vert.spv {e}/clay.frag.spv
check --pipeline {e}/sheet.h.dxbc {e}/sheet.d.dxbc
cost {e}/phong.dxbc
cost {e}/particles.spv --json
cost {e}/lit.shbin
audit {e}/phong.dxbc
audit {e}/particles.spv {e}/saxpy6.dxil
headers {e}/phong.dxbc
headers {e}/skinning.dxbc --to rust
headers {e}/particles.spv --to hlsl
diff {e}/saxpy.dxbc {e}/matmul.dxbc
diff {e}/clay.vert.spv {e}/clay.frag.spv
diff {e}/saxpy.dxbc {e}/saxpy6.dxil --cost
diff --reproducible {e}/saxpy.dxbc {e}/matmul.dxbc
to-yaml {e}/saxpy.dxbc
to-yaml {e}/saxpy.dxbc --dialect llvm
find {e}/everything.vbc
decompile {e}/phong.dxbc
decompile {e}/particles.spv --to glsl
decompile {e}/lit.shbin --lines
run {e}/saxpy.dxbc --groups 1 --set a=2 --bind X=iota(64) --bind Y=ones(64)
run {e}/saxpy6.dxil --groups 1
debug {e}/saxpy.dxbc --groups 1 --set a=2 --bind X=iota(64) --bind Y=ones(64)
debug {e}/saxpy.dxbc --groups 1 --set a=2 --bind X=iota(64) --bind Y=ones(64) --thread 3 --json
debug {e}/plasma.skslb --size 8x8 --thread 3,4
prove {e}/phong.dxbc --rounds 1 --lanes 8
"""
LARGEST = 20_000  # bytes of an example
Make = Callable[[], bytes]
Named = Iterable[tuple[str, Make]]


def _examples(*suffixes: str) -> Iterator[tuple[str, Make]]:
    for path in sorted((REPOSITORY / "examples").iterdir()):
        if path.suffix in suffixes and path.stat().st_size <= LARGEST:
            yield f"examples/{path.stem}", path.read_bytes


def _parts_of(kinds: Callable[[], Mapping[str, bytes]]) -> Iterator[tuple[str, Make]]:
    for name, data in kinds().items():
        yield f"part/{'-'.join(name.split())}", partial(bytes, data)


def _assembled(text: str | Sequence[unshade.Source], format: str, **options: Any) -> bytes:
    return unshade.assemble(text, format, **options).to_bytes()


def _tpf() -> Iterator[tuple[str, Make]]:
    from tests.hostile.listings import FORMS
    from tests.programs.tpf.lower.test_coverage import CASES

    yield from _examples(".dxbc")
    yield "forms", partial(_assembled, FORMS, "dxcontainer")
    for case in CASES:
        name = "-".join(case.name.split())
        yield f"vectors/{name}", partial(_assembled, case.text, "dxcontainer")


def _parts() -> Iterator[tuple[str, Make]]:
    from tests.fixtures import blog_vs_4_0
    from tests.fixtures.one_of_each import one_of_each

    yield "article", blog_vs_4_0.build
    yield from _parts_of(one_of_each)


def _dxil() -> Iterator[tuple[str, Make]]:
    from tests.programs.dxil.lower.test_exported import LIBRARY

    yield from _examples(".dxil")
    yield "library", partial(_assembled, LIBRARY, "dxcontainer")
    for seed in range(10):
        yield f"generated/{seed}", partial(_bitcode, seed)


def _bitcode(seed: int) -> bytes:
    from tests.programs.dxil.lower.generated import Generated
    from tests.programs.dxil.lower.generated_run import container

    return container(Generated(seed))


def _spirv() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.spirv import one_of_each

    yield from _examples(".spv")
    yield from _parts_of(one_of_each)
    for name in ("vertex", "fragment", "geometry"):
        yield f"stages/{name}", partial(_stage, name)
    for seed in range(16):
        yield f"generated/{seed}", partial(_module, seed)


def _stage(name: str) -> bytes:
    from tests.run import spirv_stages

    made: bytes = getattr(spirv_stages, name)().to_bytes()
    return made


def _module(seed: int) -> bytes:
    from tests.programs.spirv.lower.generated import Generated

    return Generated(seed).module().to_bytes()


def _shbin() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.shbin import one_of_each

    yield from _examples(".shbin")
    yield from _parts_of(one_of_each)
    for seed in range(24):
        yield f"generated/{seed}", partial(_linked, seed)


def _linked(seed: int) -> bytes:
    from tests.programs.pica.generated_sources import sources

    return _assembled([unshade.Source(text, name) for name, text in sources(seed)], "shbin")


def _d3d9() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.direct3d9 import one_of_each

    yield from _examples(".d3d9")
    yield from _parts_of(one_of_each)


def _sksl() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.sksl import one_of_each
    from tests.programs.sksl.generate import MAINS

    yield from _examples(".skslb")
    yield from _parts_of(one_of_each)
    for kind in MAINS:
        for seed in range(8):
            yield f"generated/{kind}-{seed}", partial(_effect, kind, seed)


def _effect(kind: str, seed: int) -> bytes:
    from tests.programs.sksl.generate import generated

    purpose = f"runtime_{PURPOSES.get(kind, kind)}"
    return _assembled(generated(kind, seed).text, "sksl", kind=purpose)


def _vbc() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.vbc import one_of_each

    yield from _examples(".vbc")
    yield from _parts_of(one_of_each)


def _msf() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.pdbs import one_of_each

    yield from _parts_of(one_of_each)


def _sodb() -> Iterator[tuple[str, Make]]:
    from tests.fixtures.databases import one_of_each

    yield from _parts_of(one_of_each)


def _seeds(count: int) -> Callable[[], Named]:
    return lambda: ((str(seed), bytes) for seed in range(count))


def _formats() -> Iterator[tuple[str, Make]]:
    for name in TEXELS:
        yield name, partial(Random(name).randbytes, 64 * 48)


def _schemas() -> Iterator[tuple[str, Make]]:
    from unshade.cli.commands.index import VERBS
    from unshade.formats.dxcontainer.parts import described

    for verb, options in VERBS.items():
        if hasattr(options, "schema"):
            yield f"verbs/{'-'.join(verb.split())}", bytes
    for part in described():
        yield f"parts/{part}", bytes


def _tables() -> Iterator[tuple[str, Make]]:
    from tests.golden.tables import folders, lines

    yield from ((folder, bytes) for folder in folders() if any(lines(folder)))


def _commands() -> Iterator[tuple[str, Make]]:
    for line in COMMANDS.strip().splitlines():
        yield "-".join(line.replace("{e}/", "").split()), line.encode


FAMILIES: dict[str, Callable[[], Named]] = {
    "tpf": _tpf, "parts": _parts, "dxil": _dxil, "spirv": _spirv, "shbin": _shbin, "sksl": _sksl,
    "d3d9": _d3d9, "vbc": _vbc, "msf": _msf, "sodb": _sodb,
    "kernels": _seeds(60), "loops": _seeds(24), "scenes": _seeds(60), "texels": _formats,
    "commands": _commands, "pipelines": _seeds(160), "schemas": _schemas,
    "fragments": _seeds(80), "tables": _tables,
}  # fmt: skip


@cache
def inputs(family: str) -> dict[str, Make]:
    """Return the inputs of a family by name, which begins with the family."""
    return {f"{family}/{name}": cache(make) for name, make in FAMILIES[family]()}
