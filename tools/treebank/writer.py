"""Writes the files of a language pair."""

from .sampler import sample

SIZES = (("train", 2400), ("dev", 200), ("test", 200))


def splits(grammar, seed, sizes=SIZES):
    """{split: sentences}. Dev and test use only words that training shows."""
    taken, result, vocabulary = set(), {}, None
    for split, count in sizes:
        result[split] = sample(split, count, seed, grammar, taken, vocabulary)
        if split == "train":
            vocabulary = (
                {w.form for s in result[split] for w in s.words},
                {t for s in result[split] for t in s.english},
            )
    return result


def write(folder, language, grammar, seed, sizes=SIZES):
    """Writes train, dev and test: trees (SPLIT.LANGUAGE.conllu), English (SPLIT.en) and links (SPLIT.align)."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, sentences in splits(grammar, seed, sizes).items():
        trees = "".join(s.conllu(f"{split}-{i}") for i, s in enumerate(sentences, 1))
        english = "".join(s.english_text() + "\n" for s in sentences)
        links = "".join(s.pharaoh() + "\n" for s in sentences)
        for suffix, text in ((f"{language}.conllu", trees), ("en", english), ("align", links)):
            (folder / f"{split}.{suffix}").write_bytes(text.encode())
