"""The static edition: the same pages from a folder of files, with Python in the reader's own browser."""
