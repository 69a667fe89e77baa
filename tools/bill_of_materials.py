#!/usr/bin/env python3
"""Write what comes with the package from elsewhere, as CycloneDX: bom.cdx.json. `--check` compares and says.

Every vendored file stands in it with its SHA-256, every component with its version, its licence and where it comes
from. The same files give the same bill: it holds no date. The wheel carries it in `.dist-info/sboms` (PEP 770).
"""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cyclonedx.model import ExternalReference, ExternalReferenceType, HashAlgorithm, HashType, XsUri
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.dependency import Dependency
from cyclonedx.model.license import DisjunctiveLicense, LicenseExpression
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "bom.cdx.json"
VENDOR = ROOT / "src" / "pairloom" / "web" / "static" / "vendor"
_NAMESPACE = uuid.UUID("3f3c1a52-8f7c-5f0a-9d57-0f4c6f2f8f11")  # any fixed one


@dataclass(frozen=True, slots=True)
class Origin:
    """Something that was taken over: what it is, under which licence, where its text lies, and which files it is in."""

    name: str
    version: str
    license: str
    license_file: str
    copyright: str
    home: str
    files: tuple[str, ...]
    kind: ComponentType = ComponentType.LIBRARY
    purl: PackageURL | None = None
    is_derived: bool = False


def _vendored(folder: str) -> tuple[str, ...]:
    """The files of a vendored folder, by their path in the repository."""
    return tuple(sorted(path.relative_to(ROOT).as_posix() for path in (VENDOR / folder).rglob("*") if path.is_file()))


def origins() -> tuple[Origin, ...]:
    """Return everything that comes from elsewhere. A new one begins here: the bill, NOTICE and licences are checked."""
    return (
        Origin(
            name="htmx.org",
            version="4.0.1",
            license="0BSD",
            license_file="src/pairloom/web/static/vendor/htmx-4.0.1/LICENSE",
            copyright="the htmx authors",
            home="https://htmx.org",
            files=_vendored("htmx-4.0.1"),
            purl=PackageURL("npm", name="htmx.org", version="4.0.1"),
        ),
        Origin(
            name="Unicode Character Database",
            version="17.0.0",
            license="Unicode-3.0",
            license_file="licenses/Unicode-3.0.txt",
            copyright="Copyright 1991-2025 Unicode, Inc.",
            home="https://www.unicode.org/ucd/",
            files=("src/pairloom/unicode_tables.py",),
            kind=ComponentType.DATA,
            is_derived=True,
        ),
    )


def project() -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def bill() -> str:
    """Return the bill of materials, the same for the same files."""
    table = project()
    ours = Component(
        name=table["name"],
        version=table["version"],
        type=ComponentType.APPLICATION,
        bom_ref="pairloom",
        purl=PackageURL("pypi", name=table["name"], version=table["version"]),
        licenses=[LicenseExpression(table["license"])],
    )
    parts = [_component(origin) for origin in origins()]
    bom = Bom(components=parts, metadata=BomMetaData(component=ours))
    bom.dependencies.add(Dependency(ours.bom_ref, [Dependency(part.bom_ref) for part in parts]))
    for part in parts:
        bom.dependencies.add(Dependency(part.bom_ref))
    made: dict[str, Any] = json.loads(JsonV1Dot6(bom).output_as_string())
    # The day of writing would make a new bill every day, and so would a random number.
    del made["metadata"]["timestamp"], made["serialNumber"]
    made["serialNumber"] = uuid.uuid5(_NAMESPACE, json.dumps(made, sort_keys=True)).urn
    return json.dumps(made, indent=2, sort_keys=True) + "\n"


def _component(origin: Origin) -> Component:
    return Component(
        name=origin.name,
        version=origin.version,
        type=origin.kind,
        bom_ref=f"{origin.name}@{origin.version}",
        purl=origin.purl,
        copyright=origin.copyright,
        description="Tables made from it" if origin.is_derived else "Included unchanged",
        licenses=[DisjunctiveLicense(id=origin.license)],
        external_references=[ExternalReference(type=ExternalReferenceType.WEBSITE, url=XsUri(origin.home))],
        components=[_file(name) for name in origin.files],
    )


def _file(name: str) -> Component:
    digest = hashlib.sha256((ROOT / name).read_bytes()).hexdigest()
    return Component(
        name=name, type=ComponentType.FILE, bom_ref=name, hashes=[HashType(alg=HashAlgorithm.SHA_256, content=digest)]
    )


def faults(text: str) -> list[str]:
    """Return what is wrong with the bill and with the licences, each with what to do; nothing, if all is well."""
    found = []
    if text != bill():
        found.append("bom.cdx.json is not what its files are: run tools/bill_of_materials.py")
    if (error := JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)) is not None:
        found.append(f"bom.cdx.json is no CycloneDX 1.6: {error}")
    notice = (ROOT / "NOTICE").read_text("utf-8")
    expression = project()["license"].split(" AND ")
    for origin in origins():
        if not (ROOT / origin.license_file).is_file():
            found.append(f"{origin.name}: there is no {origin.license_file}")
        if origin.license not in expression:
            found.append(f"{origin.name}: pyproject.toml's license lacks {origin.license}")
        if f"{origin.version}" not in notice or not any(
            name in notice or name.rpartition("/")[0] in notice for name in origin.files
        ):
            found.append(f"{origin.name}: NOTICE does not tell of version {origin.version} and where it lies")
    told = {name for origin in origins() for name in origin.files}
    vendored = {path.relative_to(ROOT).as_posix() for path in VENDOR.rglob("*") if path.is_file()}
    found.extend(f"{name}: vendored, and in no entry of tools/bill_of_materials.py" for name in sorted(vendored - told))
    return found


def main() -> int:
    """Write the bill, or check it."""
    if sys.argv[1:] == ["--check"]:
        found = faults(TARGET.read_text("utf-8"))
        print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
        return 1 if found else 0
    TARGET.write_text(bill(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
