"""Rules of the header and of the bits."""

from ..bitstream import AbbreviationDefinition, BitBlock, BitRecord, Bitstream
from ..code import Code
from .reports import Reports

__all__ = ["check_header"]


def check_header(code: Code, reports: Reports) -> bool:
    """Check the header and the bits; return True if there are records."""
    findings = reports.findings
    if code.size is not None:
        findings.add("dxil.size", f"the header states {code.size} dwords", "size", offset=4)
    if code.gap:
        message = f"{len(code.gap)} bytes between header and bitcode"
        findings.add("dxil.outside", message, "gap", offset=24)
    if code.trailing:
        findings.add("dxil.outside", f"{len(code.trailing)} bytes after the bitcode", "trailing")
    bitcode = code.bitcode
    if not isinstance(bitcode, Bitstream):
        problem = code.problem
        message = problem.problem if problem is not None else "no bitcode"
        offset = problem.offset if problem is not None else None
        findings.add("dxil.bitcode", message, "bitcode", offset=offset)
        return False
    for name in ("wrapper", "trailing", "outside"):
        if getattr(bitcode, name):
            message = f"{name}: {len(getattr(bitcode, name))} bytes"
            findings.add("dxil.irregular", message, f"bitcode.{name}")
    waiting: list[tuple[BitBlock, str]] = [
        (each, f"bitcode.blocks[{at}]") for at, each in enumerate(bitcode.blocks)
    ]
    while waiting:
        block, path = waiting.pop()
        if block.irregular:
            reports.add("dxil.irregular", ", ".join(block.irregular), path)
        for at, item in enumerate(block.items):
            where = f"{path}.items[{at}]"
            if isinstance(item, BitBlock):
                waiting.append((item, where))
            elif item.irregular:
                record = item if isinstance(item, BitRecord) else None
                assert record is not None or isinstance(item, AbbreviationDefinition)
                reports.add("dxil.irregular", "superfluous chunks", where, record)
    return True
