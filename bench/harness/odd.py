"""Inputs that the corpora lack: trees with everything CoNLL-U allows, broken files, tables as Moses writes them."""
import collections

from harness.corpora import PARTS, Corpus, read_lines, read_sentences


def odd_tree(sentence, number):
    """The sentence with, by its number: a multiword token, an empty node, a second root, a word hung far away (seldom projective), no
    XPOS. Also the multiword token's first word, counted from 0, or None."""
    comments = [line for line in sentence if line.startswith("#")]
    words = [line.rstrip("\n").split("\t") for line in sentence if not line.startswith("#")]
    count, contracted = len(words), None
    heads = {fields[6] for fields in words}
    leaves = [i for i, fields in enumerate(words) if fields[0] not in heads]
    if number % 2 == 1 and count > 3 and leaves:
        leaf = leaves[number % len(leaves)]
        words[leaf][6] = words[(leaf + count // 2) % count][0]
    if number % 5 == 0 and leaves:
        words[leaves[0]][6:8] = ["0", "root"]
    if number % 7 == 0:
        for fields in words:
            fields[4] = "_"
    lines = ["\t".join(fields) + "\n" for fields in words]
    if number % 4 == 0:
        lines.insert(1, "1.1\tnichts\t_\tX\tX\t_\t_\t_\t0:root\t_\n")
    if number % 3 == 0 and count > 2:
        contracted = number % (count - 1)
        place = next(i for i, line in enumerate(lines) if line.startswith(f"{contracted + 1}\t"))
        both = words[contracted][1] + words[contracted + 1][1]
        lines.insert(place, f"{contracted + 1}-{contracted + 2}\t{both}" + "\t_" * 8 + "\n")
    return comments + lines, contracted


def surface_links(links, contracted):
    """Links of syntactic words as links of surface tokens."""
    if contracted is None:
        return links
    pairs = [link.split("-") for link in links.split()]
    return " ".join(dict.fromkeys(f"{int(i) - (int(i) > contracted)}-{j}" for i, j in pairs)) + "\n"


def odd_corpus(corpus, folder, pairs):
    """A corpus of odd trees made of the first `pairs` of another. train.align counts surface tokens, train.words.align words."""
    odd = Corpus("odd", folder, corpus.language)
    if (odd.folder / "done").exists():
        return odd
    odd.folder.mkdir(parents=True, exist_ok=True)
    for part in PARTS:
        made = [odd_tree(sentence, number) for number, sentence in enumerate(read_sentences(corpus.trees(part), pairs))]
        odd.write(part, [sentence for sentence, _ in made], read_lines(corpus.target(part), pairs))
        if part == "train":
            links = read_lines(corpus.align, pairs)
            (odd.folder / "train.words.align").write_text("".join(links), encoding="utf-8")
            odd.align.write_text("".join(surface_links(line, place) for line, (_, place) in zip(links, made)), encoding="utf-8")
    (odd.folder / "done").touch()
    return odd


def broken_corpus(corpus, folder):
    """Twelve pairs of which some are wrong, each in another way."""
    folder.mkdir(parents=True, exist_ok=True)
    sentences = ["".join(s) for s in read_sentences(corpus.trees("train"), 12)]
    sentences[2] = sentences[2].replace("\t0\t", "\t99\t")
    sentences[4] = sentences[4].replace("\t0\t", "\t1\t", 1)
    sentences[6] = "1\tzwei\tFelder\n"
    sentences[7] = sentences[7].replace("2\t", "7\t", 1)
    (folder / "bad.conllu").write_text("\n".join(sentences) + "\n", encoding="utf-8")
    targets = read_lines(corpus.target("train"), 12)
    targets[8] = "\n"
    targets[9] = "a " * 300 + "\n"
    (folder / "bad.en").write_text("".join(targets), encoding="utf-8")
    (folder / "short.en").write_text("".join(targets[:7]), encoding="utf-8")
    links = read_lines(corpus.align, 12)
    links[1], links[3], links[5] = "0-0 99-0\n", "nonsense\n", "0-\n"
    (folder / "bad.align").write_text("".join(links), encoding="utf-8")
    (folder / "bad.utf8").write_bytes(b"good\nbad \xff\xfe byte\n")
    (folder / "bad.toml").write_text('[weights]\nLM = 0.5\nJmup = 0.3\n', encoding="utf-8")
    (folder / "bad.nbest").write_text("0 ||| a b ||| x ||| 0\n9999 ||| a ||| x ||| 0\n", encoding="utf-8")
    (folder / "empty").write_text("", encoding="utf-8")
    (folder / "not-a-table").write_bytes(b"GRAFT?" * 2000)


def moses_tables(corpus, folder, pairs):
    """A phrase table of linked words and word pairs, a hierarchical table of the same with a gap, and a glue grammar."""
    counts = collections.Counter()
    for source, target, links in zip(read_lines(corpus.text("train"), pairs), read_lines(corpus.target("train"), pairs),
                                     read_lines(corpus.align, pairs)):
        source, target = source.split(), target.split()
        points = sorted(tuple(map(int, link.split("-"))) for link in links.split())
        for i, j in points:
            counts[source[i], target[j], "0-0"] += 1
            if (i + 1, j + 1) in points:
                counts[f"{source[i]} {source[i + 1]}", f"{target[j]} {target[j + 1]}", "0-0 1-1"] += 1
    sources, targets = collections.Counter(), collections.Counter()
    for (source, target, _), count in counts.items():
        sources[source] += count
        targets[target] += count
    phrases, rules = [], {}
    for (source, target, links), count in sorted(counts.items()):
        shares = (count / targets[target], count / (targets[target] + 1), count / sources[source], count / (sources[source] + 1))
        scores = " ".join(f"{share:.6g}" for share in shares)
        numbers = f"{targets[target]} {sources[source]} {count}"
        phrases.append(f"{source} ||| {target} ||| {scores} ||| {links} ||| {numbers} ||| |||\n")
        rules.setdefault(f"{source} [X] ||| {target} [X]", f"{scores} ||| {links} ||| {numbers}")
        if " " in source:
            (a, b), (c, d) = source.split(), target.split()
            rules.setdefault(f"{a} [X][X] {b} [X] ||| {c} [X][X] {d} [X]", f"{scores} ||| 0-0 1-1 2-2 ||| {numbers}")
            rules.setdefault(f"[X][X] {a} [X][X] [X] ||| [X][X] {c} [X][X] [X]", f"{scores} ||| 0-2 1-1 2-0 ||| {numbers}")
    (folder / "phrase-table").write_text("".join(phrases), encoding="utf-8")
    (folder / "rule-table").write_text("".join(f"{rule} ||| {rest} ||| |||\n" for rule, rest in sorted(rules.items())), encoding="utf-8")
    glue = ["<s> [X] ||| <s> [S] ||| 1 ||| 0-0", "[X][S] </s> [X] ||| [X][S] </s> [S] ||| 1 ||| 0-0 1-1",
            "[X][S] [X][X] [X] ||| [X][S] [X][X] [S] ||| 2.718 ||| 0-0 1-1"]
    (folder / "glue-grammar").write_text("".join(f"{rule} ||| 0 ||| |||\n" for rule in glue), encoding="utf-8")
