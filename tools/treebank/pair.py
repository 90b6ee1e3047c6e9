"""A source constituent and its English, built together so that tree and alignment are right by construction.

Words are objects: a tree edge is a reference to the head's object, a link is a reference from an English token to
source words. Positions exist only once a sentence is finished (`Sentence`), so constituents can be moved freely.
"""


class Word:
    """A source word. `head` is another Word, or None for the root."""

    __slots__ = ("form", "upos", "xpos", "head", "rel")

    def __init__(self, form, upos, xpos):
        self.form, self.upos, self.xpos = form, upos, xpos
        self.head, self.rel = None, "root"

    def under(self, head, rel):
        """Attaches this word to `head` and returns it."""
        self.head, self.rel = head, rel
        return self


def en(text, *links):
    """English tokens of `text`, each linked to all the words given. No words: unaligned."""
    return [(token, links) for token in text.split()]


class Pair:
    """A constituent: source words in order, their head, English tokens in order."""

    def __init__(self, src, head, english):
        self.src, self.head, self.en = src, head, english

    def under(self, head, rel):
        self.head.under(head, rel)
        return self


class NounPhrase(Pair):
    """A noun phrase. English changes with its use: `en` as subject, `obj` as object, `poss` as possessor."""

    def __init__(self, src, head, english, person="3s", obj=None, poss=None, gender="n", noun=None, shape="plain"):
        super().__init__(src, head, english)
        self.person, self.gender, self.noun, self.shape = person, gender, noun, shape
        self.obj = obj if obj is not None else english
        self._poss = poss

    @property
    def poss(self):
        if self._poss is not None:
            return self._poss
        last, links = self.en[-1]
        return self.en + [("'" if self.person == "3p" and last.endswith("s") else "'s", links)]


class Sentence:
    """A finished pair: forms, tags, heads (0 = root), relations; English tokens; links (i, j), all 0-based."""

    def __init__(self, src, english):
        position = {id(word): i for i, word in enumerate(src)}
        assert len(position) == len(src), "a word occurs twice in " + " ".join(w.form for w in src)
        self.words = src
        self.heads = [0 if w.head is None else position[id(w.head)] + 1 for w in src]
        tokens = [token for token, _ in english]
        tokens[0] = tokens[0][0].upper() + tokens[0][1:]
        self.english = tokens
        self.links = sorted({(position[id(w)], j) for j, (_, links) in enumerate(english) for w in links})
        self.check()

    def check(self):
        text = " ".join(w.form for w in self.words)
        assert self.heads.count(0) == 1, f"{self.heads.count(0)} roots: {text}"
        for start in range(len(self.heads)):
            node, steps = start + 1, 0
            while node:
                node, steps = self.heads[node - 1], steps + 1
                assert steps <= len(self.heads), "cycle: " + text
        for word, head in zip(self.words, self.heads):
            assert (word.rel == "root") == (head == 0), f"relation {word.rel} of {word.form}: {text}"
            assert word.form and not set(word.form) & set(" \t\n"), text
        assert self.links, "no links: " + text
        for token in self.english:
            assert token and " " not in token, text

    def within(self, source_words, english_words):
        return source_words.issuperset(w.form for w in self.words) and english_words.issuperset(self.english)

    def source_text(self):
        return " ".join(w.form for w in self.words)

    def english_text(self):
        return " ".join(self.english)

    def conllu(self, sentence_id):
        lines = [f"# sent_id = {sentence_id}"]
        for i, (word, head) in enumerate(zip(self.words, self.heads), 1):
            lines.append(f"{i}\t{word.form}\t_\t{word.upos}\t{word.xpos}\t_\t{head}\t{word.rel}\t_\t_")
        return "\n".join(lines) + "\n\n"

    def pharaoh(self):
        return " ".join(f"{i}-{j}" for i, j in self.links)
