"""Ratios measured in one run: `python -m benchmarks.NAME`. Nothing here asserts a time."""
