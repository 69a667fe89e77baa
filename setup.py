"""What pyproject.toml cannot say: the C of the kernel in source distributions, the bill of materials in wheels."""

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.sdist import sdist


class SourceDistribution(sdist):
    """Whoever has a C compiler and no Cython can build the kernel from it."""

    def run(self) -> None:
        """Translate the kernel, then gather the files."""
        from Cython.Build import cythonize

        cythonize(["src/pairloom/kernel/_compiled.pyx"])
        super().run()


class Wheel(bdist_wheel):
    """It tells what it holds from elsewhere, where tools look for that (PEP 770)."""

    def egg2dist(self, egginfo_path: str, distinfo_path: str) -> None:
        """Make the folder of metadata, and put the bill of materials there."""
        super().egg2dist(egginfo_path, distinfo_path)
        bills = Path(distinfo_path) / "sboms"
        bills.mkdir()
        shutil.copy2("bom.cdx.json", bills)


setup(cmdclass={"sdist": SourceDistribution, "bdist_wheel": Wheel})
