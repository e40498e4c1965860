"""The recipes of packaging/ agree with pyproject.toml."""

import re
import tomllib
from typing import Any

import yaml

from tests.corpus import REPOSITORY

PACKAGING = REPOSITORY / "packaging"
PROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))[
    "project"
]


def recipe() -> Any:
    return yaml.safe_load((PACKAGING / "conda-forge" / "recipe.yaml").read_text("utf-8"))


def test_the_recipe_of_conda_forge() -> None:
    found = recipe()
    assert found["context"]["version"] == PROJECT["version"]
    assert found["about"]["summary"] == PROJECT["description"]
    assert found["about"]["license"] == PROJECT["license"]
    needed = {each.replace(" ", "").lower() for each in found["requirements"]["run"][1:]}
    assert needed == {each.lower() for each in PROJECT["dependencies"]}
    extras = {each.lower() for row in PROJECT["optional-dependencies"].values() for each in row}
    assert {
        each.replace(" ", "").lower() for each in found["requirements"]["run_constraints"]
    } <= extras
    assert found["build"]["python"]["entry_points"] == [
        f"{name} = {place}" for name, place in PROJECT["scripts"].items()
    ]


def test_the_formula_of_homebrew() -> None:
    text = (PACKAGING / "homebrew" / "unshade.rb").read_text("utf-8")
    assert f"/unshade-{PROJECT['version']}.tar.gz" in text
    assert f'license "{PROJECT["license"]}"' in text


def test_files_that_the_recipes_run_exist() -> None:
    for name in ("conda-forge/recipe.yaml", "homebrew/unshade.rb"):
        named = re.findall(r"examples/[\w.]+", (PACKAGING / name).read_text("utf-8"))
        assert named
        assert all((REPOSITORY / each).is_file() for each in named)


def test_the_extras_of_the_image_exist() -> None:
    found = re.search(r"whl\)\[([\w,]+)\]", (PACKAGING / "Containerfile").read_text("utf-8"))
    assert found is not None
    assert set(found[1].split(",")) <= PROJECT["optional-dependencies"].keys()
