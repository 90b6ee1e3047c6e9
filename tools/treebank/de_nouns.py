"""German noun phrases with their English: declension, determiners, adjectives, genitives, relative clauses.

Relations follow Universal Dependencies (a preposition hangs on its noun), tags the STTS.
"""

from collections import namedtuple

from . import english
from .de_lexicon import ADJECTIVES, GROUPS, NAMES, NOUNS, POSSESSIVES, PRONOUNS, SINGLE, rows
from .pair import NounPhrase, Pair, Word, en

UPOS = {
    "ART": "DET",
    "NN": "NOUN",
    "NE": "PROPN",
    "PPER": "PRON",
    "PPOSAT": "DET",
    "PDAT": "DET",
    "PRF": "PRON",
    "VVFIN": "VERB",
    "VVPP": "VERB",
    "VVINF": "VERB",
    "VVIZU": "VERB",
    "VAFIN": "AUX",
    "VAINF": "AUX",
    "VMFIN": "AUX",
    "PTKVZ": "ADP",
    "PTKNEG": "PART",
    "PTKZU": "PART",
    "APPR": "ADP",
    "APPRART": "ADP",
    "APZR": "ADP",
    "ADJA": "ADJ",
    "ADJD": "ADJ",
    "ADV": "ADV",
    "KOUS": "SCONJ",
    "KOUI": "SCONJ",
    "KOKOM": "CCONJ",
    "KON": "CCONJ",
    "PRELS": "PRON",
    "PWAV": "ADV",
    "PWS": "PRON",
    "PIAT": "DET",
    "CARD": "NUM",
    "$,": "PUNCT",
    "$.": "PUNCT",
}
CASES = ("nom", "acc", "dat", "gen")
GENDERS = ("m", "f", "n", "p")
Noun = namedtuple("Noun", "form gender weak plural text mark")


def table(text):
    """Endings by case (lines) and gender (m f n plural); '-' for none."""
    return {
        (case, gender): ending.replace("-", "")
        for case, line in zip(CASES, text.split("/"))
        for gender, ending in zip(GENDERS, line.split())
    }


DEFINITE = table("der die das die/den die das die/dem der dem den/des der des der")
MIXED_ARTICLE = table("- e - e/en e - e/em er em en/es er es er")
DEMONSTRATIVE = table("er e es e/en e es e/em er em en/es er es er")
WEAK = table("e e e en/en e e en/en en en en/en en en en")
MIXED = table("er e es en/en e es en/en en en en/en en en en")
STRONG = table("er e es e/en e es e/em er em en/en er en er")
RELATIVE = table("der die das die/den die das die/dem der dem denen/dessen deren dessen deren")
CONTRACTIONS = {
    ("in", "dem"): "im",
    ("an", "dem"): "am",
    ("zu", "dem"): "zum",
    ("zu", "der"): "zur",
    ("von", "dem"): "vom",
    ("bei", "dem"): "beim",
    ("in", "das"): "ins",
}


def w(form, tag):
    return Word(form, UPOS[tag], tag)


def tagged(text):
    return [w(*item.split("/")) for item in text.split("+")]


def read_nouns():
    result = {}
    for name, text in NOUNS.items():
        result[name] = []
        for form, gender, plural, meaning in rows(text):
            mark = meaning[0] if meaning[0] in "~^" else ""
            result[name].append(
                Noun(
                    form, gender[0], gender.endswith("*"), None if plural == "-" else plural, meaning.lstrip("~^"), mark
                )
            )
    return result


TABLE = read_nouns()
NOUN = {noun.form: noun for nouns in TABLE.values() for noun in nouns}
CLASSES = {}
for _name, _nouns in TABLE.items():
    for _noun in _nouns:
        CLASSES.setdefault(_noun.form, set()).add(_name)
for _name, _text in GROUPS.items():
    for _form in _text.split():
        if _form in CLASSES:
            CLASSES[_form].add(_name)
for _name, _form in SINGLE.items():
    CLASSES[_form].add(_name)
MEMBERS = {}
for _form, _names in CLASSES.items():
    for _name in _names:
        MEMBERS.setdefault(_name, []).append(NOUN[_form])


def decline(noun, case, plural=False):
    if plural:
        return noun.plural + ("n" if case == "dat" and noun.plural[-1] not in "ns" else "")
    if noun.weak and case != "nom":
        return noun.form + ("n" if noun.form[-1] in "er" else "en")
    if case == "gen" and noun.gender in "mn":
        return noun.form + (
            "es" if noun.form[-1] in "sßxztd" and len(noun.form) <= 6 or noun.form in ("Mann", "Sohn") else "s"
        )
    return noun.form


def english_noun(noun, plural):
    return english.plural(noun.text) if plural else noun.text


def name(d, case="nom"):
    form, gender = d.pick(rows(NAMES))
    word = w(form, "NE")
    return NounPhrase([word], word, en(form, word), gender=gender, noun=form)


def pronoun(d, case="nom", but=None):
    choices = [row for row in rows(PRONOUNS) if but is None or row[5][0] != but.person[0]]
    return make_pronoun(d.pick(choices), case)


def make_pronoun(row, case="nom"):
    form = row[{"nom": 0, "acc": 1, "dat": 2}[case]]
    word = w(form, "PPER")
    gender = {"he": "m", "she": "f"}.get(row[3], "n")
    return NounPhrase([word], word, en(row[3], word), row[5], en(row[4], word), gender=gender, noun=row[3])


def again(subject):
    """The pronoun that takes up a subject, or None when English would not know he from she."""
    if subject.head.xpos == "PPER":
        wanted = subject.noun
    elif subject.person == "3p":
        wanted = "they"
    elif CLASSES.get(subject.noun, set()) & {"person", "kin"} or subject.head.xpos == "NE":
        wanted = {"m": "he", "f": "she"}.get(subject.gender)
    else:
        wanted = None
    return make_pronoun(next(row for row in rows(PRONOUNS) if row[3] == wanted)) if wanted else None


def adjective_for(d, noun):
    fitting = [
        row
        for row in rows(ADJECTIVES)
        if set(row[2].split(",")) & CLASSES[noun.form]
        and row[0] != "müde"
        and not (row[0] == "jung" and noun.form in ("Junge", "Kind", "Mädchen"))
    ]
    return d.pick(fitting) if fitting else None


def inflected(form, ending):
    stem = {"teuer": "teur"}.get(form, form)
    return stem + (ending[1:] if stem.endswith("e") and ending.startswith("e") else ending)


INDEFINITE = ("one", "one adj", "number")


def noun_phrase(
    d, classes, case="nom", frame=None, shapes=None, short=False, use=None, subject=None, only=None, avoid=None
):
    """A noun phrase of one of the classes in a case.

    frame: what it is combined with (see sampler); use: definite or indefinite; subject: must not recur; avoid: verb not
    to repeat in a relative clause; short: no long modifiers.
    """
    pool = [noun for cls in classes.split(",") for noun in MEMBERS.get(cls, [])]
    people = "person" in classes.split(",") or "kin" in classes.split(",")
    if people and only is None and not shapes and d.chance(0.2):
        phrase = name(d) if d.chance(0.6) or use == "subject" else pronoun(d, case, but=subject)
        if subject is not None and phrase.noun == subject.noun:
            return noun_phrase(d, classes, case, frame, shapes, short, use, subject, only, avoid)
        if frame:
            d.combine(frame, phrase.noun)
        return phrase
    noun = NOUN[only] if only else d.pick(pool)
    if subject is not None and subject.noun == noun.form:
        return noun_phrase(d, classes, case, frame, shapes, short, use, subject, only, avoid)
    if frame:
        d.combine(frame, noun.form)
    shape = choose_shape(d, noun, shapes, short, use)
    phrase = shaped(d, noun, case, shape, subject, avoid)
    if frame and phrase.shape not in ("the", "bare"):
        d.combine(frame, "shape", phrase.shape)
    return phrase


# A person is somebody's only in some roles.
RELATIONAL = set("""
    Lehrer Lehrerin Arzt Ärztin Nachbar Nachbarin Kollege Kollegin Freund Freundin Chef Anwalt Gast Kunde
    Trainer Schüler Schülerin
    """.split())
OWNED = {"clothes", "device", "vehicle", "thing", "reading", "text", "animal", "room", "issue"}


def choose_shape(d, noun, shapes, short, use):
    classes = CLASSES[noun.form]
    if noun.mark == "~" or classes & {"city", "country"} or noun.form == "Gemüse":
        return "bare"
    if "kin" in classes:
        allowed = ["poss", "poss", "poss", "poss adj"]
    elif noun.plural is None:
        allowed = ["the", "poss"]
    else:
        allowed = ["the", "the", "this", "one", "plural", "adj", "one adj"]
        owned = classes & OWNED or noun.form in RELATIONAL
        if owned:
            allowed += ["poss", "poss"]
        if not short and d.chance(d.rich):
            allowed = ["adj", "one adj", "relative", "relative", "number"]
            if owned:
                allowed += ["poss adj"]
            if classes & OWNED:
                allowed += ["genitive", "genitive"]
            if classes & {"portable", "food", "animal"}:
                allowed += ["place"]
    if use == "definite":
        allowed = [shape for shape in allowed if shape not in INDEFINITE]
    elif use == "indefinite":
        allowed = [shape for shape in allowed if shape in INDEFINITE] or (
            ["one", "one adj"] if noun.plural else ["the"]
        )
    if shapes:
        allowed = (
            [shape for shape in allowed if shape in shapes]
            or [shape for shape in shapes if shape in ("the", "one", "poss")]
            or ["the"]
        )
        if "kin" in classes and "poss" not in allowed:
            allowed = ["poss"]
    return d.pick(allowed)


def shaped(d, noun, case, shape, subject=None, avoid=None):
    if shape == "bare":
        word = w(
            decline(noun, case) if case != "gen" else noun.form,
            "NE" if CLASSES[noun.form] & {"city", "country"} else "NN",
        )
        return NounPhrase(
            [word],
            word,
            [(t, (word,)) for t in noun.text.split()],
            "3p" if noun.mark == "^" else "3s",
            noun=noun.form,
            shape="bare",
            gender=noun.gender,
        )
    plural = shape in ("plural", "number")
    gender = "p" if plural else noun.gender
    word = w(decline(noun, case, plural), "NN")
    person = "3p" if plural or noun.mark == "^" else "3s"
    noun_tokens = [(token, (word,)) for token in english_noun(noun, plural).split()]
    adjective = adjective_for(d, noun) if "adj" in shape else None
    if adjective is None and "adj" in shape:
        shape = shape.replace("adj", "").strip() or "the"
    kind = shape.split()[0]
    key = (case, gender)
    if kind == "one":
        det, endings = w("ein" + MIXED_ARTICLE[key], "ART"), MIXED
    elif kind == "poss":
        stem, meaning = d.pick(rows(POSSESSIVES))
        ending = MIXED_ARTICLE[key]
        det, endings = w(stem + ending, "PPOSAT"), MIXED
    elif kind == "this":
        det, endings = w("dies" + DEMONSTRATIVE[key], "PDAT"), WEAK
    elif kind == "number":
        form, number = d.pick(
            [
                ("zwei", "two"),
                ("drei", "three"),
                ("vier", "four"),
                ("fünf", "five"),
                ("viele", "many"),
                ("einige", "some"),
            ]
        )
        if form in ("viele", "einige"):
            det = w(form[:-1] + STRONG[key], "PIAT")
        else:
            det = w(form, "CARD")
        endings = STRONG
    else:
        det, endings = w(DEFINITE[key], "ART"), WEAK
    det.under(word, "nummod" if det.xpos == "CARD" else "det:poss" if det.xpos == "PPOSAT" else "det")
    src, adjective_tokens = [det], []
    if adjective:
        d.combine("adj", adjective[0], noun.form)
        attribute = w(inflected(adjective[0], endings[key]), "ADJA").under(word, "amod")
        src.append(attribute)
        adjective_tokens = en(adjective[1], attribute)
    src.append(word)
    following = (adjective_tokens + noun_tokens)[0][0]
    text = {"one": english.article(following), "this": "this", "number": None, "poss": None}.get(kind, "the")
    if kind == "one" and noun.mark == "^":
        first = []
    elif kind == "number":
        first = en(number, det)
    elif kind == "poss":
        first = en(meaning, det)
    elif kind == "this" and person == "3p":
        first = en("these", det)
    else:
        first = en(text, det)
    tokens = first + adjective_tokens + noun_tokens
    phrase = NounPhrase(src, word, tokens, person, noun=noun.form, shape=shape, gender=noun.gender)
    if shape == "genitive":
        return with_genitive(d, phrase, adjective_tokens + noun_tokens)
    if shape == "place":
        return with_place(d, phrase)
    if shape == "relative":
        from .de_clauses import relative  # Noun phrases contain clauses and clauses noun phrases.

        return relative(d, phrase, noun, case, gender, avoid)
    return phrase


def with_genitive(d, phrase, inner):
    """das Auto des Lehrers: the teacher 's car."""
    owner = noun_phrase(d, "person,kin", "gen", shapes=["the", "poss"], short=True)
    owner.under(phrase.head, "nmod")
    last = owner.head
    tokens = owner.en + [("'" if owner.person == "3p" and owner.en[-1][0].endswith("s") else "'s", (last,))]
    return NounPhrase(
        phrase.src + owner.src,
        phrase.head,
        tokens + inner,
        phrase.person,
        noun=phrase.noun,
        shape="genitive",
        gender=phrase.gender,
    )


PLACES = {
    "food": ["auf Tisch on", "in Küche in"],
    "portable": [
        "auf Tisch on",
        "auf Stuhl on",
        "in Regal on",
        "unter Bett under",
        "auf Sofa on",
        "neben Lampe next_to",
        "in Koffer in",
        "in Tasche in",
        "auf Schrank on",
    ],
    "animal": ["in Garten in", "vor Haus in_front_of", "in Park in", "unter Tisch under", "hinter Garage behind"],
}


def with_place(d, phrase):
    """das Buch auf dem Tisch."""
    cls = next(c for c in ("portable", "food", "animal") if c in CLASSES[phrase.noun])
    preposition, noun, meaning = d.pick(PLACES[cls]).split()
    place = prepositional(preposition, shaped(d, NOUN[noun], "dat", "the"), meaning.replace("_", " "))
    place.under(phrase.head, "nmod")
    return NounPhrase(
        phrase.src + place.src,
        phrase.head,
        phrase.en + place.en,
        phrase.person,
        noun=phrase.noun,
        shape="place",
        gender=phrase.gender,
    )


def prepositional(preposition, phrase, meaning):
    """A preposition before a noun phrase; contracted with a definite article where German does (im, zum)."""
    article = phrase.src[0]
    contracted = CONTRACTIONS.get((preposition, article.form)) if article.xpos == "ART" else None
    if contracted:
        word = w(contracted, "APPRART").under(phrase.head, "case")
        tokens = [(token, (word,) if links == (article,) else links) for token, links in phrase.obj]
        src = [word] + phrase.src[1:]
        phrase.src = src
    else:
        word = w(preposition, "APPR").under(phrase.head, "case")
        tokens, src = phrase.obj, [word] + phrase.src
    meant = [] if meaning in ("-", "") else en(meaning, word)
    result = Pair(src, phrase.head, meant + tokens)
    result.preposition, result.noun = word, phrase.noun
    return result
