"""The Chinese-English treebank: which frames, how often."""

from . import zh_complex as complex_frames
from . import zh_frames as frames

STATEMENTS = [
    (9, frames.simple), (2, frames.organisation), (12, frames.collocated), (7, frames.unrelated), (6, frames.held), (5, frames.come_from),
    (7, frames.for_someone), (5, frames.split_word), (5, frames.compare), (2, frames.distance), (3, frames.exists), (6, frames.located),
    (8, frames.ba), (6, frames.bei), (3, frames.wearing), (6, frames.described), (6, frames.helped), (4, frames.judged), (3, frames.besides), (4, complex_frames.although),
    (5, complex_frames.because), (3, complex_frames.conditional), (4, complex_frames.when_clause), (3, complex_frames.from_on),
    (3, complex_frames.even), (3, complex_frames.as_soon_as), (5, frames.question),
]


def finish(frame, pair):
    return frames.finish(pair, "？" if frame is frames.question else "。")
