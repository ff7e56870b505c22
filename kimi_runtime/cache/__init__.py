"""The cache of compiled sources: in memory, weighted, and optionally on disk."""
