"""Compiling programs: corpora, recipes, the search, the test that follows it, and the registry of what came out."""
