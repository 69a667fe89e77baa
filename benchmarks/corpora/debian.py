"""Debian packages, downloaded and unpacked into a cache; nothing is installed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

HELP = """\
To go on without it, put a text of your own there: {place} (UTF-8); the report then says that its checksum differs."""


class DownloadError(Exception):
    """A package could not be had; the message says what to do."""


def unpacked(package: str, *, cache: Path, place: Path) -> Path:
    """Return the folder of a package's files, downloading it at most once; `place` is named where that fails."""
    target = cache / "unpacked" / package
    if target.is_dir():
        return target
    archive = _archive(package, folder=cache / "packages", place=place)
    half_done = target.with_name(target.name + ".part")
    shutil.rmtree(half_done, ignore_errors=True)
    half_done.mkdir(parents=True)
    subprocess.run(["dpkg-deb", "-x", str(archive), str(half_done)], check=True)
    half_done.rename(target)
    return target


def _archive(package: str, *, folder: Path, place: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    found = sorted(folder.glob(f"{package}_*.deb"))
    if found:
        return found[-1]
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise DownloadError(
            f"The corpora are made from Debian packages, and this system has no apt-get and dpkg-deb.\n"
            f"{HELP.format(place=place)}"
        )
    result = _download(package, folder=folder)
    if result.returncode != 0 and os.geteuid() == 0:
        # The list of packages may be old or missing; only root can renew it.
        subprocess.run(["apt-get", "-qq", "update"], capture_output=True, check=False)
        result = _download(package, folder=folder)
    found = sorted(folder.glob(f"{package}_*.deb"))
    if result.returncode != 0 or not found:
        reason = (result.stderr.strip() or "no reason given").splitlines()[-1]
        raise DownloadError(
            f"The Debian package {package} could not be downloaded: {reason}\n"
            f"Offline? Connect once, the result is kept. No such package? Run `apt-get update` first.\n"
            f"{HELP.format(place=place)}"
        )
    return found[-1]


def _download(package: str, *, folder: Path) -> subprocess.CompletedProcess[str]:
    command = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "download", package]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
