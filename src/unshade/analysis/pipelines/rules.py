"""The rules of pipelines, in the words of the API that enforces them.

    link.register   D3D11 #343   D3D12 #660   "… defined for mismatched hardware registers …"
    link.missing    D3D11 #342   D3D12 #666   Vulkan VUID-RuntimeSpirv-OpEntryPoint-08743

A rule has a code and a severity for all APIs. `words` is the sentence of the debug layer of
Direct3D, in which {semantic} and {index} are replaced; `d3d11`, `d3d12` and `vulkan` identify the
message of each API, and are empty where the API has no such rule.

Source: d3d11sdklayers.h and d3d12sdklayers.h (numbers and names of messages), published logs of the
debug layers (sentences), the Vulkan specification (valid usage identifiers).
"""
# ruff: noqa: E501

from ...errors import Severity
from ...rule import Rule, table
from ...tuples import NamedTuple

__all__ = ["BY_CODE", "DIRECT3D", "PICA", "RULES", "SKIA", "VULKAN", "LinkRule", "reference"]

DIRECT3D, VULKAN, PICA, SKIA = "direct3d", "vulkan", "pica200", "skia"  # `Format.pipelines`
E, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE
INCOMPATIBLE = "Signatures between stages are incompatible. "
X, S, SW = "EXECUTION ERROR ", "STATE_CREATION ERROR ", "STATE_CREATION WARNING "
PSO = "CREATEGRAPHICSPIPELINESTATE_"
OBJECT = S + "#1194: CREATE_STATE_OBJECT_ERROR"


class LinkRule(NamedTuple):
    """A rule of pipelines; the last fields identify the message of each API."""

    code: str
    severity: Severity
    summary: str
    explanation: str
    words: str = ""
    d3d11: str = ""
    d3d12: str = ""
    vulkan: str = ""


# fmt: off
LINKS = (
    # ---- outputs against inputs
    LinkRule("link.missing",        E, "a stage reads an input that the stage before does not write", "Direct3D matches by semantic and index, Vulkan by location and component. Values that the pipeline generates need no output.",
             INCOMPATIBLE + "The input stage requires Semantic/Index ({semantic},{index}) as input, but it is not provided by the output stage.",
             X + "#342: DEVICE_SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND", f"{S}#666: {PSO}SHADER_LINKAGE_SEMANTICNAME_NOT_FOUND", "VUID-RuntimeSpirv-OpEntryPoint-08743"),
    LinkRule("link.register",       E, "an output and the input of its name are in different registers", "Stages are joined by registers, which compilers number in the order of declaration: the inputs have to be the first outputs, in the same order.",
             INCOMPATIBLE + "Semantic '{semantic}' is defined for mismatched hardware registers between the output stage and input stage.",
             X + "#343: DEVICE_SHADER_LINKAGE_REGISTERINDEX", f"{S}#660: {PSO}SHADER_LINKAGE_REGISTERINDEX"),
    LinkRule("link.mask",           E, "an input has components that its output does not have", "The mask of the input has to be a subset of the mask of the output.",
             INCOMPATIBLE + "Semantic '{semantic}' of the input stage has a hardware register component mask that is not a subset of the output of the previous stage.",
             X + "#345: DEVICE_SHADER_LINKAGE_REGISTERMASK", f"{S}#662: {PSO}SHADER_LINKAGE_REGISTERMASK"),
    LinkRule("link.type",           E, "an output and its input have different types", "Bits are passed on as they are: a float that is read as an integer is another number. Signed and unsigned integers differ, too; newer validation layers of Vulkan let them pass.",
             INCOMPATIBLE + "Semantic '{semantic}' has different component types in the output stage and input stage.",
             X + "#344: DEVICE_SHADER_LINKAGE_COMPONENTTYPE", f"{S}#661: {PSO}SHADER_LINKAGE_COMPONENTTYPE", "VUID-RuntimeSpirv-OpEntryPoint-07754"),
    LinkRule("link.system-value",   E, "an output and its input have different system values", "A value with a meaning to the pipeline in one stage has it in the next one, too.",
             INCOMPATIBLE + "Semantic '{semantic}' has different system values in the output stage and input stage.",
             X + "#346: DEVICE_SHADER_LINKAGE_SYSTEMVALUE", f"{S}#663: {PSO}SHADER_LINKAGE_SYSTEMVALUE"),
    LinkRule("link.never-written",  E, "a stage reads components that the stage before declares but never writes", "The value is undefined. In Vulkan this is checked of clip and cull distances, as a warning.",
             "Stages are incompatible with each other. Semantic '{semantic}' is always read by the downstream shader, but never written by the upstream shader (even though the semantic is present in its output signature).",
             X + "#347: DEVICE_SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS", f"{S}#664: {PSO}SHADER_LINKAGE_NEVERWRITTEN_ALWAYSREADS"),
    LinkRule("link.min-precision",  E, "an output and its input have different minimum precisions", "The precision is part of the format of a register.",
             INCOMPATIBLE + "Semantic '{semantic}' has different minimum precisions in the output stage and input stage.",
             X + "#3146050: DEVICE_SHADER_LINKAGE_MINPRECISION", f"{S}#665: {PSO}SHADER_LINKAGE_MINPRECISION"),
    LinkRule("link.vector-size",    W, "an input is a smaller vector than its output", "Allowed with the feature maintenance4, which Vulkan 1.3 guarantees and which has to be enabled. An error if the state lists features without it.",
             vulkan="VUID-RuntimeSpirv-maintenance4-06817"),
    LinkRule("link.unused",         N, "the next stage does not read an output", "The output takes bandwidth. Validation layers warn of it."),
    LinkRule("link.patch",          E, "a value is of a patch in one stage, of a vertex in the next", "The decoration Patch has to agree.",
             vulkan="VUID-RuntimeSpirv-OpVariable-08746"),
    LinkRule("link.control-points", E, "a domain shader takes another number of control points than the hull shader outputs", "Both declare the number.",
             d3d12=f"{S}#669: {PSO}HS_DS_CONTROL_POINT_COUNT_MISMATCH"),
    LinkRule("link.domain",         E, "a hull shader and a domain shader have different domains", "Both declare whether patches are isolines, triangles or quads.",
             d3d12=f"{S}#670: {PSO}HS_DS_TESSELLATOR_DOMAIN_MISMATCH"),
    LinkRule("link.primitive",      E, "a geometry shader takes other primitives than the tessellator makes", "The tessellator makes points, lines or triangles.",
             d3d12=f"{S}#681: {PSO}GS_INPUT_PRIMITIVE_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-pStages-00739"),
    LinkRule("link.payload",        E, "an amplification shader and a mesh shader have payloads of different sizes", "A mesh shader that reads the payload declares the same structure.",
             d3d12=f"{S}#1276: CREATEMESHSHADER_MISMATCHEDASMSPAYLOADSIZE"),
    LinkRule("link.position",       E, "the last stage before the pixel shader outputs no position", "Rasterisation needs SV_Position.",
             d3d12=f"{S}#682: {PSO}POSITION_NOT_PRESENT"),
    LinkRule("link.distances",      E, "more than 8 clip and cull distances", "The limit is for both together.",
             vulkan="VUID-VkPipelineShaderStageCreateInfo-maxCombinedClipAndCullDistances-00710"),
    LinkRule("link.buffer",         W, "stages have different layouts of a constant buffer that they share", "A variable of the same name has another offset or type in the buffer of the same name and binding: the stages were compiled from different versions of its declaration. No API reports it."),
    # ---- the stages together
    LinkRule("stages.tessellation", E, "a hull shader without a domain shader, or the other way round", "Tessellation needs both.",
             d3d12=f"{S}#667: {PSO}HS_XOR_DS_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-pStages-00729"),
    LinkRule("stages.mesh",         E, "a mesh shader beside stages of vertices, or an amplification shader without one", "Mesh shaders replace the stages before the rasteriser.",
             d3d12=f"{S}#1248: {PSO}MS_PSO_DESC_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-pStages-02095"),
    # ---- the root signature; more rules are those of `verify`, rts0.…
    LinkRule("root.several",        N, "stages embed different root signatures", "If the application passes no root signature, all stages that embed one have to embed the same. Give the one that it passes; else each stage is checked against its own."),
    LinkRule("root.input-layout",   E, "a root signature without the flag for an input layout", "A vertex shader with inputs needs ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT.",
             d3d12=f"{S}#683: {PSO}MISSING_ROOT_SIGNATURE_FLAGS"),
    # ---- state objects: ray tracing, work graphs
    LinkRule("object.export",       E, "a subobject names an export that no library has", "Hit groups, associations, programs and lists of exports name entry points of the libraries, in the spelling of the source or as the linker does.",
             d3d12=OBJECT),
    LinkRule("object.twice",        E, "two exports have the same name", "A list of exports can rename one.",
             d3d12=OBJECT),
    LinkRule("object.hit-group",    E, "a hit group with a shader of another stage, or without the shaders of its kind", "Procedural primitives have an intersection shader, triangles have none.",
             d3d12=OBJECT),
    LinkRule("object.config",       E, "a ray-tracing pipeline without configuration, or with several", "A pipeline has one pipeline configuration, and each of its shaders one shader configuration.",
             d3d12=OBJECT),
    LinkRule("object.payload",      E, "a payload is larger than the configuration allows", "MaxPayloadSizeInBytes holds for the payloads that a shader takes and passes.",
             d3d12=OBJECT),
    LinkRule("object.attributes",   E, "attributes are larger than the configuration allows", "MaxAttributeSizeInBytes; those of triangles have 8 bytes.",
             d3d12=OBJECT),
    LinkRule("object.passed",       W, "a shader passes a payload or parameter of a size that no shader takes", "Every hit and miss shader that a ray can reach takes the structure that was passed, and a callable shader the parameter. No API reports it."),
    LinkRule("object.root",         E, "a shader has several global or several local root signatures", "An association decides which one holds.",
             d3d12=OBJECT),
    LinkRule("object.binding",      E, "a resource is in no root signature of its shader", "The global or the local root signature binds it.",
             d3d12=OBJECT),
    LinkRule("graph.node",          E, "a work graph names a node that it does not have", "Records are sent to nodes by name and index; an array that is declared as sparse may lack nodes.",
             d3d12=OBJECT),
    LinkRule("graph.twice",         E, "two nodes of a work graph have the same id", "An override gives a node another name.",
             d3d12=OBJECT),
    LinkRule("graph.record",        E, "a node sends records of another size than the receiver takes", "The receiver declares the structure of its input; both may be empty.",
             d3d12=OBJECT),
    LinkRule("graph.shared",        E, "nodes that share an input are launched differently", "They take the same records in the same launch mode.",
             d3d12=OBJECT),
    LinkRule("graph.recursion",     E, "a node sends records to itself without a maximum depth", "NodeMaxRecursionDepth limits the recursion.",
             d3d12=OBJECT),
    LinkRule("graph.circle",        E, "nodes send records in a circle", "Only a node itself may be reached again.",
             d3d12=OBJECT),
    LinkRule("graph.depth",         E, "more than 32 nodes in a row", "The limit includes recursion.",
             d3d12=OBJECT),
    # ---- resources against a pipeline layout of Vulkan
    LinkRule("layout.binding",      E, "a pipeline layout without a binding that a stage uses", "Each descriptor that the code uses has to be in the layout, visible to its stage.",
             vulkan="VUID-Vk{kind}PipelineCreateInfo-layout-07988"),
    LinkRule("layout.type",         E, "a binding has another type in the pipeline layout", "The type of the descriptor follows from the variable: its storage class, its type and its decorations.",
             vulkan="VUID-Vk{kind}PipelineCreateInfo-layout-07990"),
    LinkRule("layout.count",        E, "an array of descriptors is longer than in the pipeline layout", "The layout has to have at least as many descriptors as the array. An array without a length is accepted.",
             vulkan="VUID-Vk{kind}PipelineCreateInfo-layout-07991"),
    LinkRule("layout.push-constants", E, "push constants are in no range of the pipeline layout", "One range that is visible to the stage has to contain the whole block.",
             vulkan="VUID-Vk{kind}PipelineCreateInfo-layout-07987"),
    # ---- the state of the pipeline
    LinkRule("state.input-missing", E, "the input layout lacks an input of the vertex shader", "Each input that the pipeline does not generate has to be an element.",
             d3d11=S + "#163: CREATEINPUTLAYOUT_MISSINGELEMENT", d3d12=S + "#65: CREATEINPUTLAYOUT_MISSINGELEMENT", vulkan="VUID-VkGraphicsPipelineCreateInfo-Input-07904"),
    LinkRule("state.input-type",    W, "an input has another type than its element of the input layout", "Direct3D passes the bits on, which is well defined and rarely meant. An error in Vulkan.",
             d3d11=SW + "#391: CREATEINPUTLAYOUT_TYPE_MISMATCH", d3d12=SW + "#245: CREATEINPUTLAYOUT_TYPE_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-Input-08733"),
    LinkRule("state.target-type",   W, "an output of the pixel shader has another type than its target", "What is written is undefined if a shader writes floats to a target of integers, or integers of another sign, or the other way round.",
             d3d12=f"{SW}#677: {PSO}PS_OUTPUT_TYPE_MISMATCH"),
    LinkRule("state.target-unused", N, "the pixel shader writes a target that the pipeline does not have", "The value is discarded.",
             d3d12=f"{SW}#679: {PSO}RENDERTARGETVIEW_NOT_SET"),
    LinkRule("state.target-missing", N, "the pixel shader does not write a target of the pipeline", "The target keeps its contents, or they become undefined, unless its write mask is 0.",
             d3d12=f"{SW}#974: {PSO}PS_OUTPUT_RT_OUTPUT_MISMATCH"),
    LinkRule("state.topology",      E, "a hull shader without patches, or patches without one", "Tessellation takes patches of control points. Direct3D accepts patches without tessellation.",
             d3d12=f"{S}#668: {PSO}HULL_SHADER_INPUT_TOPOLOGY_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-pStages-08888"),
    LinkRule("state.control-points", E, "patches of another number of control points than the hull shader takes", "The hull shader declares the number.",
             d3d12=f"{S}#668: {PSO}HULL_SHADER_INPUT_TOPOLOGY_MISMATCH"),
    LinkRule("state.geometry-input", E, "a geometry shader takes other primitives than the topology has", "The input primitive of the shader has to be compatible with the topology.",
             d3d12=f"{S}#681: {PSO}GS_INPUT_PRIMITIVE_MISMATCH", vulkan="VUID-VkGraphicsPipelineCreateInfo-pStages-00738"),
    LinkRule("state.thread-group",  E, "a thread group is larger than the device allows", "The state lists limits of VkPhysicalDeviceLimits or of the extension for mesh shaders. Limits of Direct3D are rules of `verify`.",
             vulkan="VUID-RuntimeSpirv-x-06432"),
)
# fmt: on

RULES = table(Rule(*each[:4]) for each in LINKS)
BY_CODE = {each.code: each for each in LINKS}


def reference(code: str, runtime: str) -> str:
    """Return the identifier of a rule's message in a runtime: d3d11, d3d12 or vulkan; or ""."""
    found = BY_CODE.get(code)
    return "" if found is None else str(getattr(found, runtime, ""))
