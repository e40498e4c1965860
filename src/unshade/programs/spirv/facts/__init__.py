"""Facts about the entry points of a module, in the terms of `model`.

interface    inputs and outputs            modes       settings of the stage
resources    descriptors, push constants   usage       code that is reached, and its operands
types        layouts of blocks             statistics  counts
"""

from collections.abc import Mapping
from functools import cached_property

from ....model import Geometry, SpecialisationConstant, Topology
from ....model.facts import ProgramFacts
from ....unchanged import once
from ....vocab.numbers import word
from ....vocab.slots import STREAMS
from ....vocab.words import Stage
from ..constants import ConstantValues, Value
from ..header import version_text
from ..index import SpirvEntryPoint, index_of
from ..module import Module
from ..tables.grammar import grammar
from ..tables.numbers import Decoration, StorageClass
from ..tables.stages import STAGES
from .interface import Interface
from .modes import read_modes
from .payloads import add_payload
from .resources import Resources, global_variables
from .statistics import statistics
from .types import Types
from .usage import Usage, UsageOfFunctions

__all__ = ["FactsOfModule", "facts_of"]

INTERFACE = (StorageClass.Input, StorageClass.Output)


class FactsOfModule:
    """The facts of a module's entry points, which share types and constants.

    `chosen` are values of specialisation constants, by SpecId, which replace the defaults.
    """

    def __init__(self, module: Module, chosen: Mapping[int, Value] | None = None) -> None:
        self.module = module
        self.index = index_of(module)
        self.constants = ConstantValues(self.index, chosen)
        self.types = Types(self.index, self.constants)
        self.usages = UsageOfFunctions(self.index, self.constants)
        self.interface = Interface(self.index, self.types)
        self.resources = Resources(self.index, self.constants, self.types)
        self._known: dict[int, ProgramFacts] = {}

    def all(self) -> list[ProgramFacts]:
        """Return the facts of each entry point, in the order of the module."""
        return [self.of(at) for at in range(len(self.index.entry_points))]

    def of(self, number: int) -> ProgramFacts:
        """Return the facts of one entry point, the same object each time."""
        found = self._known.get(number)
        if found is None:
            entry = self.index.entry_points[number]
            found = self._known[number] = self.of_entry(entry, self.usages.from_entry(entry))
        return found

    def of_entry(self, entry: SpirvEntryPoint, usage: Usage) -> ProgramFacts:
        """Return the facts of an entry point with this usage; the model -1 means a library."""
        facts = ProgramFacts(
            code="spirv",
            entry_point=entry.name,
            stage=word(STAGES, entry.model) if entry.model >= 0 else Stage.LIBRARY,
            model=version_text(self.module.version),
            features=list(self.features),
            specialisation_constants=list(self.specialisation),
            statistics=statistics(usage),
        )
        read_modes(facts, self.index, self.constants, entry)
        for variable in global_variables(self.index, self.usages.globals):
            used = variable.id in usage.paths
            if variable.storage in INTERFACE:
                if used or variable.id in entry.interface:
                    self.interface.add(facts, variable, usage)
            elif used or variable.id not in self.used:
                self.resources.add(facts, variable, usage)
                if used or variable.id in entry.interface:
                    add_payload(facts, variable, self.interface.packed_size(variable.type))
        if facts.geometry is not None:
            self._set_streams(facts, facts.geometry, usage)
        return facts

    def _set_streams(self, facts: ProgramFacts, geometry: Geometry, usage: Usage) -> None:
        """Set the topology of each stream that has outputs, or that the code names."""
        named = {self.constants.integer(each) for each in usage.streams}
        named |= {each.slot.stream for each in facts.outputs}
        there = named & {*range(STREAMS)} or {0}
        geometry.streams = [
            geometry.output_topology if each in there else Topology.UNDEFINED
            for each in range(max(filter(None, there), default=0) + 1)
        ]

    @cached_property
    def used(self) -> set[int]:
        """The variables that some entry point refers to."""
        entries = self.index.entry_points
        return {each for entry in entries for each in self.usages.from_entry(entry).paths}

    @cached_property
    def features(self) -> list[str]:
        """Names of the capabilities, then of the extensions."""
        names = grammar().kinds["Capability"].by_value
        found = [
            names[each].name if each in names else f"unknown_{each}"
            for each in self.index.capabilities
        ]
        return list(dict.fromkeys([*found, *self.index.extensions]))

    @cached_property
    def specialisation(self) -> list[SpecialisationConstant]:
        """The constants that can be specialised, by their numbers."""
        made = []
        for number, uses in self.index.decorations.items():
            place = next((each for each in uses if each.number == Decoration.SpecId), None)
            value = self.constants.value(number)
            if place is None or not place.words or value is None or isinstance(value, list):
                continue
            scalar, _ = self.types.scalar(self.index.types.get(number, 0))
            made.append(
                SpecialisationConstant(
                    id=place.words[0],
                    type=scalar,
                    default=value,
                    name=self.index.names.get(number) or None,
                )
            )
        return sorted(made, key=lambda each: each.id)


@once
def facts_of(module: Module) -> FactsOfModule:
    """Return the facts of a module, with the defaults of its specialisation constants."""
    return FactsOfModule(module)
