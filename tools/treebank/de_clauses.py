"""German clauses: one realiser for main and subordinate order, all tenses, separable prefixes and reflexives."""

from . import english
from .de_lexicon import INTRANSITIVE, MODALS, REFLEXIVE, SEPARABLE, TIMES, VERBS, rows
from .de_nouns import CLASSES, MEMBERS, RELATIVE, name, noun_phrase, prepositional, pronoun, tagged, w
from .pair import NounPhrase, Pair, en
from .sampler import Rejected

AUXILIARIES = {
    "haben": ("habe", "hat", "haben"),
    "sein": ("bin", "ist", "sind"),
    "werden": ("werde", "wird", "werden"),
    "wurde": ("wurde", "wurde", "wurden"),
    "war": ("war", "war", "waren"),
    "hatte": ("hatte", "hatte", "hatten"),
}
REFLEXIVES = {"1s": "mich", "1p": "uns"}


def agree(forms, person):
    """One of (first singular, third singular, plural)."""
    return forms[{"1s": 0, "3s": 1}.get(person, 2)]


class Verb:
    """A verb of the lexicon. `word` is its lexical word in the sentence; its form is filled in by `realise`."""

    def __init__(self, infinitive, third, participle, auxiliary, lemma):
        prefix, _, base = infinitive.rpartition("|")
        self.prefix, self.base, self.third, self.participle = prefix, base, third, participle
        self.auxiliary, self.lemma = {"h": "haben", "s": "sein"}[auxiliary], lemma
        self.word = w("?", "VVFIN")

    def present(self, person):
        first = self.base[:-2] + "e" if self.base.endswith("en") else self.base[:-1] + "e"
        return agree((first, self.third, self.base), person)

    @property
    def infinitive(self):
        return self.prefix + self.base

    @property
    def zu_infinitive(self):
        return self.prefix + "zu" + self.base if self.prefix else None


class Action:
    """A verb with what follows it: `objects` and `phrases` in the middle field, English `tail`, reflexive or not."""

    def __init__(self, verb, objects=(), phrases=(), tail=(), reflexive=False, shape="the"):
        self.verb, self.objects, self.phrases, self.tail = verb, list(objects), list(phrases), list(tail)
        self.reflexive, self.shape = reflexive, shape


# One puts on one coat at a time.
SINGULAR = {"an|ziehen", "aus|ziehen", "an|probieren", "ab|schließen", "tragen", "auf|räumen"}
SINGULAR_SHAPES = ["the", "this", "poss", "adj", "one adj", "one", "poss adj", "genitive", "relative"]


def transitive(d, table=None, frame="", subject=None, short=False, use=None):
    """A verb with an accusative object."""
    row = d.pick(table or rows(VERBS))
    verb = Verb(*row[:5])
    if use is None:
        use = {
            "lieben": "definite",
            "kennen": "definite",
            "backen": "indefinite",
            "suchen": "definite",
            "tragen": "indefinite",
            "auf|machen": "definite",
            "zu|machen": "definite",
            "ein|schalten": "definite",
            "aus|schalten": "definite",
            "ab|schließen": "definite",
            "auf|räumen": "definite",
        }.get(row[0])
    shapes = SINGULAR_SHAPES if row[0] in SINGULAR else None
    obj = noun_phrase(
        d, row[5], "acc", frame=frame + row[0], subject=subject, short=short, use=use, avoid=row[0], shapes=shapes
    )
    obj.under(verb.word, "obj")
    return Action(verb, [obj.src], [], obj.obj, shape=obj.shape if obj.head.xpos != "PPER" else "pronoun")


def separable(d, subject=None, short=False, use=None, frame=""):
    return transitive(d, rows(SEPARABLE), frame=frame, subject=subject, short=short, use=use)


def intransitive(d, subject=None):
    row = d.pick(rows(INTRANSITIVE))
    verb = Verb(*row[:5])
    if row[5] == "-":
        return Action(verb)
    preposition, case, classes, meaning = row[5].split(":")
    if preposition == "dat":
        obj = noun_phrase(d, classes, "dat", frame=row[0], subject=subject, use="definite")
        obj.under(verb.word, "obl:arg")
        return Action(verb, [obj.src], [], en(meaning, verb.word) + obj.obj)
    phrase = noun_phrase(d, classes, "dat" if case == "-" else case, frame=row[0], subject=subject, use="definite")
    placed = prepositional(preposition, phrase, meaning)
    if meaning == "-":
        verb.extra = (placed.preposition,)
    placed.under(verb.word, "obl")
    return Action(verb, [], [placed.src], placed.en)


def reflexive(d, subject=None, row=None, short=False):
    row = row or d.pick(rows(REFLEXIVE))
    infinitive, third, participle, lemma, preposition, case, meaning, classes = row
    verb = Verb(infinitive, third, participle, "h", lemma)
    phrase = noun_phrase(d, classes, case, frame=infinitive, subject=subject, short=short, use="definite")
    if infinitive == "verlieben" and phrase.person != "3s":
        raise Rejected
    placed = prepositional(preposition, phrase, meaning)
    if meaning == "-":
        # "remember" is the verb and its preposition together.
        verb.extra = (placed.preposition,)
    placed.under(verb.word, "obl:arg")
    return Action(verb, [], [placed.src], placed.en, reflexive=True)


def time(d, tense, choice=None):
    text, meaning = choice.split(" ", 1) if choice else d.pick(rows(TIMES[tense]))
    words = tagged(text)
    head = words[-1]
    relation = {"APPRART": "case", "APPR": "case", "PIAT": "det", "ADJA": "amod", "CARD": "nummod", "ADV": "advmod"}
    if len(words) == 2 and words[0].xpos == "ADV":
        head = words[0]
        words[1].under(head, "nmod")
    else:
        for word in words[:-1]:
            word.under(head, relation[word.xpos])
    tokens = meaning.split()
    if len(words) == 3 and len(tokens) == 3:
        order = [1, 2, 0] if tokens[2] == "ago" else [0, 1, 2]
        return Pair(words, head, [(token, (words[i],)) for token, i in zip(tokens, order)])
    return Pair(words, head, [(token, tuple(words)) for token in tokens])


def hang_time(when, verb):
    when.under(verb, "advmod" if when.head.xpos == "ADV" else "obl")
    return when


def has_relative(tokens):
    """Whether English ends in a relative clause, to which a time at the end would attach wrongly."""
    return any(links and links[0].xpos == "PRELS" for _, links in tokens)


def realise(subject, action, tense, order="main", front=None, modal=None, negative=False, adverb=None, when=None):
    """A clause. tense: present, past (Perfekt), pluperfect, future, modal.

    order: main (verb second), sub (verb last), infinitive (um … zu: no subject). front: a Pair in first place, English
    of which is placed by the caller; `when` stands in the middle field, its English at the end.
    """
    verb, word = action.verb, action.verb.word
    if when and has_relative(action.tail):
        raise Rejected
    person = subject.person
    subject.under(word, "nsubj")
    extra = tuple(getattr(verb, "extra", ()))
    middle, no, adverb_tokens = [], (), []
    mirror = []
    if action.reflexive:
        sich = w(REFLEXIVES.get(person, "sich"), "PRF").under(word, "expl:pv")
        mirror, extra = [sich], extra + (sich,)
    pronouns = [src for src in action.objects if len(src) == 1 and src[0].xpos == "PPER"]
    others = [src for src in action.objects if src not in pronouns]
    for src in pronouns:
        middle += src
    if when:
        middle += hang_time(when, word).src
    if adverb:
        often = w(adverb[0], "ADV").under(word, "advmod")
        middle.append(often)
        adverb_tokens = en(adverb[1], often)
    for src in others:
        middle += src
    if negative:
        nicht = w("nicht", "PTKNEG").under(word, "advmod")
        middle.append(nicht)
        no = (nicht,)
    for src in action.phrases:
        middle += src
    aux, english_modal = (), None
    if tense == "present":
        finite = word
        if order == "main":
            word.form = verb.present(person)
            last = [w(verb.prefix, "PTKVZ").under(word, "compound:prt")] if verb.prefix else []
            links = (word, *last, *extra)
        else:
            word.form, last, links = verb.prefix + verb.present(person), [], (word, *extra)
    else:
        if tense in ("past", "perfect", "pluperfect"):
            auxiliary = {"haben": "hatte", "sein": "war"}[verb.auxiliary] if tense == "pluperfect" else verb.auxiliary
            finite = w(agree(AUXILIARIES[auxiliary], person), "VAFIN")
            word.form, word.xpos = verb.participle, "VVPP"
        elif tense == "future":
            finite = w(agree(AUXILIARIES["werden"], person), "VAFIN")
            word.form, word.xpos = verb.infinitive, "VVINF"
        else:
            finite = w(modal[0] if person in ("1s", "3s") else modal[1], "VMFIN")
            word.form, word.xpos = verb.infinitive, "VVINF"
            english_modal = modal[2]
        finite.under(word, "aux")
        last = [word]
        links = (finite, word, *extra) if tense == "past" else (word, *extra)
        aux = (finite,) if tense != "past" else ()
    noun_subject = subject.head.xpos != "PPER" and subject.head.xpos != "PRELS"
    if order == "main":
        if front:
            lead = front.src
            after = mirror + subject.src if noun_subject else subject.src + mirror
        else:
            lead, after = subject.src, mirror
        src = lead + [finite] + after + middle + last
    else:
        after = mirror + subject.src if noun_subject else subject.src + mirror
        src = after + middle + last + ([finite] if finite is not word or tense == "present" else [])
    group = english.verb_group(verb.lemma, person, tense, links, aux, no, english_modal, adverb_tokens)
    return Pair(src, word, subject.en + group + action.tail + (when.en if when else []))


def infinitive(action, negative=False):
    """'das Fenster zu öffnen', 'ihre Mutter anzurufen': (words, head, links of the verb, zu or None)."""
    verb, word = action.verb, action.verb.word
    middle = []
    if action.reflexive:
        raise ValueError("reflexive infinitives depend on the subject")
    for src in action.objects + action.phrases:
        middle += src
    if verb.prefix:
        word.form, word.xpos = verb.zu_infinitive, "VVIZU"
        return middle + [word], None
    zu = w("zu", "PTKZU").under(word, "mark")
    word.form, word.xpos = verb.base, "VVINF"
    return middle + [zu, word], zu


RELATIVE_VERBS = set("""
    kaufen schreiben verkaufen suchen finden verlieren fotografieren reparieren organisieren übersetzen
    bekommen brauchen planen
    """.split())
RELATIVE_SEPARABLE = set("""
    mit|bringen vor|schlagen aus|leihen an|probieren vor|stellen ab|lehnen ein|laden vor|bereiten
    kennen|lernen
    """.split())
RELATIVE_OF_PERSON = set("besuchen treffen loben begrüßen kritisieren fragen ein|laden an|rufen kennen|lernen".split())


def relative(d, phrase, noun, case, gender, avoid):
    """Adds a relative clause to a noun phrase: ', den der Lehrer gekauft hat ,'."""
    people = bool(CLASSES[noun.form] & {"person"})
    comma = w(",", "$,")
    if people and d.chance(0.75):
        pronoun_word = w(RELATIVE[("nom", gender)], "PRELS")
        who = NounPhrase([pronoun_word], pronoun_word, en("who", pronoun_word), phrase.person, noun=noun.form)
        kind = d.weighted([(2, "live"), (2, "work"), (2, "reflexive"), (1, "act")])
        if kind == "reflexive":
            row = d.pick([row for row in rows(REFLEXIVE) if row[0] in ("interessieren", "fürchten", "kümmern")])
            inner = realise(who, reflexive(d, row=row, short=True), "present", "sub")
            if any(word.xpos == "PPER" for word in inner.src):
                raise Rejected
        elif kind == "act":
            inner = realise(
                who,
                transitive(
                    d,
                    [row for row in rows(VERBS) if row[0] in ("studieren", "kennen", "verkaufen", "reparieren")],
                    "relative ",
                    short=True,
                ),
                "present",
                "sub",
            )
        else:
            row = ("wohnen wohnt gewohnt h live" if kind == "live" else "arbeiten arbeitet gearbeitet h work").split()
            verb = Verb(*row)
            if kind == "live" or d.chance(0.4):
                place = prepositional("in", noun_phrase(d, "city,country", "dat"), "in")
            else:
                place = prepositional(
                    "in", noun_phrase(d, "venue", "dat", shapes=["the", "this", "one"], short=True), "in"
                )
            d.combine("who " + kind, place.noun)
            place.under(verb.word, "obl")
            inner = realise(who, Action(verb, [], [place.src], place.en), "present", "sub")
    else:
        fitting = [
            row
            for row in rows(VERBS) + rows(SEPARABLE)
            if row[0] != avoid
            and row[0] in (RELATIVE_OF_PERSON if people else RELATIVE_VERBS | RELATIVE_SEPARABLE)
            and any(noun in MEMBERS.get(cls, []) for cls in row[5].split(","))
        ]
        if not fitting:
            return phrase
        row = d.pick(fitting)
        verb = Verb(*row[:5])
        d.combine("relative", row[0], noun.form)
        pronoun_word = w(RELATIVE[("acc", gender)], "PRELS").under(verb.word, "obj")
        subject = d.weighted(
            [
                (3, lambda: pronoun(d)),
                (2, lambda: name(d)),
                (2, lambda: noun_phrase(d, "person,kin", shapes=["the", "poss"], short=True)),
            ]
        )()
        when = time(d, "past") if d.chance(0.4) else None
        inner = realise(subject, Action(verb), "past", "sub", when=when)
        inner.src = [pronoun_word] + inner.src
        inner.en = en("whom" if people else "that", pronoun_word) + inner.en
    inner.under(phrase.head, "acl")
    comma.under(inner.head, "punct")
    closing = w(",", "$,").under(inner.head, "punct")
    return NounPhrase(
        phrase.src + [comma] + inner.src + [closing],
        phrase.head,
        phrase.en + inner.en,
        phrase.person,
        noun=phrase.noun,
        shape="relative",
        gender=phrase.gender,
    )


def person_subject(d, pronounable=False):
    """A person as subject; pronounable: one that a pronoun can take up."""
    kind = d.weighted([(4, "pronoun"), (3, "name"), (5, "person"), (3, "kin")])
    if kind == "pronoun":
        return pronoun(d)
    if kind == "name":
        return name(d)
    if kind == "kin":
        return noun_phrase(d, "kin", shapes=["poss"], short=True)
    phrase = noun_phrase(d, "person", shapes=["the", "this", "poss", "adj", "plural"], short=True)
    if pronounable and phrase.person == "3s" and phrase.gender == "n":
        return person_subject(d, pronounable)
    return phrase


def pick_modal(d):
    return d.pick(rows(MODALS))
