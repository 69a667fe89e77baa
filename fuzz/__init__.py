"""Fuzz targets: what comes from outside, whatever its bytes, ends in an answer or in an error of ours.

`make fuzz` runs each for a while with coverage guidance, from the seeds in `fuzz/corpus`. A new target is a function
from bytes to nothing in `targets.TARGETS`, with a folder of seeds of its name.
"""
