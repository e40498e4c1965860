"""The recipes of packaging/ agree with pyproject.toml, and are filled in for a source archive."""

import hashlib
import io
import re
import tarfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import unshade
from tests.corpus import REPOSITORY
from tools import recipes

PACKAGING = REPOSITORY / "packaging"
PROJECT: dict[str, Any] = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))[
    "project"
]


def recipe() -> Any:
    return yaml.safe_load((PACKAGING / "conda-forge" / "recipe.yaml").read_text("utf-8"))


def test_the_recipe_of_conda_forge() -> None:
    found = recipe()
    assert found["context"]["version"] == unshade.__version__
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
    assert f"/unshade-{unshade.__version__}.tar.gz" in text
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


def archive(folder: Path, version: str, **changes: str) -> Path:
    """Return a source archive with the recipes; `changes` are texts to replace in them."""
    path = folder / f"unshade-{version}.tar.gz"
    texts = {"PKG-INFO": f"Metadata-Version: 2.4\nName: unshade\nVersion: {version}\n\nText.\n"}
    for name in recipes.RECIPES:
        text = (PACKAGING / name).read_text("utf-8").replace(unshade.__version__, version)
        for before, after in changes.items():
            text = text.replace(before, after)
        texts[f"packaging/{name}"] = text
    with tarfile.open(path, "w:gz") as opened:
        for name, text in texts.items():
            data = text.encode()
            member = tarfile.TarInfo(f"unshade-{version}/{name}")
            member.size = len(data)
            opened.addfile(member, io.BytesIO(data))
    return path


def test_recipes_are_filled_in_for_an_archive(tmp_path: Path) -> None:
    path = archive(tmp_path, "1.2.3")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    texts = recipes.filled(path, "someone")
    place = "https://github.com/someone/unshade/releases/download/v"
    made = yaml.safe_load(texts["conda-forge/recipe.yaml"])
    assert made["context"] == {"version": "1.2.3"}
    assert made["source"] == {
        "url": f"{place}${{{{ version }}}}/unshade-${{{{ version }}}}.tar.gz", "sha256": digest,
    }  # fmt: skip
    formula = texts["homebrew/unshade.rb"].splitlines()
    assert f'  url "{place}1.2.3/unshade-1.2.3.tar.gz"' in formula
    assert f'  sha256 "{digest}"' in formula
    for text in texts.values():
        assert "OWNER" not in text
        assert "0" * 64 not in text


def test_an_archive_that_the_recipes_do_not_fit(tmp_path: Path) -> None:
    path = archive(tmp_path, "1.2.3", **{"1.2.3": "1.2.2"})
    with pytest.raises(ValueError, match=r"expected 1\.2\.3 in packaging/conda-forge/recipe\.yaml"):
        recipes.filled(path, "someone")
    whole = archive(tmp_path, "1.2.3", **{"0" * 64: "1" * 64})
    with pytest.raises(ValueError, match="expected 0000"):
        recipes.filled(whole, "someone")
    with tarfile.open(tmp_path / "unshade-1.tar.gz", "w:gz"):
        pass
    with pytest.raises(ValueError, match="unshade-1/PKG-INFO: expected this file"):
        recipes.filled(tmp_path / "unshade-1.tar.gz", "someone")
