"""Front end: from source text to the tree of ``nodes``.

Reading order: ``nodes`` (generated from the table in ``tools/gen_nodes.py``),
``dump``.
"""
