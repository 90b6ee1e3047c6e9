"""German sentence frames about places, movement, properties and comparison."""

from . import english
from .de_clauses import AUXILIARIES, Action, Verb, agree, person_subject, realise
from .de_frames import any_tense, timed
from .de_lexicon import ADJECTIVES, rows
from .de_nouns import MEMBERS, name, noun_phrase, prepositional, w
from .pair import Pair, en


def located(d, order="main"):
    """Der Schlüssel liegt auf dem Tisch; Im Park gibt es viele Bäume; sie legt das Buch auf den Tisch."""
    kind = d.pick(["lie", "put", "exist", "live"])
    if kind == "lie":
        subject = noun_phrase(
            d,
            "portable",
            frame="liegen",
            shapes=["the", "this", "poss", "adj", "relative", "genitive", "plural"],
            use="definite",
            short=d.chance(0.5),
        )
        verb = Verb("liegen", "liegt", "gelegen", "h", "be")
        preposition, meaning, places = d.pick(
            [
                ("auf", "on", "Tisch Bett Sofa Stuhl Teppich Schrank"),
                ("unter", "under", "Tisch Bett Sofa"),
                ("in", "in", "Schrank Schublade Koffer Tasche"),
                ("neben", "next to", "Bett Lampe Computer Tasche"),
            ]
        )
        only = d.pick(places.split())
        if only == subject.noun:
            return located(d, order)
        d.combine(preposition, only, subject.noun)
        place = prepositional(
            preposition,
            noun_phrase(d, "surface", "dat", only=only, shapes=["the", "adj", "this", "poss"], short=True),
            meaning,
        )
        place.under(verb.word, "obl")
        pair = realise(subject, Action(verb, [], [place.src], place.en), "present", order)
        return singular(subject, pair)
    if kind == "put":
        row, preposition, meaning, classes, places = d.pick(
            [
                ("legen legt gelegt h put", "auf", "on", "portable", "Tisch Bett Sofa Stuhl Schrank"),
                ("stellen stellt gestellt h put", "in", "in", "small1", "Schrank Küche Keller Garage"),
                ("legen legt gelegt h put", "in", "in", "portable", "Schublade Koffer Tasche Schrank"),
                ("hängen hängt gehängt h hang", "über", "above", "hung", "Tisch Bett Sofa Schreibtisch"),
            ]
        )
        verb = Verb(*row.split())
        subject = person_subject(d)
        if classes == "small1":
            obj = noun_phrase(
                d,
                "thing",
                "acc",
                frame="stellen",
                only=d.pick(["Koffer", "Lampe", "Glas", "Teller", "Fahrrad"]),
                subject=subject,
            )
            if obj.noun in ("Glas", "Teller", "Lampe") and "Schrank" not in places:
                return located(d, order)
            places = {
                "Koffer": "Schrank Keller",
                "Lampe": "Keller Küche",
                "Glas": "Schrank Küche",
                "Teller": "Schrank Küche",
                "Fahrrad": "Garage Keller",
            }[obj.noun]
        else:
            obj = noun_phrase(d, classes, "acc", frame=row.split()[0], subject=subject)
        only = d.pick(places.split())
        if obj.noun == only:
            return located(d, order)
        d.combine(row.split()[0], only, obj.noun)
        place = prepositional(
            preposition, noun_phrase(d, "surface", "acc", only=only, shapes=["the", "this"], short=True), meaning
        )
        obj.under(verb.word, "obj")
        place.under(verb.word, "obl")
        return any_tense(d, subject, Action(verb, [obj.src], [place.src], obj.obj + place.en, shape="one"), order)
    if kind == "exist":
        word, es = w("gibt", "VVFIN"), w("es", "PPER")
        only = d.pick(["Park", "Garten", "Dorf", "Stadt", "Wald"])
        place = prepositional(
            "in", noun_phrase(d, "outside", "dat", only=only, shapes=["the", "this", "adj"], short=True), "in"
        )
        obj = noun_phrase(
            d,
            {"Park": "animal", "Garten": "animal", "Wald": "animal", "Dorf": "building", "Stadt": "building,event"}[
                only
            ],
            "acc",
            frame="es gibt " + only,
            use="indefinite",
        )
        es.under(word, "expl")
        obj.under(word, "obj")
        place.under(word, "obl")
        be = english.present("be", obj.person)
        if order != "main":
            return Pair([es] + place.src + obj.src + [word], word, en("there", es) + en(be, word) + obj.en + place.en)
        return Pair(place.src + [word, es] + obj.src, word, en("there", es) + en(be, word) + obj.en + place.en)
    subject = person_subject(d)
    row, pool = d.pick(
        [
            ("wohnen wohnt gewohnt h live", "city,country,outside"),
            ("arbeiten arbeitet gearbeitet h work", "city,country,venue"),
        ]
    )
    verb = Verb(*row.split())
    place = prepositional(
        "in",
        noun_phrase(d, pool, "dat", frame=row.split()[0], shapes=["the", "adj", "one adj", "this", "one"], short=True),
        "in",
    )
    if place.noun in ("Wald", "Park", "Garten"):
        return located(d, order)
    place.under(verb.word, "obl")
    return realise(
        subject, Action(verb, [], [place.src], place.en), "present", order, adverb=d.pick([None, ("noch", "still")])
    )


def singular(subject, pair):
    """Brille is singular in German, glasses are plural in English."""
    if subject.noun == "Brille":
        for word in pair.src:
            if word.form == "liegen":
                word.form = "liegt"
    return pair


def moving(d, order="main"):
    """geht an der Schule vorbei, läuft auf das Haus zu, fährt um den Park herum."""
    prefix, preposition, case, meaning, classes = d.pick(
        [
            ("vorbei", "an", "dat", "past", "building"),
            ("zu", "auf", "acc", "towards", "building,person,animal"),
            ("herum", "um", "acc", "around", "building"),
        ]
    )
    base, third, participle, lemma = d.pick(
        [
            ("gehen", "geht", "gegangen", "walk"),
            ("fahren", "fährt", "gefahren", "drive"),
            ("laufen", "läuft", "gelaufen", "run"),
        ]
    )
    verb = Verb(prefix + "|" + base, third, prefix + participle, "s", lemma)
    subject = person_subject(d)
    filler = noun_phrase(d, classes, case, frame=prefix, use="definite", subject=subject)
    if filler.head.xpos == "PPER" or filler.noun == "Brücke" and prefix == "herum":
        return moving(d, order)
    place = prepositional(preposition, filler, "")
    place.under(verb.word, "obl")
    marker = en(meaning, place.preposition)
    tense = d.pick(["present", "past", "past"])
    pair = timed(
        d,
        subject,
        Action(verb, [], [place.src], marker + place.en),
        tense,
        order,
        chance=0.3,
        times="past" if tense == "past" else "present",
    )
    # The prefix is half of the English preposition.
    half = next((x for x in pair.src if x.xpos == "PTKVZ" and x.head is verb.word), verb.word)
    pair.en = [
        (token, (place.preposition, half)) if links == (place.preposition,) and token == meaning else (token, links)
        for token, links in pair.en
    ]
    return pair


def predicate(d, order="main", subject=None):
    """Das Buch, das sie gekauft hat, ist interessant."""
    form, text, classes = d.pick([row for row in rows(ADJECTIVES) if row[0] not in ("gut",)])
    if subject is None:
        subject = (
            noun_phrase(
                d,
                classes,
                frame="ist " + form,
                shapes=["the", "this", "poss", "relative", "genitive", "plural"]
                + ([] if "person" in classes else ["place"]),
                use="definite",
            )
            if any(MEMBERS.get(c) for c in classes.split(","))
            else name(d)
        )
    else:
        form, text = d.pick([("müde", "tired"), ("krank", "ill"), ("beschäftigt", "busy")])
    word = w(form, "ADJD")
    finite = w(
        agree(AUXILIARIES[d.pick(["sein", "sein", "war"])], subject.person if subject.noun != "Brille" else "3s"),
        "VAFIN",
    ).under(word, "cop")
    tense = "past" if finite.form.startswith("war") else "present"
    subject.under(word, "nsubj")
    degree = d.pick(
        [None, ("sehr", "very"), ("wirklich", "really"), ("nicht", "not")]
        if form not in ("rot", "blau", "schwarz", "weiß", "neu")
        else [None, ("nicht", "not")]
    )
    extra, tokens = [], []
    if degree:
        extra = [w(degree[0], "PTKNEG" if degree[0] == "nicht" else "ADV").under(word, "advmod")]
        tokens = en(degree[1], *extra)
    be = [((english.present if tense == "present" else english.preterite)("be", subject.person), (finite,))]
    src = subject.src + [finite] + extra + [word] if order == "main" else subject.src + extra + [word, finite]
    return Pair(src, word, subject.en + be + tokens + en(text, word))


def compare(d, order="main"):
    """Das Hotel ist größer als die Schule; so groß wie."""
    form, higher, text, classes = d.pick(
        [
            ("groß", "größer", "big", "building,animal"),
            ("alt", "älter", "old", "person,building"),
            ("teuer", "teurer", "expensive", "clothes,device,vehicle"),
            ("schön", "schöner", "beautiful", "building,city"),
            ("interessant", "interessanter", "interesting", "reading,show"),
            ("jung", "jünger", "young", "person,kin"),
            ("klug", "klüger", "clever", "person,kin"),
            ("modern", "moderner", "modern", "building,device"),
            ("fleißig", "fleißiger", "hard-working", "person,kin"),
            ("ruhig", "ruhiger", "quiet", "calm,city"),
        ]
    )
    cls = d.pick(classes.split(","))
    shapes = ["the", "this", "poss", "genitive", "relative", "adj"] if cls not in ("kin",) else ["poss"]
    subject = noun_phrase(d, cls, shapes=["the", "this", "poss"], short=True, use="definite")
    filler = noun_phrase(d, cls, frame="als " + form, shapes=shapes, use="definite")
    if filler.noun == subject.noun or filler.shape == "adj" and any(x.form.startswith(form) for x in filler.src):
        return compare(d, order)
    same = d.chance(0.4)
    word = w(form if same else higher, "ADJD")
    finite = w(agree(AUXILIARIES["sein"], subject.person), "VAFIN").under(word, "cop")
    subject.under(word, "nsubj")
    than = w("wie" if same else "als", "KOKOM").under(filler.head, "case")
    filler.under(word, "obl")
    be = [(english.present("be", subject.person), (finite,))]
    if same:
        so = w("so", "ADV").under(word, "advmod")
        german, tokens = [so, word], en("as", so) + en(text, word) + en("as", than)
    else:
        german, tokens = [word], [(t, (word,)) for t in english.comparative(text).split()] + en("than", than)
    rest = [than] + filler.src
    src = subject.src + [finite] + german + rest if order == "main" else subject.src + german + [finite] + rest
    return Pair(src, word, subject.en + be + tokens + filler.obj)
