"""Declarations and custom data as fxc prints them.

    dcl_resource_texture2dms(4) (float,float,float,float) T0[0:3], space=1
    |            |          |   |                         |        |
    |            |          |   component types (typed)   |        Shader Model 5.1
    |            |          samples (multisampled)        register, with its range in 5.1
    |            shape
    dcl_input_ps_siv linear noperspective v0.xy, position
    dcl_immediateConstantBuffer { { 1.000000, 0, 0, 0},
                                  { 0, 1.000000, 0, 0} }

Each function prints one kind of declaration; `PRINTERS` says which it is. The decoder does not
promise the dwords behind the operands: one that is missing is printed as <none>.

Source: listings of fxc; spellings.py names what no listing showed.
"""

from collections.abc import Callable, Sequence

from . import literals
from .customdata import ShaderMessage
from .enumerations import CustomClass
from .instruction import Instruction
from .operand_text import OperandTexts, precision_tag
from .operands import Operand
from .ops import OPS
from .spellings import (
    CONSTANT_BUFFER_ACCESS,
    DIMENSIONS,
    DOMAINS,
    GLOBAL_FLAGS,
    INTERPOLATIONS,
    MESSAGES,
    MULTISAMPLED,
    OUTPUT_PRIMITIVES,
    PARTITIONINGS,
    PRIMITIVES,
    RETURN_TYPES,
    SAMPLER_MODES,
    SYSTEM_VALUES,
    TOPOLOGIES,
    UNDECIPHERABLE,
    word,
)
from .tokens import (
    ConstantBufferDcl,
    ControlPoints,
    CustomData,
    GlobalFlags,
    GsPrimitive,
    GsTopology,
    InputPs,
    InterfaceDcl,
    ResourceDcl,
    ReturnTypes,
    SamplerDcl,
    SystemName,
    TableSizes,
    TessDomain,
    TessOutputPrimitive,
    TessPartitioning,
    UavDcl,
)

Printer = Callable[[OperandTexts, Instruction, str], str]

ROW = "dcl_immediateConstantBuffer { "
FIRST_FLAG = GlobalFlags.FIELDS[1].low  # behind the opcode


# ---------------------------------------------------------------- pieces


def _dword(instruction: Instruction, at: int) -> int | None:
    return instruction.words[at] if at < len(instruction.words) else None


def _number(instruction: Instruction, at: int) -> str:
    value = _dword(instruction, at)
    return "<none>" if value is None else str(value)


def _space(instruction: Instruction, at: int) -> str:
    value = _dword(instruction, at)
    return "" if value is None else f", space={value}"


def _types(instruction: Instruction) -> str:
    value = _dword(instruction, 0)
    if value is None:
        return "(<none>)"
    types = ReturnTypes(value)
    return (
        f"({','.join(word(RETURN_TYPES, each) for each in (types.x, types.y, types.z, types.w))})"
    )


def _declared(texts: OperandTexts, operand: Operand) -> str:
    return texts.text(operand, "", precision_tag(operand, 0, False))


def _numbered(prefix: str, numbers: Sequence[int]) -> str:
    return f"{{{', '.join(f'{prefix}{number}' for number in numbers)}}}"


# ---------------------------------------------------------------- resources


def _resource(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    token = ResourceDcl(instruction.token)
    samples = f"({token.sample_count})" if token.dimension in MULTISAMPLED else ""
    register = texts.range(instruction.operands[0])
    shape = word(DIMENSIONS, token.dimension)
    return f"{name}_{shape}{samples} {_types(instruction)} {register}{_space(instruction, 1)}"


def _resource_raw(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {texts.range(instruction.operands[0])}{_space(instruction, 0)}"


def _resource_structured(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    register = texts.range(instruction.operands[0])
    text = f"{name} {register}, {_number(instruction, 0)}{_space(instruction, 1)}"
    return text + " " if texts.style.structured_blank else text


def _uav_suffixes(instruction: Instruction, counter: bool) -> str:
    token = UavDcl(instruction.token)
    coherent = "_glc" if token.globally_coherent else ""
    counted = "_opc" if counter and token.has_counter else ""
    return coherent + counted + ("_rov" if token.rasterizer_ordered else "")


def _uav_typed(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    shape = word(DIMENSIONS, UavDcl(instruction.token).dimension)
    suffixes = _uav_suffixes(instruction, False)
    register = texts.range(instruction.operands[0])
    return f"{name}_{shape}{suffixes} {_types(instruction)} {register}{_space(instruction, 1)}"


def _uav_raw(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return _resource_raw(texts, instruction, name + _uav_suffixes(instruction, False))


def _uav_structured(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    name += _uav_suffixes(instruction, True)
    register = texts.range(instruction.operands[0])
    return f"{name} {register}, {_number(instruction, 0)}{_space(instruction, 1)}"


def _constant_buffer(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    access = word(CONSTANT_BUFFER_ACCESS, ConstantBufferDcl(instruction.token).access)
    operand = instruction.operands[0]
    if len(operand.indices) == 3:
        register = f"{texts.range(operand)}[{_number(instruction, 0)}]"
        return f"{name} {register}, {access}{_space(instruction, 1)}"
    register = texts.register(operand)
    if texts.style.capital_buffers:
        register = register.replace("cb", "CB", 1)
    return f"{name} {register}, {access}"


def _sampler(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    mode = word(SAMPLER_MODES, SamplerDcl(instruction.token).mode)
    return f"{name} {texts.range(instruction.operands[0])}, {mode}{_space(instruction, 0)}"


def _shared_raw(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {_declared(texts, instruction.operands[0])}, {_number(instruction, 0)}"


def _shared_structured(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{_shared_raw(texts, instruction, name)}, {_number(instruction, 1)}"


# ---------------------------------------------------------------- inputs and outputs


def _register(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {_declared(texts, instruction.operands[0])}"


def _register_with_meaning(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    value = _dword(instruction, 0)
    meaning = "<none>" if value is None else word(SYSTEM_VALUES, SystemName.name.of(value))
    return f"{name} {_declared(texts, instruction.operands[0])}, {meaning}"


def _interpolated(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return _register(texts, instruction, f"{name} {_interpolation(instruction)}")


def _interpolated_siv(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return _register_with_meaning(texts, instruction, f"{name} {_interpolation(instruction)}")


def _interpolated_sgv(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    if texts.style.sgv_interpolation:
        name = f"{name} {_interpolation(instruction)}"
    return _register_with_meaning(texts, instruction, name)


def _interpolation(instruction: Instruction) -> str:
    return word(INTERPOLATIONS, InputPs(instruction.token).interpolation)


def _index_range(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{_register(texts, instruction, name)} {_number(instruction, 0)}"


# ---------------------------------------------------------------- numbers and words


def _count(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {_number(instruction, 0)}"


def _indexable_temp(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    register, elements, components = (_number(instruction, at) for at in range(3))
    return f"{name} x{register}[{elements}], {components}"


def _thread_group(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {', '.join(_number(instruction, at) for at in range(3))}"


def _max_tessfactor(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    value = _dword(instruction, 0)
    if value is None:
        return f"{name} <none>"
    style = texts.style
    return f"{name} l({literals.floating(value, style.library)})"


def _global_flags(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    flags = [
        flag for bit, flag in enumerate(GLOBAL_FLAGS, FIRST_FLAG) if instruction.token >> bit & 1
    ]
    return f"{name} {' | '.join(flags)}"


def _topology(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {word(TOPOLOGIES, GsTopology(instruction.token).topology)} "


def _primitive(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {word(PRIMITIVES, GsPrimitive(instruction.token).primitive)} "


def _control_points(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {ControlPoints(instruction.token).count}"


def _domain(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {word(DOMAINS, TessDomain(instruction.token).domain)}"


def _partitioning(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} {word(PARTITIONINGS, TessPartitioning(instruction.token).partitioning)}"


def _output_primitive(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    made = TessOutputPrimitive(instruction.token).output_primitive
    return f"{name} {word(OUTPUT_PRIMITIVES, made)}"


# ---------------------------------------------------------------- dynamic linkage


def _function_body(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} fb{_number(instruction, 0)}"


def _function_table(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    return f"{name} ft{_number(instruction, 0)} = {_numbered('fb', instruction.words[2:])}"


def _interface(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    if InterfaceDcl(instruction.token).dynamic_indexed:
        name += "_dynamicindexed"
    lengths = _dword(instruction, 2)
    array = "<none>" if lengths is None else str(TableSizes(lengths).array_length)
    slot = f"fp{_number(instruction, 0)}[{array}][{_number(instruction, 1)}]"
    return f"{name} {slot} = {_numbered('ft', instruction.words[3:])}"


# ---------------------------------------------------------------- custom data


def custom_data(texts: OperandTexts, instruction: Instruction, name: str) -> str:
    """Data between the instructions; a constant table takes a line a row."""
    words = instruction.payload or ()
    kind = CustomData(instruction.token).custom_class
    if kind == CustomClass.DCL_IMMEDIATE_CONSTANT_BUFFER:
        style = texts.style
        values = [literals.untyped(bits, style.library) for bits in words]
        rows = [f"{{ {', '.join(values[at : at + 4])}}}" for at in range(0, len(values), 4)]
        return ROW + f",\n{' ' * len(ROW)}".join(rows) + " }"
    if kind == CustomClass.SHADER_MESSAGE:
        return _message(texts, words) or UNDECIPHERABLE
    return UNDECIPHERABLE


def _message(texts: OperandTexts, payload: tuple[int, ...]) -> str | None:
    message = ShaderMessage.decode(payload)
    if message is None or message.message_id not in MESSAGES:
        return None
    text = "".join(map(_printable, message.text))
    # fxc 10.1 prints `printf "%f", l(3.141590)`: the values are copied, not calculated with.
    operands = [texts.text(each, "x", precision_tag(each, 0, False)) for each in message.operands]
    return ", ".join((f'{MESSAGES[message.message_id]} "{text}"', *operands))


def _printable(character: int) -> str:
    escape = {8: "\\b", 9: "\\t", 10: "\\n", 13: "\\r", 92: "\\\\"}.get(character)
    return escape or (chr(character) if 32 <= character < 127 else ".")


# ---------------------------------------------------------------- which is which

# fmt: off
_BY_NAME: dict[str, Printer] = {
    "dcl_resource":                      _resource,
    "dcl_constantbuffer":                _constant_buffer,
    "dcl_sampler":                       _sampler,
    "dcl_indexrange":                    _index_range,
    "dcl_outputtopology":                _topology,
    "dcl_inputprimitive":                _primitive,
    "dcl_maxout":                        _count,
    "dcl_input":                         _register,
    "dcl_input_sgv":                     _register_with_meaning,
    "dcl_input_siv":                     _register_with_meaning,
    "dcl_input_ps":                      _interpolated,
    "dcl_input_ps_sgv":                  _interpolated_sgv,
    "dcl_input_ps_siv":                  _interpolated_siv,
    "dcl_output":                        _register,
    "dcl_output_sgv":                    _register_with_meaning,
    "dcl_output_siv":                    _register_with_meaning,
    "dcl_temps":                         _count,
    "dcl_indexableTemp":                 _indexable_temp,
    "dcl_globalFlags":                   _global_flags,
    "dcl_stream":                        _register,
    "dcl_function_body":                 _function_body,
    "dcl_function_table":                _function_table,
    "dcl_interface":                     _interface,
    "dcl_input_control_point_count":     _control_points,
    "dcl_output_control_point_count":    _control_points,
    "dcl_tessellator_domain":            _domain,
    "dcl_tessellator_partitioning":      _partitioning,
    "dcl_tessellator_output_primitive":  _output_primitive,
    "dcl_hs_max_tessfactor":             _max_tessfactor,
    "dcl_hs_fork_phase_instance_count":  _count,
    "dcl_hs_join_phase_instance_count":  _count,
    "dcl_thread_group":                  _thread_group,
    "dcl_uav_typed":                     _uav_typed,
    "dcl_uav_raw":                       _uav_raw,
    "dcl_uav_structured":                _uav_structured,
    "dcl_tgsm_raw":                      _shared_raw,
    "dcl_tgsm_structured":               _shared_structured,
    "dcl_resource_raw":                  _resource_raw,
    "dcl_resource_structured":           _resource_structured,
    "dcl_gsinstances":                   _count,
    "customdata":                        custom_data,
}
# fmt: on
PRINTERS: dict[int, Printer] = {OPS[name].code: printer for name, printer in _BY_NAME.items()}
