"""What `make release-check` refuses, without building anything; the target itself builds, installs and tries."""

import json
from pathlib import Path

import pytest

from tests.support.repository import ROOT
from tools import bill_of_materials, release_check

CHANGELOG = "# Changelog\n\n## 1.2.0 (2026-01-31)\n\n- News.\n\n## 1.1.0 (2026-01-01)\n\n- Older.\n"


def test_a_changelog_that_tells_of_the_version() -> None:
    release_check.check_changelog(CHANGELOG, "1.2.0", tags=[])
    release_check.check_changelog(CHANGELOG, "1.2.0", tags=["v1.2.0", "nightly"])
    release_check.check_changelog(CHANGELOG.replace("2026-01-31", "unreleased"), "1.2.0", tags=[])


@pytest.mark.parametrize(
    ("changelog", "version", "tags", "reason"),
    [
        ("# Changelog\n", "1.2.0", [], "no heading"),
        (CHANGELOG, "1.3.0", [], "begins with '1.2.0"),
        (CHANGELOG.replace(" (2026-01-31)", ""), "1.2.0", [], "begins with '1.2.0'"),
        (CHANGELOG.replace("- News.\n", ""), "1.2.0", [], "says nothing of 1.2.0"),
        (CHANGELOG.replace("1.1.0", "1.2.0"), "1.2.0", [], "a version twice"),
        (CHANGELOG, "1.2.0", ["v1.1.0"], "they have to agree"),
        (CHANGELOG.replace("2026-01-31", "unreleased"), "1.2.0", ["v1.2.0"], "give its heading"),
    ],
)
def test_a_changelog_that_does_not(changelog: str, version: str, tags: list[str], reason: str) -> None:
    with pytest.raises(release_check.NotReady, match=reason.replace("(", r"\(")):
        release_check.check_changelog(changelog, version, tags=tags)


def test_our_changelog_tells_of_our_version() -> None:
    release_check.check_changelog((ROOT / "CHANGELOG.md").read_text("utf-8"), release_check.version(), tags=[])


def test_an_archive_that_lacks_something() -> None:
    names = ["pairloom-1/src/pairloom/kernel/_compiled.pyx", "pairloom-1/LICENSE"]
    release_check.check_archive(names, ["LICENSE"], archive="a")
    with pytest.raises(release_check.NotReady, match=r"lacks src/pairloom/kernel/_compiled\.c:"):
        release_check.check_archive(names, ["LICENSE", release_check.GENERATED_C], archive="a")


def test_the_bill_of_materials_is_that_of_the_files() -> None:
    assert bill_of_materials.faults(bill_of_materials.TARGET.read_text("utf-8")) == []


def test_a_changed_bill_is_found() -> None:
    text = bill_of_materials.TARGET.read_text("utf-8")
    bill = json.loads(text)
    bill["components"][0]["version"] = 17
    found = bill_of_materials.faults(json.dumps(bill))
    assert [fault.partition(":")[0] for fault in found] == [
        "bom.cdx.json is not what its files are",
        "bom.cdx.json is no CycloneDX 1.6",
    ]


def test_a_vendored_file_without_an_entry_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder more than the table has, a licence that pyproject.toml does not name, and no word in NOTICE."""
    origin = bill_of_materials.origins()[0]
    more = bill_of_materials.Origin(
        name="left-pad",
        version="9.9",
        license="WTFPL",
        license_file="nowhere/LICENSE",
        copyright="somebody",
        home="https://left-pad.example",
        files=(),
    )
    monkeypatch.setattr(
        bill_of_materials,
        "origins",
        lambda: (
            more,
            bill_of_materials.Origin(
                **{**{name: getattr(origin, name) for name in origin.__slots__}, "files": origin.files[1:]}
            ),
        ),
    )
    found = bill_of_materials.faults(bill_of_materials.bill())
    assert [fault.partition(":")[2].strip() for fault in found] == [
        "there is no nowhere/LICENSE",
        "pyproject.toml's license lacks WTFPL",
        "NOTICE does not tell of version 9.9 and where it lies",
        "vendored, and in no entry of tools/bill_of_materials.py",
    ]


def test_every_licence_is_in_the_wheel() -> None:
    assert release_check.license_files()[:2] == ["LICENSE", "NOTICE"]
    assert all((ROOT / name).is_file() for name in release_check.license_files())
