"""The Chinese-English treebank: which frames, how often."""

from . import zh_complex as complex_frames
from . import zh_frames as frames
from . import zh_judgements as judgements
from . import zh_places as places

STATEMENTS = [
    (9, frames.simple),
    (2, frames.organisation),
    (12, frames.collocated),
    (7, frames.unrelated),
    (6, places.held),
    (5, places.come_from),
    (7, frames.for_someone),
    (5, frames.split_word),
    (5, judgements.compare),
    (2, places.distance),
    (3, places.exists),
    (6, places.located),
    (10, places.ba),
    (6, frames.bei),
    (3, frames.wearing),
    (6, judgements.described),
    (6, judgements.helped),
    (4, judgements.judged),
    (3, judgements.besides),
    (4, complex_frames.although),
    (5, complex_frames.because),
    (3, complex_frames.conditional),
    (4, complex_frames.when_clause),
    (3, complex_frames.from_on),
    (3, complex_frames.even),
    (3, complex_frames.as_soon_as),
    (5, judgements.question),
]


def finish(frame, pair):
    return frames.finish(pair, "？" if frame is judgements.question else "。")
