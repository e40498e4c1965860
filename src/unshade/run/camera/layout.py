"""The layout of a matrix in a variable of a shader.

float4x4 view              a matrix, for row vectors (v * M) or column vectors (M * v)
float4 projMtx[4]          four dot products: a register for each component of the result
float4 modelView[3]        three of them: the last row of the matrix is 0, 0, 0, 1
float4 bones[48]           as many matrices of three or four registers as there is room for
projection[0].wzyx         the components of a register in reverse order, as citro3d stores them
"""

from typing import Any

import numpy as np

from ...dataclass import dataclass, replace
from ...model import TypeClass, TypeDescription
from ...vm.launch import Array
from .camera import Camera
from .names import IDENTITY, MatrixRole

CAMERA = frozenset({"view", "projection"})
MATRICES = (TypeClass.MATRIX_ROWS, TypeClass.MATRIX_COLUMNS)
REGISTERS = (4, 3)  # of a matrix in an array of vectors


@dataclass(frozen=True, slots=True)
class CameraMatrix:
    """The role of a matrix and its layout in memory.

    Attributes:
        role: The transformation.
        columns: True if it is for column vectors.
        reverse: True if the components of each register are stored in reverse order.
        registers: The registers of a matrix in an array of vectors.
    """

    role: MatrixRole
    columns: bool = False
    reverse: bool = False
    registers: int = 4

    @property
    def camera_words(self) -> str:
        """The part of the camera in the matrix, in words."""
        words = replace(self.role, parts=self.role.parts & CAMERA).words
        return f"{words} (as wzyx)" if self.reverse else words

    def array(self, camera: Camera | None, rows: int, columns: int) -> Array:
        """Return the matrix as an array (rows, columns)."""
        whole = camera.matrix(self.role) if camera is not None else np.eye(4)
        whole = (whole.T if self.columns else whole)[:rows, :columns]
        return np.ascontiguousarray(whole[:, ::-1] if self.reverse else whole, "f4")

    def value(self, kind: TypeDescription, camera: Camera | None) -> Any:
        """Return the value of a variable: a matrix, or nested lists of as many as there are."""
        if is_vectors(kind):
            count = kind.elements[0]
            one = self.array(camera, self.registers, 4)
            return np.concatenate([one] * -(-count // len(one)))[:count]
        made: Any = self.array(camera, kind.rows, kind.columns)
        for size in reversed(kind.elements):
            made = [made] * size
        return made

    def other(self, **changes: Any) -> "CameraMatrix":
        """Return the layout with changes."""
        return replace(self, **changes)


def is_matrix(kind: TypeDescription) -> bool:
    """Return True for a matrix or an array of matrices."""
    return kind.type_class in MATRICES


def is_vectors(kind: TypeDescription) -> bool:
    """Return True for an array of vectors that has room for a matrix."""
    four = kind.type_class == TypeClass.VECTOR and kind.columns == 4 and kind.scalar == "float"
    return four and len(kind.elements) == 1 and kind.elements[0] >= 3


def usual_layout(
    kind: TypeDescription, role: MatrixRole | None, columns: bool
) -> CameraMatrix | None:
    """Return the usual layout of the matrix in a variable; None if it holds no matrix.

    `columns` is true if matrices are for column vectors by default. An array of vectors is a matrix
    only if its name suggests one, and then each of its vectors gives a component of the result.
    """
    if is_matrix(kind):
        return CameraMatrix(role or IDENTITY, columns)
    if not is_vectors(kind) or role is None:
        return None
    count = kind.elements[0]
    fitting = [each for each in REGISTERS if count % each == 0]
    if not fitting or (count > 4 and role != IDENTITY):
        return None
    return CameraMatrix(role, True, registers=fitting[0])
