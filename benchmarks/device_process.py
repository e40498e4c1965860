"""A lavapipe in a process of its own, which may run in another root: one for each Mesa.

    with DeviceProcess("chroot ROOT python3") as peer:
        peer.version                          "Mesa 26.2.6 (LLVM 22.1.8)"
        peer.load(spirv, {0: x, 1: y}, push)  a pipeline, with buffers of these bytes
        peer.seconds((1024, 1, 1))            CPU time of a dispatch, all threads of that process
        peer.read(1)                          the bytes of a buffer
        peer.creation((1, 1, 1))              CPU time of a new pipeline and of one dispatch of it
        peer.draw(scene, fetch)               the bytes of each target: see drawing_scenes.py
        peer.draw_state(scene, fetch)         the same with any state: see state_scenes.py
        peer.load_mesh(scene)                 a mesh to be drawn: see mesh_scene.py
        peer.mesh_seconds()                   CPU time of a draw of it
        peer.read_mesh()                      the bytes of its target
        peer.limits()                         bits of subpixel precision, whether lines are strict

The command starts a Python of 3.10 or newer. It needs nothing but a Vulkan loader and Mesa's
lavapipe: the modules that run there are sent to it through its standard input.

    -> {module: source}                       once
    -> name of a function, its arguments      both directions: pickles
    <- True, its result                       False, a message: it failed
"""

import os
import pickle
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import state_scenes
from drawing_scenes import Scene, Scenes, limits
from lavapipe import WIDTH, Lavapipe
from mesh_scene import MeshDraw, MeshScene
from state_scenes import StateScene
from vulkan import VulkanError

MODULES = (  # in the order of imports
    "vulkan", "vulkan_resources", "vulkan_pipelines", "lavapipe", "drawing_scenes",
    "state_scenes", "mesh_scene", "device_process",
)  # fmt: skip
START = """
import pickle, sys, types
for name, source in pickle.load(sys.stdin.buffer).items():
    module = sys.modules[name] = types.ModuleType(name)
    exec(compile(source, name + ".py", "exec"), module.__dict__)
module.serve()
"""
Groups = tuple[int, int, int]


class DeviceProcess:
    """A process with a lavapipe and one pipeline at a time.

    `command` starts its Python; `bits` is the width of its vector registers, 0 if it may choose.
    """

    def __init__(self, command: str = "", bits: int = 0) -> None:
        words = shlex.split(command) or [sys.executable]
        folder = Path(__file__).parent
        sources = {name: (folder / f"{name}.py").read_text("utf-8") for name in MODULES}
        try:
            self.process = subprocess.Popen(
                [*words, "-c", START], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env={**os.environ, WIDTH: str(bits)} if bits else None,
            )  # fmt: skip
        except OSError as error:
            raise VulkanError(str(error)) from None
        self._send(sources)
        self.version: str = self._answer()

    def load(self, spirv: bytes, arrays: Mapping[int, bytes], push: bytes) -> None:
        """Make buffers and a compute pipeline; those made before stay in memory, unused."""
        self._call("load", spirv, dict(arrays), push)

    def seconds(self, groups: Groups) -> float:
        """Return the CPU time of a dispatch."""
        found: float = self._call("seconds", groups)
        return found

    def read(self, binding: int) -> bytes:
        """Return the bytes of a buffer."""
        found: bytes = self._call("read", binding)
        return found

    def creation(self, groups: Groups) -> float:
        """Return the CPU time of creating the pipeline anew and of its first dispatch."""
        found: float = self._call("creation", groups)
        return found

    def draw(self, scene: Scene, fetch: bytes) -> list[bytes]:
        """Return the bytes of each target of a scene; `fetch` reads pixels of several samples."""
        found: list[bytes] = self._call("draw", scene, fetch)
        return found

    def draw_state(self, scene: StateScene, fetch: bytes) -> tuple[list[bytes], bytes, bytes]:
        """Return the bytes of the targets of a scene, of its depth and of its stencil."""
        found: tuple[list[bytes], bytes, bytes] = self._call("draw_state", scene, fetch)
        return found

    def load_mesh(self, scene: MeshScene) -> None:
        """Make what a mesh is drawn with."""
        self._call("load_mesh", scene)

    def mesh_seconds(self) -> float:
        """Return the CPU time of drawing the mesh."""
        found: float = self._call("mesh_seconds")
        return found

    def read_mesh(self) -> bytes:
        """Return the bytes of the mesh's target."""
        found: bytes = self._call("read_mesh")
        return found

    def limits(self) -> tuple[int, bool]:
        """Return the bits of subpixel precision, and whether lines are strict."""
        found: tuple[int, bool] = self._call("limits")
        return found

    def __enter__(self) -> "DeviceProcess":
        return self

    def __exit__(self, *rest: object) -> None:
        """End the process."""
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait()

    def _call(self, name: str, *args: object) -> Any:
        self._send((name, args))
        return self._answer()

    def _send(self, thing: object) -> None:
        assert self.process.stdin
        try:
            pickle.dump(thing, self.process.stdin, 4)
            self.process.stdin.flush()
        except BrokenPipeError:
            raise VulkanError("the process has ended") from None

    def _answer(self) -> Any:
        assert self.process.stdout
        try:
            done, found = pickle.load(self.process.stdout)
        except EOFError:
            raise VulkanError("the process has ended") from None
        if not done:
            raise VulkanError(found)
        return found


# ---------------------------------------------------------------- inside of the process


class _Served:
    """The functions that can be called."""

    def __init__(self) -> None:
        self.device = Lavapipe(extensions=["VK_EXT_line_rasterization"])
        self.made: tuple[bytes, bytes] = b"", b""
        self.buffers: dict[int, Any] = {}
        self.shader: Any = None
        self.scenes: Any = None
        self.mesh: Any = None

    def load(self, spirv: bytes, arrays: dict[int, bytes], push: bytes) -> None:
        self.made = spirv, push
        self.buffers = {at: self.device.buffer(data) for at, data in arrays.items()}
        self.shader = self.device.compute(spirv, self.buffers, push)

    def seconds(self, groups: Groups) -> float:
        found: float = self.shader.cpu_seconds(*groups, rounds=1, warm=False)[0]
        return found

    def read(self, binding: int) -> bytes:
        return bytes(self.buffers[binding].data)

    def draw(self, scene: Scene, fetch: bytes) -> list[bytes]:
        self.scenes = self.scenes or Scenes(self.device, fetch)
        found: list[bytes] = self.scenes.draw(scene)
        return found

    def draw_state(self, scene: StateScene, fetch: bytes) -> tuple[list[bytes], bytes, bytes]:
        self.scenes = self.scenes or Scenes(self.device, fetch)
        return state_scenes.draw(self.scenes, scene)

    def load_mesh(self, scene: MeshScene) -> None:
        self.mesh = MeshDraw(self.device, scene)

    def mesh_seconds(self) -> float:
        found: float = self.mesh.seconds()
        return found

    def read_mesh(self) -> bytes:
        found: bytes = self.mesh.read()
        return found

    def limits(self) -> tuple[int, bool]:
        return limits(self.device)

    def creation(self, groups: Groups) -> float:
        spirv, push = self.made
        shader = self.device.compute(spirv, self.buffers, push)
        shader.dispatch(*groups)
        return shader.creation + shader.first


def serve() -> None:
    """Answer calls until standard input ends; what a driver prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        served = _Served()
    except VulkanError as error:
        _put(answers, (False, str(error)))
        return
    _put(answers, (True, served.device.version))
    while True:
        try:
            name, args = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            _put(answers, (True, getattr(served, name)(*args)))
        except VulkanError as error:
            _put(answers, (False, str(error)))


def _put(file: IO[bytes], thing: object) -> None:
    pickle.dump(thing, file, 4)
    file.flush()
