"""What pyproject.toml cannot say: a source distribution also holds the C that Cython makes of the kernel."""

from setuptools import setup
from setuptools.command.sdist import sdist


class SourceDistribution(sdist):
    """Whoever has a C compiler and no Cython can build the kernel from it."""

    def run(self) -> None:
        """Translate the kernel, then gather the files."""
        from Cython.Build import cythonize

        cythonize(["src/pairloom/kernel/_compiled.pyx"])
        super().run()


setup(cmdclass={"sdist": SourceDistribution})
