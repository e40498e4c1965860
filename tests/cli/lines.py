"""One command line for each verb, and some of what it says."""

from pathlib import Path

from tests.cli.terminal import PHONG, SAXPY, unshade
from tests.examples import EXAMPLES
from tests.fixtures import shbin, vbc

LAUNCH = "{saxpy} --groups 1 --set a=2 --bind X=iota(64) --bind Y=ones(64)"
LINES = {
    "info": ("{phong}", "pixel shader 5.0 (ps_5_0), 2,780 bytes"),
    "identify": ("{phong}", "dxcontainer, pixel shader 5.0"),
    "parts": ("{phong}", "SHDR"),
    "dis": ("{phong}", "dcl_temps 6"),
    "explain": ("mad", "mad: PICA200 assembly (picasso)"),
    "decompile": ("{phong}", "tex.Sample(_tex_sampler, texcoord1)"),
    "translate": ("{phong} --bind tex=1:0 -o {out}/made.spv", ""),
    "asm": ("{text} -o {out}/made.dxbc", ""),
    "reflect": ("{phong}", "TEXCOORD2"),
    "verify": ("{phong}", "container.program-part"),
    "check": ("{phong} --max-bytes 4096", "2,780 of 4,096"),
    "hexdump": ("{phong} --part STAT", "STAT"),
    "sign": ("{phong} -o {out}/signed.dxbc", ""),
    "strip": ("{phong} -o {out}/stripped.dxbc", ""),
    "audit": ("{phong}", "vkd3d-shader 2.1"),
    "headers": ("{phong}", "static_assert(sizeof(U) == 160"),
    "cost": ("{phong}", "at most 26"),
    "edit": ("{phong} --listing --source {listing} -n", "+lt r0.w, r3.wwww, l(0.500000)"),
    "reduce": ("{phong} --test true --runs 2 -o {out}/small.dxbc", ""),
    "extract": ("{phong} -o {out}/parts", ""),
    "diff": ("{phong} {phong}", "the same, byte for byte"),
    "link": ("{object} -o {out}/linked.shbin", ""),
    "pack": ("{module} -o {out}/packed.vbc", ""),
    "to-yaml": ("{phong}", "format: dxcontainer"),
    "report": ("{phong} -o {out}/page.html", ""),
    "from-yaml": ("{yaml} -o {out}/made.dxbc", ""),
    "find": ("{phong}", "dxcontainer"),
    "put-back": ("{phong} dxbc@0x0={phong} -o {out}/copy.dxbc", ""),
    "run": (LAUNCH, "1 3 5 7 9"),
    "render": ("{phong} --size 8x8 -o {out}/picture.png", ""),
    "debug": (LAUNCH, "mul r0.x, cb0[0].xxxx, r0.xxxx"),
    "prove": ("{phong} --rounds 1 --lanes 8", "equal in 1 rounds of 8 lanes, seed 0"),
    "catalog scan": ("{phong} --to {made}", "1 file: 1 read, 1 new shader; run 1"),
    "catalog query": ('{cat} FROM"shaders"SELECT"profile"', "ps_5_0"),
    "catalog diff": ("{cat} {cat}", "1 shader the same"),
    "catalog similar": ("{cat} {phong}", "same program"),
    "catalog export": ("{cat} -o {out}/shaders", ""),
    "catalog compact": ("{cat}", "run 1: 1 file, 1 shader"),
    "catalog show": ("{cat}", "1 file, 1 shader"),
    "cache": ("{saxpy}", "1 program compiled"),
    "completion": ("bash", "_unshade_completion"),
}


def made_files(folder: Path) -> dict[str, Path]:
    """Return the files that the lines name; write those that are no examples to a folder."""
    (folder / "a.dvoj").write_bytes(shbin.object_file().to_bytes())
    (folder / "a.yaml").write_bytes(unshade("to-yaml", PHONG).data)
    (folder / "vert.spv").write_bytes(vbc.module(vbc.VERT))
    assert unshade("catalog", "scan", PHONG, "--to", folder / "cat").code == 0
    listing = unshade("dis", PHONG).out.replace("l(0.100000)", "l(0.500000)")
    (folder / "phong.asm").write_text(listing)
    made = {"listing": folder / "phong.asm", "object": folder / "a.dvoj", "yaml": folder / "a.yaml",
            "module": folder / "vert.spv", "cat": folder / "cat",
            "made": folder / "made"}  # fmt: skip
    return {"phong": PHONG, "saxpy": SAXPY, "text": EXAMPLES / "billboards.asm", **made}
