"""Chinese noun phrases with their English.

Dependencies follow the Chinese Treebank style: a preposition heads its phrase (pobj), a localiser heads its noun
(lobj) and hangs on the preposition (plmod), 的 hangs on what it marks (assm, cpm).
"""

from . import english
from .pair import NounPhrase, Pair, Word, en
from .zh_lexicon import (
    ADJECTIVES,
    CLASS_GROUPS,
    COLOURS,
    LOCATIVES,
    NAMES,
    NUMBERS,
    POSSESSABLE,
    PRONOUNS,
    SINGLE,
    nouns,
    rows,
)

UPOS = {
    "NN": "NOUN",
    "NR": "PROPN",
    "NT": "NOUN",
    "PN": "PRON",
    "VV": "VERB",
    "VA": "ADJ",
    "VC": "AUX",
    "VE": "VERB",
    "P": "ADP",
    "LC": "ADP",
    "DEC": "PART",
    "DEG": "PART",
    "DEV": "PART",
    "AS": "PART",
    "SP": "PART",
    "M": "NOUN",
    "CD": "NUM",
    "DT": "DET",
    "JJ": "ADJ",
    "AD": "ADV",
    "CC": "CCONJ",
    "CS": "SCONJ",
    "BA": "ADP",
    "LB": "ADP",
    "SB": "ADP",
    "PU": "PUNCT",
}
NOUN_TABLE = nouns()
CLASSES_OF = {}
for _name, _entries in NOUN_TABLE.items():
    for _entry in _entries:
        CLASSES_OF.setdefault(_entry[0][-1], set()).add(_name)
ENTRY_OF = {entry[0][-1]: entry for entries in NOUN_TABLE.values() for entry in entries}
PRONOUN_ROWS, NAME_ROWS = rows(PRONOUNS), rows(NAMES)


def w(form, tag):
    return Word(form, UPOS[tag], tag)


def tagged(text):
    """Words of '打/VV+电话/NN'."""
    return [w(*item.split("/")) for item in text.split("+")]


def entries(classes):
    """Noun entries of a comma-separated list of classes or single nouns."""
    result = []
    for name in classes.split(","):
        if name in NOUN_TABLE:
            result += NOUN_TABLE[name]
        elif CLASS_GROUPS.get(name):
            result += [ENTRY_OF[noun] for noun in CLASS_GROUPS[name].split()]
        elif name in SINGLE:
            result.append(ENTRY_OF[SINGLE[name]])
    return result


def describes(adjective_classes, noun):
    for name in adjective_classes.split(","):
        if name in CLASSES_OF[noun]:
            return True
        if name in CLASS_GROUPS and noun in CLASS_GROUPS[name].split():
            return True
        if name in SINGLE and SINGLE[name] == noun:
            return True
    return False


ATTRIBUTES = [row for row in rows(ADJECTIVES) if row[3] != "-"]
# Classes whose members have no colour, price or owner that one would mention.
COLOURED = {"clothes", "machine", "vehicle"}


def pronoun(d, but=None):
    """A personal pronoun; `but`: a subject it must not repeat."""
    choices = [row for row in PRONOUN_ROWS if but is None or row[4][0] != but.person[0]]
    return make_pronoun(d.pick(choices))


def make_pronoun(row):
    form, subject, obj, poss, person = row
    word = w(form, "PN")
    return NounPhrase(
        [word],
        word,
        en(subject, word),
        person,
        en(obj, word),
        en(poss, word),
        noun=form,
        gender={"他": "m", "她": "f"}.get(form, "n"),
    )


def again(subject):
    """The pronoun that takes up a subject, or None."""
    if subject.head.xpos == "PN":
        return make_pronoun(next(row for row in PRONOUN_ROWS if row[0] == subject.head.form))
    form = "他们" if subject.person == "3p" else {"m": "他", "f": "她"}.get(subject.gender)
    return make_pronoun(next(row for row in PRONOUN_ROWS if row[0] == form)) if form else None


def name(d):
    form, text, gender = d.pick(NAME_ROWS)
    word = w(form, "NR")
    return NounPhrase([word], word, en(text, word), gender=gender, noun=form)


KIN_GENDER = dict(
    zip("妈妈 爸爸 哥哥 姐姐 弟弟 妹妹 爷爷 奶奶 叔叔 阿姨 儿子 女儿 丈夫 妻子".split(), "fmmfmfmfmfmfmf")
)


def kin(d, entry=None):
    (form,), _, text = entry or d.pick(NOUN_TABLE["kin"])
    owners = {"丈夫": "我你她", "妻子": "我你他"}.get(form, "我你他她")
    owner = make_pronoun(d.pick([row for row in PRONOUN_ROWS if row[0] in owners]))
    word = w(form, "NN")
    owner.under(word, "assmod")
    return NounPhrase(
        owner.src + [word], word, owner.poss + en(text, word), gender=KIN_GENDER[form], noun=form, shape="kin"
    )


def core(entry):
    """Words of a noun, its head, and (words, English marks, English, singular?)."""
    forms, _, text = entry
    mark = text[0] if text[0] in "~^" else ""
    text = text.lstrip("~^")
    proper = "A" <= text[0] <= "Z" and not mark
    words = [w(form, "NR" if proper else "NN") for form in forms]
    for word in words[:-1]:
        word.under(words[-1], "nn")
    return words, mark, text


def link_noun(text, words):
    tokens = text.split()
    if len(words) == len(tokens):
        return [(token, (word,)) for token, word in zip(tokens, words)]
    return [(token, tuple(words)) for token in tokens]


def attribute(d, noun, head):
    """(words, English tokens, Chinese form) of an adjective that fits the noun, or None. Hangs on head."""
    fitting = [row for row in ATTRIBUTES if describes(row[2], noun)]
    colours = rows(COLOURS) if CLASSES_OF[noun] & COLOURED else []
    if not fitting and not colours:
        return None
    if colours and d.chance(0.3):
        form, text = d.pick(colours)
        word, de = w(form, "NN"), w("的", "DEG")
        de.under(word.under(head, "assmod"), "assm")
        return [word, de], en(text, word), form
    if not fitting:
        return None
    form, text, _, kind = d.pick(fitting)
    if kind == "J":
        word = w(form, "JJ").under(head, "amod")
        return [word], en(text, word), form
    word, de = w(form, "VA"), w("的", "DEC")
    de.under(word.under(head, "rcmod"), "cpm")
    return [word, de], en(text, word), form


def noun_phrase(d, classes, frame=None, shapes=None, subject=None, short=False, use=None, avoid=None, only=None):
    """A noun phrase of one of the classes. `frame` names what it is combined with; `subject` must not recur in it.

    shapes: allowed shapes, default all that suit the noun. short: no relative clause or other long modifier.
    use: definite (known to the hearer), indefinite (new), generic (the kind).
    avoid: verb not to repeat in a relative clause.
    """
    pool = entries(classes)
    wanted = classes.split(",")
    if "name" in wanted and d.chance(0.35):
        phrase = pronoun(d, but=subject) if d.chance(0.5) else name(d)
        if subject is not None and phrase.noun == subject.noun:
            return noun_phrase(d, classes, frame, shapes, subject, short, use, avoid)
        if frame:
            d.combine(frame, phrase.noun)
        return phrase
    entry = d.pick([e for e in pool if only is None or e[0][-1] == only])
    noun = entry[0][-1]
    if frame:
        d.combine(frame, noun)
    if entry in NOUN_TABLE["kin"]:
        return kin(d, entry)
    phrase = shaped(d, entry, shapes, subject, short, use, avoid)
    if frame and phrase.shape not in ("plain", "bare"):
        d.combine(frame, "shape", phrase.shape)
    return phrase


SHORT = ["bare", "this", "that"]  # shapes of a noun phrase without modifier
INDEFINITE = ("one", "number", "one adj")


def shaped(d, entry, shapes, subject, short, use, avoid):
    noun = entry[0][-1]
    classes = CLASSES_OF[noun]
    persons = bool(classes & {"person", "group"})
    words, mark, text = core(entry)
    head = words[-1]
    if classes & {"city", "country"}:
        for word in words:
            word.xpos, word.upos = "NR", "PROPN"
        return NounPhrase(words, head, link_noun(text, words), noun=noun)
    issue = "issue" in classes
    if mark == "~":
        allowed = ["this", "that"] if entry[1] and "matter" in classes else ["bare"]
    elif issue or classes & {"games"}:
        allowed = ["bare"]
    elif noun in ("成功", "失败", "成绩"):
        allowed = ["poss"]
    elif noun == "事":
        allowed = ["this", "that"]
    elif mark == "^":
        allowed = (
            ["bare", "bare", "these", "poss", "adj"] if "group" not in classes else ["bare", "bare", "adj", "relative"]
        )
    elif classes & {"organisation"}:
        allowed = ["bare", "this", "that"]
    else:
        allowed = ["bare", "bare", "this", "that", "one", "number", "poss", "adj", "one adj"] if entry[1] else ["bare"]
        if not short and d.chance(d.rich):
            allowed = ["relative", "poss", "poss adj", "location", "adj", "one adj", "this adj"]
    if "structure" in classes:
        allowed = [s for s in allowed if s != "number"]
    if "topic" in classes:
        allowed = [s for s in allowed if s != "bare"]
    if use == "definite":
        allowed = [s for s in allowed if s not in INDEFINITE]
    elif use == "indefinite":
        allowed = [s for s in allowed if s in (INDEFINITE if entry[1] and not mark else ("bare", "adj"))] or [
            "one" if entry[1] else "bare"
        ]
    elif use == "generic" and not mark and not persons:
        allowed = ["generic", "generic"] + [s for s in allowed if s in ("this", "that", "poss", "relative", "location")]
    if shapes:
        allowed = [s for s in allowed if s in shapes] or ["bare"]
    if not location_choices(noun):
        allowed = [s for s in allowed if s != "location"] or ["bare"]
    if (
        classes & {"building", "surface", "event", "food", "film", "structure", "site"}
        or persons
        and noun not in POSSESSABLE
    ):
        allowed = [s for s in allowed if not s.startswith("poss")] or ["bare"]
    shape = d.pick(allowed)
    person = "3p" if mark == "^" else "3s"
    before, tokens = [], []
    noun_tokens = link_noun(text, words)
    adjective = attribute(d, noun, head) if "adj" in shape else None
    if "adj" in shape and adjective is None:
        shape = shape.replace("adj", "").strip() or "bare"
    the = (
        []
        if mark == "~"
        and not (use == "definite" and classes & {"food", "drink", "task"} and not issue)
        or use in ("indefinite", "generic")
        and mark
        else en("the")
    )
    if adjective:
        before, tokens = adjective[0], adjective[1]
        d.combine("adj", adjective[2], noun)
    if shape.startswith(("this", "that", "one", "number", "these")):
        measure = w(entry[1] if shape != "these" and entry[1] else "些", "M")
        if shape.startswith(("this", "that", "these")):
            det = w("那" if shape.startswith("that") else "这", "DT").under(head, "det")
            measure.under(head, "clf")
            tokens = en(shape.split()[0], det, measure) + tokens
        elif shape.startswith("one"):
            det = w("一", "CD").under(measure, "nummod")
            measure.under(head, "clf")
            tokens = en(english.article((tokens + noun_tokens)[0][0]), det, measure) + tokens
        else:
            form, number = d.pick(rows(NUMBERS))
            det = w(form, "CD").under(measure, "nummod")
            measure.under(head, "clf")
            tokens = en(number, det, measure) + tokens
            noun_tokens = link_noun(english.plural(text), words)
            person = "3p"
        before = [det, measure] + before
    elif shape.startswith("poss"):
        # 我 严格 的 老师: one 的 is enough after a pronoun.
        single = adjective is not None and len(adjective[0]) == 2
        owner = possessor(d, subject, persons or single)
        de = w("的", "DEG").under(owner.head, "assm")
        owner.under(head, "assmod")
        poss = owner.poss
        if owner.head.xpos == "PN":
            tokens = [(poss[0][0], (owner.head, de))] + tokens
        else:
            tokens = poss[:-1] + [(poss[-1][0], (de,))] + tokens
        if single:
            tokens[0] = (tokens[0][0], (owner.head,))
        before = owner.src + ([] if single else [de]) + before
    elif shape == "relative":
        from . import zh_clauses  # Noun phrases contain clauses and clauses noun phrases.

        if persons:
            clause = zh_clauses.relative_of_person(d, noun, head, person)
        else:
            clause = zh_clauses.relative_of_object(d, noun, head, avoid)
        if clause is None:
            tokens, shape = the, "bare"
        else:
            return NounPhrase(
                clause[0] + words, head, en("the") + noun_tokens + clause[1], person, noun=noun, shape="relative"
            )
    elif shape == "location":
        place = location(d, choices=location_choices(noun))
        de = w("的", "DEG").under(place.head, "assm")
        place.under(head, "assmod")
        return NounPhrase(
            place.src + [de] + words, head, en("the") + noun_tokens + place.en, person, noun=noun, shape="location"
        )
    elif shape == "generic":
        noun_tokens, person = link_noun(english.plural(text), words), "3p"
    else:
        tokens = the + tokens
    if mark == "~":
        shape = "mass"
    return NounPhrase(before + words, head, tokens + noun_tokens, person, noun=noun, shape=shape)


def possessor(d, subject, persons):
    if d.chance(0.6) or persons:
        rows_ = [
            row
            for row in PRONOUN_ROWS
            if subject is None or subject.head.xpos != "PN" or row[0] == subject.noun or row[4][0] != subject.person[0]
        ]
        return make_pronoun(d.pick(rows_))
    return name(d) if d.chance(0.6) else kin(d)


LOCATIONS = {  # where things of a class lie
    "food": "surface:桌子 container:冰箱 container:篮子 container:袋子",
    "volume": "surface:桌子 surface:书架 surface:床 surface:沙发 container:抽屉 container:书包 container:箱子 building:图书馆",
    "clothes": "surface:床 surface:沙发 surface:椅子 container:柜子 container:箱子 under:床",
    "small": "surface:桌子 surface:书架 surface:窗台 container:抽屉 container:盒子 container:箱子 under:桌子 beside:沙发",
}


def location_choices(noun):
    return [choice for name, text in LOCATIONS.items() if name in CLASSES_OF[noun] for choice in text.split()]


def location(d, frame=None, choices=None):
    """'桌子 上' with English 'on the table'; the localiser is the head."""
    kind, noun = d.pick(choices or sorted(set(" ".join(LOCATIONS.values()).split()))).split(":")
    words, _, text = core(ENTRY_OF[noun])
    form, prep = LOCATIVES[kind]
    if frame:
        d.combine(frame, form, noun)
    lc = w(form, "LC")
    words[-1].under(lc, "lobj")
    return Pair(words + [lc], lc, en(prep, lc) + en("the") + link_noun(text, words))
