"""Draws sentences so that dev and test combine what training shows only apart.

Every frame reports the combinations it makes (a verb or collocation with its filler, or with the filler's shape) to
`Draw.combine`. A checksum assigns each combination to training or to one of the held-out sets: training never
shows a held-out combination, and every held-out sentence contains at least one.
"""

import random
import zlib

HELD_OUT_SHARE = 8  # one combination in this many goes to test, another one to dev


class Rejected(Exception):
    """The sentence under construction makes a combination its split may not show."""


class Draw:
    """Random choices for one split."""

    def __init__(self, split, seed):
        self.split = split
        self.random = random.Random(f"{seed}/{split}")
        self.held_out = False

    def combine(self, *parts):
        bucket = zlib.crc32("|".join(parts).encode()) % HELD_OUT_SHARE
        owner = {0: "test", 1: "dev"}.get(bucket, "train")
        if owner == self.split:
            self.held_out = True
        elif owner != "train":
            raise Rejected
        return True

    def pick(self, items):
        return self.random.choice(items)

    def chance(self, probability):
        return self.random.random() < probability

    def weighted(self, pairs):
        """An item of [(weight, item), …]."""
        return self.random.choices([item for _, item in pairs], [weight for weight, _ in pairs])[0]

    @property
    def rich(self):
        """Probability of a long filler inside a discontinuous unit: held-out sentences stretch the gaps."""
        return 0.3 if self.split == "train" else 0.6


ATTEMPTS = 300  # per sentence: rare frames keep their share of the held-out sets although few of their draws qualify


def sample(split, count, seed, grammar, taken, vocabulary=None, lengths=(4, 20)):
    """`count` different sentences for a split, none in `taken` (source or English text), which is extended.

    The grammar has STATEMENTS, [(weight, frame)], and finish(frame, pair). With `vocabulary` = (source words, English
    words) a sentence with any other word is dropped, so held-out sets test combinations and not words.
    """
    draw = Draw(split, seed)
    result = []
    while len(result) < count:
        frame = draw.weighted(grammar.STATEMENTS)
        for _ in range(ATTEMPTS):
            draw.held_out = split == "train"
            try:
                candidate = grammar.finish(frame, frame(draw))
            except Rejected:
                continue
            texts = {candidate.source_text(), candidate.english_text()}
            if not draw.held_out or texts & taken or not lengths[0] <= len(candidate.words) <= lengths[1]:
                continue
            if vocabulary and not candidate.within(*vocabulary):
                continue
            taken |= texts
            result.append(candidate)
            break
    return result
