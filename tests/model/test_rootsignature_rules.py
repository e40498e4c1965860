"""Each rule for root signatures holds against a text that breaks it, and against valid texts."""

import pytest

from tests.fixtures.root_signatures import BROKEN, VALID, Broken
from unshade.formats.dxcontainer.parts.rts0 import StaticSamplerDescription
from unshade.formats.dxcontainer.reflect.rootsignature import root_signature
from unshade.formats.dxcontainer.rootsig import from_text
from unshade.formats.dxcontainer.rootsig.arguments import (
    RANGE_FLAGS,
    ROOT_FLAGS,
    STATIC_SAMPLER_FLAGS,
)
from unshade.model import RootSignature
from unshade.model import rootsignature_bindings as bindings
from unshade.model import rootsignature_rules as rules
from unshade.model.rootsignature_rules import RULES, check_root_signature
from unshade.vocab.words import Stage

ELSEWHERE = {"rts0.version", "rts0.flags-version", "rts0.sampler-count", "rts0.offset-text"}


def model(text: str) -> RootSignature:
    return root_signature(from_text(text))


def found(root: RootSignature, local: bool | None = None) -> list[tuple[str, str]]:
    return [(each.code, each.path) for each in check_root_signature(root, local)]


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case.code)
def test_what_breaks_a_rule(case: Broken) -> None:
    assert (case.code, case.path) in found(model(case.text))
    assert {code for code, _ in found(model(case.text))} == {case.code}


@pytest.mark.parametrize("text", VALID)
def test_valid(text: str) -> None:
    assert found(model(text)) == []


def test_every_rule_has_a_text_that_breaks_it() -> None:
    alone = set(RULES) - {code for code in RULES if code in AGAINST_SHADERS}
    assert {each.code for each in BROKEN} | ELSEWHERE == alone


AGAINST_SHADERS = {
    "rts0.unbound",
    "rts0.denied",
    "rts0.descriptor",
    "rts0.constants",
    "rts0.constants-size",
    "rts0.constants-indexed",
    "rts0.heap",
}


def test_every_rule_names_its_source() -> None:
    for rule in RULES.values():
        assert any(name in rule.explanation for name in ("dxc", "LLVM", "D3D12", "d3d12.h")), rule


@pytest.mark.parametrize("version", [0, 4, 0xFFFF_FFFF])
def test_unknown_versions(version: int) -> None:
    record = from_text("CBV(b0)")
    record.version = version
    (problem,) = check_root_signature(root_signature(record))
    assert problem[:3] == ("rts0.version", f"version {version}", "version")


@pytest.mark.parametrize(
    ("text", "version", "path"),
    [
        ("CBV(b0, flags=DATA_STATIC)", 1, "parameters[0].flags"),
        ("DescriptorTable(SRV(t0, flags=DATA_STATIC))", 1, "parameters[0].ranges[0].flags"),
        ("DescriptorTable(Sampler(s0, flags=0x1))", 1, "parameters[0].ranges[0].flags"),
        (VALID[-1], 1, "samplers[0].flags"),
        (VALID[-1], 2, "samplers[0].flags"),
    ],
)
def test_flags_that_the_version_lacks(text: str, version: int, path: str) -> None:
    record = from_text(text)
    assert found(root_signature(record)) == []
    record.version = version
    assert found(root_signature(record)) == [("rts0.flags-version", path)]


def test_number_of_static_samplers() -> None:
    record = from_text("StaticSampler(s0)")
    (first,) = record.samplers
    values = {each.name: getattr(first, each.name) for each in first.layout.fields}
    record.samplers = [
        StaticSamplerDescription(**{**values, "register": number}) for number in range(2032)
    ]
    assert found(root_signature(record)) == []
    record.samplers.append(StaticSamplerDescription(**{**values, "register": 2032}))
    assert found(root_signature(record)) == [("rts0.sampler-count", "samplers")]


def test_local_and_global() -> None:
    for text, is_local in (("RootFlags(LOCAL_ROOT_SIGNATURE)", True), ("RootFlags(0)", False)):
        assert found(model(text), local=is_local) == []
        assert found(model(text), local=not is_local) == [("rts0.local", "flags")]


def test_flags_have_the_names_of_the_language() -> None:
    known = {
        name.lower()
        for form in (ROOT_FLAGS, RANGE_FLAGS, STATIC_SAMPLER_FLAGS)
        for name in form.names.values()
    }
    used = {rules.LOCAL, rules.VOLATILE, rules.KEEPING, rules.UINT_BORDER, rules.NON_NORMALIZED}
    used |= {*rules.DATA, *bindings.HEAPS.values()}
    used |= {*rules.DENIED.values()}
    assert used <= known
    assert rules.DENIED.keys() == set(bindings.GRAPHICS)
    assert set(bindings.GRAPHICS) <= set(Stage)


def test_flags_of_ranges_on_a_root_descriptor() -> None:
    problems = [each.message for each in check_root_signature(model("CBV(b0, flags=0x13)"))]
    assert problems == ["expected no other flags than DATA flags, got DESCRIPTORS_VOLATILE | 0x10"]
