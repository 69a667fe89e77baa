"""The wheel that is built holds everything that the package reads at run time, and its licences."""

import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

from tests.support.repository import ROOT, tracked


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build a wheel of what is tracked; a copy, because building leaves folders behind."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for path in tracked():
        copy = source / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)
    command = [sys.executable, "-m", "pip", "wheel", "-qq", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(target), str(source)], check=True)
    (built,) = target.glob("*.whl")
    return zipfile.ZipFile(built)


def metadata(wheel: zipfile.ZipFile) -> Message:
    (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    return message_from_bytes(wheel.read(name))


def test_every_tracked_file_of_the_package_is_in_it(wheel: zipfile.ZipFile) -> None:
    package = ROOT / "src"
    wanted = {path.relative_to(package).as_posix() for path in tracked() if path.is_relative_to(package)}
    assert wanted
    assert wanted - set(wheel.namelist()) == set()


def test_nothing_else_is_in_it(wheel: zipfile.ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"pairloom"}


def test_it_needs_click_alone(wheel: zipfile.ZipFile) -> None:
    needed = metadata(wheel).get_all("Requires-Dist", [])
    assert [line.split(";")[0].strip()[:5] for line in needed if "extra ==" not in line] == ["click"]


def test_its_licences_are_in_it(wheel: zipfile.ZipFile) -> None:
    assert metadata(wheel)["License-Expression"] == "Apache-2.0 AND 0BSD AND Unicode-3.0"
    names = {Path(name).name for name in wheel.namelist() if "/licenses/" in name}
    assert names == {"LICENSE", "NOTICE", "Unicode-3.0.txt"}
    texts = [wheel.read(name) for name in wheel.namelist() if "/licenses/" in name]
    assert any(b"Apache License" in text for text in texts)
    assert any(b"Zero-Clause BSD" in text for text in texts)
    assert any(b"UNICODE LICENSE V3" in text for text in texts)


def test_its_bill_of_materials_is_in_it(wheel: zipfile.ZipFile) -> None:
    (name,) = (name for name in wheel.namelist() if "/sboms/" in name)
    assert name.endswith(".dist-info/sboms/bom.cdx.json")
    assert wheel.read(name) == (ROOT / "bom.cdx.json").read_bytes()
