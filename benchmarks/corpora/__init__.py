"""The texts of the benchmarks, made anew from Debian packages: nothing of them is stored in the repository.

debian.py downloads and unpacks packages; plain_text.py turns their files into lines; samples.py cuts the texts of
40,000 code points that `make bench` needs; full.py rebuilds the corpora of 10 and 100 MB for the runs at scale.
"""
