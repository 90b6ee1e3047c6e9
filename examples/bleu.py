#!/usr/bin/env python3
"""Corpus BLEU of tokenised text, equal to sacreBLEU's with --tokenize none (cased, exponential smoothing).

Usage: bleu.py HYPOTHESES REFERENCES [REFERENCES...]    one sentence a line; - reads standard input
"""

import collections
import math
import sys

ORDER = 4


def ngrams(tokens):
    """Counts of all n-grams up to ORDER."""
    return collections.Counter(
        tuple(tokens[i : i + n]) for n in range(1, ORDER + 1) for i in range(len(tokens) - n + 1)
    )


def corpus_bleu(hypotheses, references):
    """(score, precisions, brevity penalty, hypothesis length, reference length).

    hypotheses: lines; references: one list of lines per reference. The reference length of a sentence is the one
    closest to the hypothesis, the shorter of two equally close.
    """
    matches, totals = [0] * ORDER, [0] * ORDER
    hypothesis_length = reference_length = 0
    for hypothesis, *alternatives in zip(hypotheses, *references):
        tokens = hypothesis.split()
        lines = [line.split() for line in alternatives]
        hypothesis_length += len(tokens)
        reference_length += min((abs(len(line) - len(tokens)), len(line)) for line in lines)[1]
        allowed = collections.Counter()
        for line in lines:
            allowed |= ngrams(line)
        for ngram, count in ngrams(tokens).items():
            matches[len(ngram) - 1] += min(count, allowed[ngram])
            totals[len(ngram) - 1] += count
    penalty = 1.0
    if hypothesis_length < reference_length:
        penalty = math.exp(1 - reference_length / hypothesis_length) if hypothesis_length else 0.0
    precisions = [0.0] * ORDER
    if any(matches):
        halved = 1
        for n, (matched, total) in enumerate(zip(matches, totals)):
            if not total:
                break
            if not matched:
                halved *= 2
            precisions[n] = 100 * matched / total if matched else 100 / (halved * total)
    score = penalty * math.exp(sum(map(math.log, precisions)) / ORDER) if all(precisions) else 0.0
    return score, precisions, penalty, hypothesis_length, reference_length


def read(name):
    if name == "-":
        text = sys.stdin.buffer.read().decode()
    else:
        with open(name, encoding="utf-8", newline="") as file:
            text = file.read()
    lines = text.split("\n")
    return lines if lines[-1] else lines[:-1]


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__.strip())
    hypotheses, *references = [read(name) for name in arguments]
    for name, lines in zip(arguments[1:], references):
        if len(lines) != len(hypotheses):
            sys.exit(f"bleu.py: {name} has {len(lines)} lines, {arguments[0]} has {len(hypotheses)}")
    score, precisions, penalty, hypothesis_length, reference_length = corpus_bleu(hypotheses, references)
    ratio = hypothesis_length / reference_length if reference_length else 0
    print(
        f"BLEU = {score:.2f} {'/'.join(f'{p:.1f}' for p in precisions)} (BP = {penalty:.3f} ratio = {ratio:.3f} "
        f"hyp_len = {hypothesis_length} ref_len = {reference_length})"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
