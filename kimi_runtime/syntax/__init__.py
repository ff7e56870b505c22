"""Front end: from source text to the tree of ``nodes``.

Reading order: ``source`` (decoding), ``tokenizer``, ``parser`` with its grammar parts,
``nodes`` (generated from the table in ``tools/gen_nodes.py``), ``dump``, ``errors``.
The entry point is ``kimi_runtime.syntax.parser.parse``.
"""
