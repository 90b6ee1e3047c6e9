"""German sentences of two clauses: subordinate clauses with the verb last, infinitives with zu, paired conjunctions."""

from . import de_frames as frames
from . import de_places as places
from . import english
from .de_clauses import (
    AUXILIARIES,
    Action,
    Verb,
    agree,
    infinitive,
    person_subject,
    realise,
    reflexive,
    separable,
    transitive,
)
from .de_lexicon import REFLEXIVE, SEPARABLE, VERBS, rows
from .de_nouns import again, noun_phrase, prepositional, w
from .pair import NounPhrase, Pair, en

EMBEDDED = [
    (3, frames.simple),
    (4, frames.separated),
    (2, frames.separated_plain),
    (3, frames.with_oneself),
    (2, frames.dative),
    (2, frames.giving),
    (3, frames.passive),
    (1, places.located),
    (1, frames.light_verb),
    (1, places.predicate),
    (1, places.moving),
]


def comma(head):
    return w(",", "$,").under(head, "punct")


def that(d):
    """Sie sagt, dass der Zug abgefahren ist; Er fragt, ob …"""
    subject = person_subject(d)
    row, conjunction, meaning = d.pick(
        [
            ("sagen sagt gesagt h say", "dass", "that"),
            ("glauben glaubt geglaubt h believe", "dass", "that"),
            ("wissen weiß gewusst h know", "dass", "that"),
            ("hoffen hofft gehofft h hope", "dass", "that"),
            ("denken denkt gedacht h think", "dass", "that"),
            ("erzählen erzählt erzählt h say", "dass", "that"),
            ("fragen fragt gefragt h ask", "ob", "whether"),
            ("wissen weiß gewusst h know", "ob", "whether"),
        ]
    )
    verb = Verb(*row.split())
    inner = d.weighted(EMBEDDED)(d, order="sub")
    d.combine(verb.base, conjunction, inner.head.form)
    negative = conjunction == "ob" and verb.base == "wissen"
    tense = "present" if verb.base in ("wissen", "hoffen", "denken", "glauben") else d.pick(["present", "past"])
    main = realise(subject, Action(verb), tense, negative=negative)
    if verb.base == "wissen":
        for word in main.src:
            word.form = {"wisse": "weiß"}.get(word.form, word.form)
    mark = w(conjunction, "KOUS").under(inner.head, "mark")
    inner.under(main.head, "ccomp")
    return Pair(main.src + [comma(inner.head), mark] + inner.src, main.head, main.en + en(meaning, mark) + inner.en)


def state(d, subject, order):
    """krank sein, müde sein, keine Zeit haben as a reason."""
    form, text = d.pick(
        [
            ("müde", "tired"),
            ("krank", "ill"),
            ("beschäftigt", "busy"),
            ("nervös", "nervous"),
            ("traurig", "sad"),
            ("hungrig", "hungry"),
        ]
    )
    tense = "war"
    word = w(form, "ADJD")
    finite = w(agree(AUXILIARIES[tense], subject.person), "VAFIN").under(word, "cop")
    subject.under(word, "nsubj")
    very = [w("sehr", "ADV").under(word, "advmod")] if d.chance(0.4) else []
    be = [(english.preterite("be", subject.person), (finite,))]
    src = subject.src + [finite] + very + [word] if order == "main" else subject.src + very + [word, finite]
    return Pair(src, word, subject.en + be + (en("very", *very) if very else []) + en(text, word)), form


def weather(d, order, tense):
    row, meaning = d.pick([("regnen regnet geregnet h rain", "rain"), ("schneien schneit geschneit h snow", "snow")])
    verb = Verb(*row.split())
    es = w("es", "PPER")
    pair = realise(NounPhrase([es], es, en("it", es), noun="it"), Action(verb), tense, order)
    return pair, verb.base


def select(forms):
    return [row for row in rows(VERBS) + rows(SEPARABLE) if row[0] in forms.split()]


# What one may leave undone when tired, and what one does not do in the rain.
CHORES = select("""
        besuchen waschen kochen reparieren schreiben lesen treffen füttern übersetzen an|rufen auf|räumen
        ab|holen vor|lesen vor|bereiten aus|füllen an|sehen ein|laden zurück|geben auf|schreiben
    """)
OUTDOORS = select("besuchen treffen ab|holen fotografieren waschen ein|laden")


def because(d):
    """Weil er müde war, hat er die Tante nicht angerufen."""
    subject = person_subject(d, pronounable=True)
    other = again(subject)
    if other is None:
        return because(d)
    first_front = d.chance(0.5)
    one, two = (subject, other) if first_front else (other, subject)
    kind = d.pick(["state", "interest", "weather", "although", "although"])
    conjunction, meaning = ("obwohl", "although") if kind == "although" else ("weil", "because")
    if kind == "weather":
        reason, key = weather(d, "sub", "past")
        two = subject
    elif kind == "interest":
        row = next(row for row in rows(REFLEXIVE) if row[0] == "interessieren")
        row = row[:7] + ["subject"]
        reason, key = realise(one, reflexive(d, one, row), "present", "sub"), "interessieren"
    else:
        reason, key = state(d, one, "sub")
    if kind == "interest":
        table = [
            ["besuchen", "besucht", "besucht", "h", "visit", "learned"],
            ["lesen", "liest", "gelesen", "h", "read", "informing"],
            ["aus|leihen", "leiht", "ausgeliehen", "h", "borrow", "lendable"],
        ]
        action = transitive(d, table, frame="weil ", subject=two, use=d.pick(["definite", None]))
        tense, negative = d.pick(["past", "future"]), False
    else:
        table = OUTDOORS if kind == "weather" else CHORES
        action = transitive(d, table, subject=two, use=None if kind == "although" else "definite")
        tense, negative = "past", kind != "although" and action.shape != "bare"
    d.combine(conjunction, key, action.verb.base)
    mark = w(conjunction, "KOUS").under(reason.head, "mark")
    if first_front:
        stop = comma(reason.head)
        main = realise(two, action, tense, front=Pair([mark] + reason.src + [stop], reason.head, []), negative=negative)
        reason.under(main.head, "advcl")
        return Pair(main.src, main.head, en(meaning, mark) + reason.en + en(",", stop) + main.en)
    main = realise(two, action, tense, negative=negative)
    reason.under(main.head, "advcl")
    return Pair(main.src + [comma(reason.head), mark] + reason.src, main.head, main.en + en(meaning, mark) + reason.en)


def before(d):
    """Bevor sie ihre Mutter anruft, räumt sie das Zimmer auf. Nachdem …, …"""
    subject = person_subject(d, pronounable=True)
    other = again(subject)
    if other is None:
        return before(d)
    conjunction, meaning, first_tense, second_tense = d.pick(
        [("bevor", "before", "present", "present"), ("nachdem", "after", "pluperfect", "past")]
    )
    first_action = transitive(d, CHORES, subject=subject, use="definite", short=d.chance(0.5))
    second_action = transitive(d, CHORES, subject=other, use="definite")
    if first_action.verb.base == second_action.verb.base:
        return before(d)
    d.combine(conjunction, first_action.verb.infinitive, second_action.verb.infinitive)
    first = realise(subject, first_action, first_tense, "sub")
    mark = w(conjunction, "KOUS").under(first.head, "mark")
    stop = comma(first.head)
    main = realise(other, second_action, second_tense, front=Pair([mark] + first.src + [stop], first.head, []))
    first.under(main.head, "advcl")
    return Pair(main.src, main.head, en(meaning, mark) + first.en + en(",", stop) + main.en)


def if_(d):
    """Wenn es regnet, bleibt er zu Hause. Wenn sie Zeit hat, …"""
    subject = person_subject(d, pronounable=True)
    other = again(subject)
    if other is None:
        return if_(d)
    kind = d.pick(["weather", "time", "time", "money"])
    if kind == "weather":
        first, key = weather(d, "sub", "present")
        other = subject
        table = select("lesen an|sehen auf|räumen zu|machen an|ziehen kochen schreiben an|rufen mit|nehmen")
    else:
        noun_form, text = ("Zeit", "time") if kind == "time" else ("Geld", "money")
        verb = Verb("haben", "hat", "gehabt", "h", "have")
        noun = w(noun_form, "NN").under(verb.word, "obj")
        enough = [w("genug", "ADV").under(noun, "advmod")] if kind == "money" or d.chance(0.5) else []
        first = realise(
            subject,
            Action(verb, [enough + [noun]], [], (en("enough", *enough) if enough else []) + en(text, noun)),
            "present",
            "sub",
        )
        key = noun_form
        table = select(
            "lesen an|sehen auf|räumen besuchen an|rufen treffen ein|laden vor|lesen reparieren waschen"
            if kind == "time"
            else "kaufen ein|laden bezahlen besuchen"
        )
    action = transitive(d, table, subject=other)
    if action.verb.base in ("reparieren", "waschen") and action.shape in ("one", "number", "one adj"):
        return if_(d)
    tense = d.pick(["present", "future", "modal"])
    d.combine("wenn", key, action.verb.base)
    mark = w("wenn", "KOUS").under(first.head, "mark")
    stop = comma(first.head)
    modal = d.pick(
        [
            ["kann", "können", "can"],
            ["will", "wollen", "want to"],
            ["soll", "sollen", "should"],
            ["möchte", "möchten", "would like to"],
        ]
    )
    main = realise(other, action, tense, front=Pair([mark] + first.src + [stop], first.head, []), modal=modal)
    first.under(main.head, "advcl")
    return Pair(main.src, main.head, en("if", mark) + first.en + en(",", stop) + main.en)


def purpose(d):
    """Er fährt nach Berlin, um seine Tante zu besuchen."""
    subject = person_subject(d)
    row, lemma = d.pick(
        [("fahren fährt gefahren s", "go"), ("fliegen fliegt geflogen s", "fly"), ("reisen reist gereist s", "travel")]
    )
    verb = Verb(*row.split(), lemma)
    city = noun_phrase(d, "city,country", "dat", frame="um zu " + lemma)
    goal = prepositional("nach", city, "to")
    goal.under(verb.word, "obl")
    tense = d.pick(["present", "past", "future", "modal"])
    main = frames.timed(
        d,
        subject,
        Action(verb, [], [goal.src], goal.en),
        tense,
        "main",
        chance=0.3,
        times="future" if tense == "modal" else tense,
        modal=d.pick(
            [["will", "wollen", "want to"], ["möchte", "möchten", "would like to"], ["muss", "müssen", "must"]]
        ),
    )
    row = d.pick(select("kaufen treffen verkaufen ab|holen fotografieren kennen|lernen besuchen besuchen"))
    classes = {"besuchen": "person,kin,venue", "kaufen": "vehicle", "verkaufen": "vehicle"}.get(row[0], row[5])
    action = transitive(d, [row[:5] + [classes]], frame="um ", subject=subject)
    words, zu = infinitive(action)
    um = w("um", "KOUI").under(action.verb.word, "mark")
    action.verb.word.under(main.head, "advcl")
    links = (action.verb.word,)
    lemma_tokens = [(token, links) for token in action.verb.lemma.split()]
    to = (um, zu) if zu else (um, action.verb.word)
    return Pair(
        main.src + [comma(action.verb.word), um] + words,
        main.head,
        main.en + en("to", *to) + lemma_tokens + action.tail,
    )


CONTROL = [
    ("vergessen vergisst vergessen h forget", "past"),
    ("versuchen versucht versucht h try", "any"),
    ("planen plant geplant h plan", "any"),
    ("versprechen verspricht versprochen h promise", "any"),
    ("beschließen beschließt beschlossen h decide", "past"),
    ("hoffen hofft gehofft h hope", "present"),
    ("an|fangen fängt angefangen h begin", "any"),
]


PROMISED = """
    kaufen lesen schreiben besuchen reparieren waschen verkaufen kochen lösen organisieren bezahlen
    füttern übersetzen unterschreiben
"""


def infinitive_clause(d):
    """Er hat vergessen, seine Mutter anzurufen; sie bittet den Schüler, das Fenster zuzumachen."""
    subject = person_subject(d)
    action = separable(d, subject=subject) if d.chance(0.6) else transitive(d, select(PROMISED), subject=subject)
    words, zu = infinitive(action)
    word = action.verb.word
    if d.chance(0.35):
        row, tense = d.pick(
            [("bitten bittet gebeten h ask", "any"), ("überreden überredet überredet h persuade", "past")]
        )
        verb = Verb(*row.split())
        who = noun_phrase(d, "person,kin", "acc", frame=row.split()[0], subject=subject, use="definite")
        if subject.person[0] == who.person[0] != "3" or who.shape == "relative" and len(words) > 5:
            return infinitive_clause(d)
        who.under(verb.word, "obj")
        control = Action(verb, [who.src], [], who.obj)
    else:
        row, tense = d.pick(CONTROL)
        verb = Verb(*row.split())
        control = Action(verb)
        if (
            action.verb.lemma == "understand"
            and verb.base != "versuchen"
            or verb.base == "fangen"
            and action.verb.infinitive
            not in (
                "schreiben",
                "lesen",
                "aufräumen",
                "reparieren",
                "kochen",
                "waschen",
                "vorlesen",
                "vorbereiten",
                "übersetzen",
            )
        ):
            return infinitive_clause(d)
    d.combine(verb.base, action.verb.infinitive)
    tense = d.pick(["present", "past"]) if tense == "any" else tense
    main = realise(subject, control, tense)
    word.under(main.head, "xcomp")
    to = (zu,) if zu else (word,)
    tokens = [(token, (word,)) for token in action.verb.lemma.split()]
    return Pair(main.src + [comma(word)] + words, main.head, main.en + en("to", *to) + tokens + action.tail)


PAIRED = [
    ("sowohl", "als auch", "both", "and"),
    ("weder", "noch", "neither", "nor"),
    ("entweder", "oder", "either", "or"),
    ("nicht nur", "sondern auch", "not only", "but also"),
]


def paired(d):
    """Sie hat sowohl das Buch als auch den Brief mitgebracht."""
    subject = person_subject(d)
    row = d.pick(select("""
            mit|bringen ein|laden an|rufen weg|werfen kaufen verkaufen besuchen suchen mit|nehmen ab|lehnen
            an|nehmen essen aus|leihen treffen vergessen
            """))
    verb = Verb(*row[:5])
    first_word, second_word, meaning, other_meaning = d.pick(PAIRED)
    classes = d.pick([c for c in row[5].split(",") if c not in ("city", "venue")])
    one = noun_phrase(
        d, classes, "acc", frame=first_word, subject=subject, shapes=["the", "poss", "this", "one"], short=True
    )
    two = noun_phrase(
        d, classes, "acc", frame=second_word, subject=subject, shapes=["the", "poss", "this", "one"], short=True
    )
    if one.noun == two.noun or one.head.xpos == "PPER" or two.head.xpos == "PPER":
        return paired(d)
    d.combine(first_word, row[0])
    opening = [w(form, "KON") for form in first_word.split()]
    joining = [w(form, "KON") for form in second_word.split()]
    for word in opening:
        word.under(one.head, "cc:preconj")
    for word in joining:
        word.under(two.head, "cc")
    stop = [comma(two.head)] if first_word == "nicht nur" else []
    two.under(one.head, "conj")
    one.under(verb.word, "obj")
    tokens = en(meaning, *opening) + one.obj + en(other_meaning, *joining) + two.obj
    if len(opening) == 2:
        tokens = (
            en("not", opening[0])
            + en("only", opening[1])
            + one.obj
            + en("but", joining[0])
            + en("also", joining[1])
            + two.obj
        )
    action = Action(verb, [opening + one.src + stop + joining + two.src], [], tokens, shape="one")
    tense = d.pick(["past", "future", "modal", "past"]) if row[0] not in ("vergessen",) else "past"
    return realise(
        subject,
        action,
        tense,
        modal=d.pick([["kann", "können", "can"], ["will", "wollen", "want to"], ["soll", "sollen", "should"]]),
    )
