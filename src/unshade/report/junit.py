"""Findings as JUnit XML, the test report that CI systems read: a test case for each file.

    <testsuites>
      <testsuite name="unshade verify" tests="3" failures="1" errors="1" skipped="0">
        <testcase classname="unshade.verify" name="shaders/ok.dxbc"/>
        <testcase …><failure type="tpf.mask" message="2 findings: …">each of them</failure>
        <testcase …><error type="FormatError" message="…"/>

Notes are not failures and are written to <system-out>. A case has one <failure>, since most readers
show only the first. The format has no standard; this report follows the schema of Jenkins' xunit
plugin (junit-10.xsd), the strictest published schema. Jenkins interprets the text before the last
dot of a class name as a package, so a path cannot be used there.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from ..errors import Diagnostic
from ..rule import is_finding
from ..screens.text import many, visible
from . import diagnostic_of, name_of

if TYPE_CHECKING:
    from . import Document


def junit(documents: Iterable["Document"], verb: str = "verify") -> str:
    """Return the report of one run of a verb over these files or pipelines."""
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", name=f"unshade {verb}")
    counts = dict.fromkeys(("tests", "failures", "errors", "skipped"), 0)
    for document in documents:
        counts["tests"] += 1
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"unshade.{verb}", name=visible(name_of(document))
        )
        if "error" in document:
            error = document["error"]
            message = visible(error["message"])
            ElementTree.SubElement(case, "error", type=error["kind"], message=message)
            counts["errors"] += 1
            continue
        findings = [diagnostic_of(each) for each in document["findings"]]
        bad = [each for each in findings if is_finding(each)]
        notes = [each for each in findings if not is_finding(each)]
        if bad:
            message = f"{many(len(bad), 'finding')}: {visible(str(bad[0]))}"
            failure = ElementTree.SubElement(case, "failure", type=bad[0].code, message=message)
            failure.text = _lines(bad)
            counts["failures"] += 1
        if notes:
            ElementTree.SubElement(case, "system-out").text = _lines(notes)
    suite.attrib.update({name: str(count) for name, count in counts.items()})
    ElementTree.indent(suites)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(suites, "unicode")}\n'


def _lines(findings: Iterable[Diagnostic]) -> str:
    return "\n".join(visible(str(each)) for each in findings)
