"""The German-English treebank: which frames, how often."""

from . import de_complex as complex_frames
from . import de_frames as frames
from . import de_places as places

STATEMENTS = [
    (8, frames.simple),
    (28, frames.separated),
    (6, frames.separated_plain),
    (8, frames.with_oneself),
    (5, frames.topic),
    (6, frames.dative),
    (5, frames.giving),
    (7, frames.passive),
    (6, places.located),
    (4, places.moving),
    (5, frames.light_verb),
    (5, places.predicate),
    (3, places.compare),
    (6, complex_frames.that),
    (6, complex_frames.because),
    (4, complex_frames.before),
    (4, complex_frames.if_),
    (4, complex_frames.purpose),
    (6, complex_frames.infinitive_clause),
    (4, complex_frames.paired),
    (5, frames.question),
]


def finish(frame, pair):
    return frames.finish(pair, "?" if frame is frames.question else ".")
