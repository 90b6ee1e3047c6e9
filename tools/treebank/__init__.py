"""Writes the example treebanks: lexicons, grammars, the pair builder, the sampler and the writer."""
