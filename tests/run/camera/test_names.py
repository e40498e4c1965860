"""The transformation that the name of a matrix stands for."""

from __future__ import annotations

import pytest

from unshade.run.camera.names import matrix_role

# Names of public shaders: of engines, samples and consoles.
PRODUCTS = {
    "P": "projection projMtx proj u_proj g_mProj matProjection Projection ubo.projectionMatrix"
         " unity_CameraProjection glstate_matrix_projection p3d_ProjectionMatrix viewToClip"
         " ViewToClip PROJECTION_MATRIX cameraProj proj_mtx camProjection perspectiveMatrix",
    "V": "view viewMtx camMtx u_view g_mView matView View uViewMatrix unity_MatrixV worldToView"
         " WorldToCamera cameraMatrix lookAt view_matrix world2view",
    "M": "world model modelMtx u_model g_mWorld matWorld World unity_ObjectToWorld localToWorld"
         " modelMatrix uModel object2world instance.model",
    "MV": "modelView modelview mdlvMtx u_modelView WorldView gWorldView modelViewMatrix mv uMV"
          " p3d_ModelViewMatrix MODELVIEW_MATRIX matWV modelViewMtx objectToView",
    "VP": "viewProj viewProjection u_viewProj g_mVP unity_MatrixVP vp ViewProjectionMatrix"
          " worldToClip TranslatedWorldToClip viewProjMtx pv matVP camera.view_proj",
    "MVP": "worldViewProj WorldViewProjection u_worldViewProj mvp wvp gWVP g_mWorldViewProjection"
           " u_modelViewProj uMVPMatrix matWorldViewProj worldviewproj modelviewprojection pvm"
           " cModelViewProj unity_MatrixMVP mvpMtx modelToProjection objectToClip u_mvp",
}  # fmt: skip
PARTS = {"M": "model", "V": "view", "P": "projection"}


@pytest.mark.parametrize("letters", PRODUCTS)
def test_names_of_products(letters: str) -> None:
    for name in PRODUCTS[letters].split():
        role = matrix_role(name)
        assert role is not None, name
        assert role.parts == {PARTS[each] for each in letters}, name
        assert {role.inverse, role.transpose, role.normal} == {False}, name


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("invView", "inverse of view"),
        ("u_invProj", "inverse of projection"),
        ("InverseViewProjection", "inverse of view and projection"),
        ("ViewI", "inverse of view"),
        ("cameraToWorld", "inverse of view"),
        ("unity_WorldToObject", "inverse of model"),
        ("clipToView", "inverse of projection"),
        ("ClipToWorld", "inverse of view and projection"),
        ("WorldInverseTranspose", "inverse of transpose of model"),
        ("gWorldIT", "inverse of transpose of model"),
        ("modelViewIT", "inverse of transpose of model and view"),
        ("projectionTransposed", "transpose of projection"),
        ("normalMatrix", "model and view for normals"),
        ("p3d_NormalMatrix", "model and view for normals"),
        ("worldNormalMatrix", "model for normals"),
        ("bones", "the identity"),
        ("u_boneMatrices", "the identity"),
        ("texMtx", "the identity"),
        ("colorMatrix", "the identity"),
        ("lightViewProj", "view and projection"),
        ("shadowMatrix", "view and projection"),
        ("camera.u_worldViewProj", "model, view and projection"),
    ],
)
def test_roles_in_words(name: str, words: str) -> None:
    role = matrix_role(name)
    assert role is not None
    assert role.words == words


@pytest.mark.parametrize("name", ["transform", "matrix", "mtx", "c0", "g_data", "uniforms", "foo"])
def test_names_that_suggest_nothing(name: str) -> None:
    assert matrix_role(name) is None
