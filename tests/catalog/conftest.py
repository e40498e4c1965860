"""Folders of shaders, and catalogues of them."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.terminal import PHONG, SAXPY
from tests.examples import EXAMPLES
from unshade import catalog


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """Return a folder with shaders of two families, a copy, a packed, and a damaged shader."""
    folder = tmp_path / "build"
    (folder / "old").mkdir(parents=True)
    for path in (PHONG, SAXPY, EXAMPLES / "clay.frag.spv"):
        shutil.copy(path, folder)
    shutil.copy(PHONG, folder / "old" / "copy.dxbc")
    (folder / "pack.bin").write_bytes(gzip.compress(SAXPY.read_bytes(), mtime=0))
    (folder / "cut.dxbc").write_bytes(PHONG.read_bytes()[:2000])
    (folder / "words.txt").write_text("no shader")
    return folder


@pytest.fixture
def made(build: Path, tmp_path: Path) -> Path:
    """Return the folder of a catalogue of `build`."""
    catalog.scan([str(build)], str(tmp_path / "cat"))
    return tmp_path / "cat"


# Any words do: the server asks for none.
SETTINGS = {"FSSPEC_S3_ENDPOINT_URL": "", "FSSPEC_S3_KEY": "any", "FSSPEC_S3_SECRET": "any",
            "AWS_DEFAULT_REGION": "us-east-1"}  # fmt: skip


@pytest.fixture(scope="session")
def bucket() -> Iterator[str]:
    """Yield the URL of a bucket of a server of S3 on this machine."""
    pytest.importorskip("s3fs")
    fsspec = pytest.importorskip("fsspec")
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    kept = {name: os.environ.get(name) for name in SETTINGS}
    os.environ.update({**SETTINGS, "FSSPEC_S3_ENDPOINT_URL": f"http://{host}:{port}"})
    fsspec.config.set_conf_env(fsspec.config.conf)
    try:
        fsspec.filesystem("s3").mkdir("shaders")
        yield "s3://shaders"
    finally:
        fsspec.config.conf.pop("s3", None)
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})
        server.stop()
