"""Templates: lists of objects that are made when somebody asks for them."""

import copy
import pickle

from unshade.errors import LimitError
from unshade.limits import Limits
from unshade.model import Reflection, SignatureParameter
from unshade.model.templates import FactsTemplate
from unshade.vocab.words import ComponentType, SystemValue

ROW = SignatureParameter(
    semantic="TEXCOORD",
    index=0,
    register=1,
    components="xy",
    used="x",
    component_type=ComponentType.FLOAT32,
)


def reflections() -> tuple[Reflection, Reflection]:
    """Return a reflection with a deferred list, and an equal one with a list."""
    template = FactsTemplate(ROW)
    changed = template.changed(semantic="SV_Depth", system_value=SystemValue.DEPTH)
    deferred = Reflection(format="toy")
    deferred.defer(outputs=[template, changed])
    return deferred, Reflection(format="toy", outputs=[template.made(), changed.made()])


def test_plain_data_is_the_same_before_and_after_the_list_is_asked_for() -> None:
    deferred, given = reflections()
    before = deferred.to_dict()
    assert before == given.to_dict()
    assert before["outputs"][1]["system_value"] == "depth"
    assert type(before["outputs"][1]["system_value"]) is str
    assert deferred.outputs == given.outputs
    assert deferred.to_dict() == before


def test_what_is_made_of_a_template_is_changed_alone() -> None:
    deferred, given = reflections()
    plain = deferred.to_dict()
    plain["outputs"][0]["semantic"] = "COLOR"
    assert deferred.to_dict() == given.to_dict()
    deferred.outputs[0].semantic = "COLOR"
    deferred.outputs.pop()
    assert [each["semantic"] for each in deferred.to_dict()["outputs"]] == ["COLOR"]
    assert FactsTemplate(ROW).made() == ROW


def test_a_deferred_list_can_be_replaced() -> None:
    deferred, _ = reflections()
    deferred.outputs = []
    assert deferred.to_dict()["outputs"] == []


def test_deferred_lists_are_copied_and_pickled() -> None:
    deferred, given = reflections()
    for made in (copy.deepcopy(deferred), pickle.loads(pickle.dumps(deferred))):
        assert made.to_dict() == given.to_dict()
        made.outputs[0].semantic = "COLOR"
    assert deferred == given


def test_deferred_lists_count_as_much_as_others() -> None:
    deferred, given = reflections()
    most = next(most for most in range(1000) if fits(given, most))
    assert not fits(deferred, most - 1)
    assert fits(deferred, most)


def fits(facts: Reflection, most: int) -> bool:
    try:
        facts.to_dict(Limits(nodes=most))
    except LimitError:
        return False
    return True
