"""What the measurements of this folder share: systems, corpora, calls of the binary, statistics."""
