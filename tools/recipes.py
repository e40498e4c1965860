"""Fill in the recipes of packaging/ for a release.

    python tools/recipes.py dist/unshade-0.1.0.tar.gz --owner NAME [-o FOLDER]

The recipes are those in the source archive. `OWNER` becomes the owner of the repository, the digest
of zeros that of the archive. An archive of another version than a recipe's is refused.
"""

import argparse
import hashlib
import sys
import tarfile
from email.parser import HeaderParser
from pathlib import Path

RECIPES = ("conda-forge/recipe.yaml", "homebrew/unshade.rb")
DIGEST = "0" * 64
OWNER = "OWNER"


def filled(archive: Path, owner: str) -> dict[str, str]:
    """Return the recipes for a source archive, by their paths below packaging/.

    Args:
        archive: The source archive.
        owner: The owner of the repository that the archive is released in.

    Raises:
        ValueError: The archive has no recipes, or they are of another version.
    """
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    with tarfile.open(archive) as opened:
        root = archive.name.removesuffix(".tar.gz")
        version = HeaderParser().parsestr(_text(opened, f"{root}/PKG-INFO"))["Version"]
        texts = {name: _text(opened, f"{root}/packaging/{name}") for name in RECIPES}
    for name, text in texts.items():
        for word in (version, DIGEST, f"/{OWNER}/"):
            if word not in text:
                raise ValueError(f"{archive.name}: expected {word} in packaging/{name}, got none")
        texts[name] = text.replace(DIGEST, digest).replace(f"/{OWNER}/", f"/{owner}/")
    return texts


def _text(archive: tarfile.TarFile, name: str) -> str:
    try:
        member = archive.extractfile(name)
    except KeyError:
        member = None
    if member is None:
        raise ValueError(f"{name}: expected this file in the archive, got none")
    return member.read().decode()


def main() -> int:
    """Write the recipes to a folder; return 1 if they do not fit the archive."""
    parser = argparse.ArgumentParser(description="Fill in the recipes for a release.")
    parser.add_argument("archive", type=Path, help="source archive")
    parser.add_argument("--owner", required=True, help="owner of the repository")
    parser.add_argument("-o", "--output", type=Path, default=Path("build/recipes"))
    given = parser.parse_args()
    try:
        texts = filled(given.archive, given.owner)
    except (OSError, ValueError, tarfile.TarError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, text in texts.items():
        path = given.output / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
