"""Built-ins of Vulkan: their types, storage classes and execution models.

    name                 type        storage  models     rules on model, storage class and type
    FragCoord            float32x4   I        F          VUID-FragCoord-FragCoord-04210 …

    type     float32 scalar, float32x3 vector, float32[2] array of 2, float32[] of any length;
             a trailing + allows the array of an interface with a value for each vertex
    storage  I input, O output, C constant
    models   letters of MODELS; * any

Source: Vulkan specification, chapter "Built-In Variables".
"""

from ....tuples import NamedTuple
from ..tables.numbers import BuiltIn, ExecutionModel, StorageClass

__all__ = ["BUILTINS", "MODELS", "BuiltInRow"]

MODELS = {
    "V": {ExecutionModel.Vertex},
    "H": {ExecutionModel.TessellationControl},
    "D": {ExecutionModel.TessellationEvaluation},
    "G": {ExecutionModel.Geometry},
    "F": {ExecutionModel.Fragment},
    "C": {ExecutionModel.GLCompute},
    "M": {ExecutionModel.MeshNV, ExecutionModel.MeshEXT},
    "E": {ExecutionModel.MeshEXT},
    "T": {ExecutionModel.TaskNV, ExecutionModel.TaskEXT},
    "r": {ExecutionModel.RayGenerationKHR},
    "i": {ExecutionModel.IntersectionKHR},
    "a": {ExecutionModel.AnyHitKHR},
    "c": {ExecutionModel.ClosestHitKHR},
    "m": {ExecutionModel.MissKHR},
    "l": {ExecutionModel.CallableKHR},
}
STORAGE = {"I": StorageClass.Input, "O": StorageClass.Output}


class BuiltInRow(NamedTuple):
    """A built-in; `forbidden` are pairs of storage class and model with a rule each.

    The rules are the last digits of Vulkan's identifiers, 0 for none.
    """

    name: str
    type: str
    storage: frozenset[int]
    models: frozenset[int] | None
    constant: bool
    rules: tuple[int, int, int]
    forbidden: tuple[tuple[int, frozenset[int], int], ...] = ()

    def vuid(self, rule: int) -> str:
        """Return the identifier of a rule; empty for 0."""
        return f"VUID-{self.name}-{self.name}-{rule:05}" if rule else ""


# Not in these storage classes of these models.
_NOT = {
    "ClipDistance": "I V 4188, O F 4189",
    "CullDistance": "I V 4197, O F 4198",
    "Layer": "I VDGM 4274, O F 4275",
    "ViewportIndex": "I VDGM 4406, O F 4407",
    "PointSize": "I V 4315",
    "Position": "I V 4319",
    "PrimitiveId": "O HDFiac 4334",
    "TessLevelOuter": "I H 4391, O D 4392",
    "TessLevelInner": "I H 4395, O D 4396",
}
_TEXT = """
    BaryCoordKHR                   float32x3     I   F       4154 4155 4156
    BaryCoordNoPerspKHR            float32x3     I   F       4160 4161 4162
    BaseInstance                   int32         I   V       4181 4182 4183
    BaseVertex                     int32         I   V       4184 4185 4186
    ClipDistance                   float32[]+    IO  FVHDGM  4187 4190 4191
    CullDistance                   float32[]+    IO  FVHDGM  4196 4199 4200
    CullMaskKHR                    int32         I   iacm    6735 6736 6737
    CullPrimitiveEXT               bool+         O   E       7034 7035 7036
    DeviceIndex                    int32         I   *       0    4205 4206
    DrawIndex                      int32         I   VMT     4207 4208 4209
    FragCoord                      float32x4     I   F       4210 4211 4212
    FragDepth                      float32       O   F       4213 4214 4215
    FragInvocationCountEXT         int32         I   F       4217 4218 4219
    FragSizeEXT                    int32x2       I   F       4220 4221 4222
    FragStencilRefEXT              int           O   F       4223 4224 4225
    FrontFacing                    bool          I   F       4229 4230 4231
    FullyCoveredEXT                bool          I   F       4232 4233 4234
    GlobalInvocationId             int32x3       I   CMT     4236 4237 4238
    HelperInvocation               bool          I   F       4239 4240 4241
    HitKindKHR                     int32         I   ac      4242 4243 4244
    HitTNV                         float32       I   ac      4245 4246 4247
    HitTriangleVertexPositionsKHR  float32x3[3]  I   ac      8747 8748 8749
    IncomingRayFlagsKHR            int32         I   iacm    4248 4249 4250
    InstanceCustomIndexKHR         int32         I   iac     4251 4252 4253
    InstanceId                     int32         I   iac     4254 4255 4256
    InstanceIndex                  int32         I   V       4263 4264 4265
    InvocationId                   int32         I   HG      4257 4258 4259
    LaunchIdKHR                    int32x3       I   riacml  4266 4267 4268
    LaunchSizeKHR                  int32x3       I   riacml  4269 4270 4271
    Layer                          int32+        IO  VDGFM   4272 0    4276
    LocalInvocationId              int32x3       I   CMT     4281 4282 4283
    LocalInvocationIndex           int32         I   CMT     4284 4285 4286
    NumSubgroups                   int32         I   CMT     4293 4294 4295
    NumWorkgroups                  int32x3       I   CMT     4296 4297 4298
    ObjectRayDirectionKHR          float32x3     I   iac     4299 4300 4301
    ObjectRayOriginKHR             float32x3     I   iac     4302 4303 4304
    ObjectToWorldKHR               float32x3m4   I   iac     4305 4306 4307
    PatchVertices                  int32         I   HD      4308 4309 4310
    PointCoord                     float32x2     I   F       4311 4312 4313
    PointSize                      float32+      IO  VHDGM   4314 4316 4317
    Position                       float32x4+    IO  VHDGM   4318 4320 4321
    PrimitiveId                    int32+        IO  FHDGMiac 4330 0   4337
    PrimitiveLineIndicesEXT        int32x2[]     O   E       7047 7049 7050
    PrimitivePointIndicesEXT       int32[]       O   E       7041 7043 7044
    PrimitiveTriangleIndicesEXT    int32x3[]     O   E       7053 7055 7056
    PrimitiveShadingRateKHR        int32+        O   VGM     4484 4485 4486
    RayGeometryIndexKHR            int32         I   iac     4345 4346 4347
    RayTmaxKHR                     float32       I   iacm    4348 4349 4350
    RayTminKHR                     float32       I   iacm    4351 4352 4353
    SampleId                       int32         I   F       4354 4355 4356
    SampleMask                     int32[]       IO  F       4357 4358 4359
    SamplePosition                 float32x2     I   F       4360 4361 4362
    ShadingRateKHR                 int32         I   F       4490 4491 4492
    SubgroupEqMask                 int32x4       I   *       0    4370 4371
    SubgroupGeMask                 int32x4       I   *       0    4372 4373
    SubgroupGtMask                 int32x4       I   *       0    4374 4375
    SubgroupLeMask                 int32x4       I   *       0    4376 4377
    SubgroupLtMask                 int32x4       I   *       0    4378 4379
    SubgroupId                     int32         I   CMT     4367 4368 4369
    SubgroupLocalInvocationId      int32         I   *       0    4380 4381
    SubgroupSize                   int32         I   *       0    4382 4383
    TessCoord                      float32x3     I   D       4387 4388 4389
    TessLevelInner                 float32[2]    IO  HD      4394 0    4397
    TessLevelOuter                 float32[4]    IO  HD      4390 0    4393
    TileApronSizeQCOM              int32x2       I   C       10632 10633 10634
    TileDimensionQCOM              int32x3       I   C       10629 10630 10631
    TileOffsetQCOM                 int32x2       I   C       10626 10627 10628
    VertexIndex                    int32         I   V       4398 4399 4400
    ViewIndex                      int32         I   VHDGFMTriacml 4401 4402 4403
    ViewportIndex                  int32+        IO  VDGFM   4404 0    4408
    WorkgroupId                    int32x3       I   CMT     4422 4423 4424
    WorkgroupSize                  int32x3       C   CMT     4425 4426 4427
    WorldRayDirectionKHR           float32x3     I   iacm    4428 4429 4430
    WorldRayOriginKHR              float32x3     I   iacm    4431 4432 4433
    WorldToObjectKHR               float32x3m4   I   iac     4434 4435 4436
    SMCountNV                      int32         I   *       0    0    0
    SMIDNV                         int32         I   *       0    0    0
    WarpsPerSMNV                   int32         I   *       0    0    0
    WarpIDNV                       int32         I   *       0    0    0
    CoreIDARM                      int32         I   *       0    0    0
    CoreCountARM                   int32         I   *       0    0    0
    CoreMaxIDARM                   int32         I   *       0    0    0
    WarpIDARM                      int32         I   *       0    0    0
    WarpMaxIDARM                   int32         I   *       0    0    0
"""


def _models(letters: str) -> frozenset[int]:
    return frozenset().union(*(MODELS[letter] for letter in letters))


def _forbidden(name: str) -> tuple[tuple[int, frozenset[int], int], ...]:
    found = []
    for each in _NOT[name].split(", ") if name in _NOT else ():
        storage, models, rule = each.split()
        found.append((STORAGE[storage], _models(models), int(rule)))
    return tuple(found)


def _rows() -> dict[int, BuiltInRow]:
    found = {}
    for line in _TEXT.split("\n"):
        if not line.strip():
            continue
        name, type_, storage, models, *rules = line.split()
        one, two, three = map(int, rules)
        found[getattr(BuiltIn, name)] = BuiltInRow(
            name,
            type_,
            frozenset(STORAGE[letter] for letter in storage if letter in STORAGE),
            None if models == "*" else _models(models),
            storage == "C",
            (one, two, three),
            _forbidden(name),
        )
    return found


BUILTINS = _rows()
