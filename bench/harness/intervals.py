"""How much slower? Estimates and intervals of ratios measured in blocks, on machines that others use as well.

A block holds runs of both binaries, one right after the other, so its ratio is free of what drifts. Noise hits both alike, so logs of
ratios lie symmetrically about the true one, however long their tails are. That is all the signed-rank test of Wilcoxon asks for: its
estimate (the median of all means of two log ratios) and its interval hold for any such noise, and one wild block moves neither.
"""
import itertools
import math
import random
import statistics


def rank_sum_counts(n):
    """How many of the 2**n sets of ranks 1 … n have each sum."""
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for total, count in enumerate(counts):
            longer[total + rank] += count
        counts = longer
    return counts


def least_blocks(confidence):
    """The fewest blocks from which an interval of this confidence can be made."""
    return math.ceil(math.log2(2 / (1 - confidence)))


class Interval:
    """Estimate and interval of a ratio from the ratios of blocks."""

    def __init__(self, ratios, confidence):
        logs = [math.log(ratio) for ratio in ratios]
        means = sorted((a + b) / 2 for a, b in itertools.combinations_with_replacement(logs, 2))
        self.blocks = len(logs)
        self.estimate = math.exp(statistics.median(means))
        rest, outside, cut = (1 - confidence) / 2 * 2 ** self.blocks, 0, 0
        for count in rank_sum_counts(self.blocks):
            outside += count
            if outside > rest:
                break
            cut += 1
        cut = max(cut, 1)  # too few blocks: all of what was seen
        self.low, self.high = math.exp(means[cut - 1]), math.exp(means[-cut])

    def __str__(self):
        return f"{self.estimate:.3f} [{self.low:.3f}, {self.high:.3f}]"


def verdict(interval, bound):
    """`slower` or `ok` where the interval lies above the bound or not, `undecided` where the bound is in it."""
    return "slower" if interval.low > bound else "ok" if interval.high <= bound else "undecided"


def geometric_mean(samples, confidence, draws=2000, seed=1):
    """(estimate, low, high) of the geometric mean over tasks of the ratios in `samples`, a list for each task; bootstrap over blocks."""
    generator = random.Random(seed)
    logs = [[math.log(ratio) for ratio in ratios] for ratios in samples]
    center = statistics.fmean(statistics.median(values) for values in logs)
    drawn = sorted(statistics.fmean(statistics.median(generator.choices(values, k=len(values))) for values in logs) for _ in range(draws))
    cut = int(draws * (1 - confidence) / 2)
    return tuple(math.exp(value) for value in (center, drawn[cut], drawn[-1 - cut]))
