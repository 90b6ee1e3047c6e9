"""German sentence frames about what people do: each function draws one sentence as a Pair without its final mark."""

from . import english
from .de_clauses import (
    AUXILIARIES,
    Action,
    Verb,
    agree,
    hang_time,
    has_relative,
    intransitive,
    person_subject,
    pick_modal,
    realise,
    reflexive,
    separable,
    time,
    transitive,
)
from .de_lexicon import DATIVE, FREQUENCY, GIVING, MODALS, SEPARABLE, VERBS, rows
from .de_nouns import CLASSES, MEMBERS, name, noun_phrase, prepositional, shaped, w
from .pair import Pair, Sentence, en
from .sampler import Rejected

# Verbs that name a state, an unwanted event, something done only now and then.
STATES = set("lieben kennen verstehen brauchen hören".split())
UNWANTED = set("verlieren vergessen finden bekommen hören ärgern verlieben fürchten weglaufen einschlafen".split())
HABITS = set("""
    anrufen ausschalten einschalten aufräumen aufmachen zumachen vorlesen kochen lesen trinken füttern
    studieren aufstehen fernsehen einkaufen interessieren kümmern beschweren unterhalten treffen loben
    kritisieren zuhören besuchen
    """.split())
# Small things happen on a day, not in a year.
DAYS = {
    "past": [
        "gestern/ADV yesterday",
        "vorgestern/ADV the day before yesterday",
        "am/APPRART+Freitag/NN on Friday",
        "am/APPRART+Montag/NN on Monday",
    ],
    "future": [
        "morgen/ADV tomorrow",
        "heute/ADV+Abend/NN tonight",
        "bald/ADV soon",
        "am/APPRART+Samstag/NN on Saturday",
    ],
    "present": [
        "heute/ADV today",
        "am/APPRART+Abend/NN in the evening",
        "am/APPRART+Morgen/NN in the morning",
        "jeden/PIAT+Morgen/NN every morning",
        "jeden/PIAT+Abend/NN every evening",
        "jeden/PIAT+Tag/NN every day",
    ],
}
# The present of what is no habit.
ONCE = [
    "heute/ADV today",
    "am/APPRART+Abend/NN in the evening",
    "am/APPRART+Sonntag/NN on Sunday",
    "am/APPRART+Wochenende/NN at the weekend",
]
MOTION = {a + b for a in ("vorbei", "zu", "herum") for b in ("gehen", "fahren", "laufen")} | {
    "fahren",
    "fliegen",
    "reisen",
}
DAILY = set("""
    abschließen legen stellen hängen aufessen aufstehen einschlafen fernsehen einkaufen aussteigen anziehen
    ausziehen zumachen aufmachen ausschalten einschalten zuhören
    """.split())


def any_tense(d, subject, action, order="main"):
    """A clause in a tense that suits the action, with time, adverb, modal or negation."""
    verb = action.verb.infinitive
    choices = [(4, "past"), (2, "plain")]
    if verb in STATES:
        choices = [(4, "plain")]
    elif verb not in UNWANTED:
        choices += [(3, "future"), (4, "modal")]
    if verb in HABITS and action.shape not in ("one", "one adj", "number"):
        choices += [(2, "habit")]
    if (
        action.shape not in ("one", "one adj", "number", "bare", "pronoun")
        and not action.phrases
        and verb not in ("lieben",)
    ):
        choices += [(2, "negative")]
    if verb in ("vergessen", "verlieren", "bekommen", "finden", "kennenlernen"):
        choices = [(1, "past")]
    elif verb in ("fürchten", "interessieren", "freuen"):
        choices = [(1, "plain")]
    tense = d.weighted(choices)
    if tense == "negative":
        return realise(subject, action, "past" if verb not in STATES else "present", order, negative=True)
    if tense == "modal":
        modal = pick_modal(d)
        d.combine("modal", modal[0], verb)
        return timed(d, subject, action, "modal", order, modal=modal, chance=0.25, times="future")
    if tense == "habit":
        if d.chance(0.5):
            return realise(subject, action, "present", order, adverb=d.pick(rows(FREQUENCY)))
        return timed(d, subject, action, "present", order, chance=1.0, times="present")
    if tense == "plain":
        return timed(d, subject, action, "present", order, chance=0.0)
    return timed(d, subject, action, tense, order, chance=0.6)


def timed(d, subject, action, tense, order, chance=0.5, times=None, **more):
    when = time(d, times or tense) if d.chance(chance) else None
    verb = action.verb.infinitive
    if when and (times or tense) == "present" and verb not in HABITS and verb not in MOTION:
        when = time(d, tense, d.pick(ONCE))
    elif when and verb in DAILY:
        when = time(d, tense, d.pick(DAYS[times or tense]))
    if when and has_relative(action.tail):
        raise Rejected
    if when and order == "main" and d.chance(0.5):
        pair = realise(subject, action, tense, order, front=hang_time(when, action.verb.word), **more)
        pair.en = pair.en + when.en
        return pair
    return realise(subject, action, tense, order, when=when, **more)


def simple(d, order="main"):
    subject = person_subject(d)
    return any_tense(d, subject, transitive(d, subject=subject), order)


def separated(d, order="main"):
    """Die Lehrerin ruft den Nachbarn an."""
    subject = person_subject(d)
    action = separable(d, subject=subject)
    if order == "main" and d.chance(0.5) and action.verb.infinitive not in ("kennenlernen",):
        return timed(d, subject, action, "present", order, chance=0.35, times="present")
    return any_tense(d, subject, action, order)


def separated_plain(d, order="main"):
    subject = person_subject(d)
    action = intransitive(d, subject)
    if action.verb.infinitive == "abfahren":
        subject = noun_phrase(d, "transport", shapes=["the", "this"], short=True)
        return timed(d, subject, action, d.pick(["present", "past", "future"]), order, chance=0.6)
    return any_tense(d, subject, action, order)


def with_oneself(d, order="main"):
    subject = person_subject(d)
    action = reflexive(d, subject)
    if action.verb.base == "verlieben" and subject.person not in ("1s", "3s"):
        return with_oneself(d, order)
    return any_tense(d, subject, action, order)


def topic(d):
    """Den Brief hat der Lehrer geschrieben: the object comes first."""
    masculine = [row for row in rows(VERBS) + rows(SEPARABLE) if row[0] not in ("lieben", "kennen")]
    row = d.pick(masculine)
    nouns = [
        n
        for cls in row[5].split(",")
        for n in MEMBERS.get(cls, [])
        if n.gender == "m" and n.mark != "~" and not CLASSES[n.form] & {"city", "kin", "country"}
    ]
    if not nouns:
        return topic(d)
    noun = d.pick(nouns)
    d.combine(row[0], noun.form)
    verb = Verb(*row[:5])
    obj = shaped(
        d,
        noun,
        "acc",
        d.pick(["the", "this", "the", "relative"] if d.chance(d.rich) else ["the", "this"]),
        avoid=row[0],
    )
    d.combine("topic", row[0], noun.form)
    subject = noun_phrase(d, "person,kin", shapes=["the", "poss", "this"], short=True) if d.chance(0.5) else name(d)
    if subject.noun == noun.form:
        return topic(d)
    obj.under(verb.word, "obj")
    action = Action(verb, [], [], obj.obj, shape=obj.shape)
    tense, modal = d.pick([("past", None), ("past", None), ("modal", pick_modal(d))])
    if row[0] in UNWANTED:
        tense, modal = "past", None
    return realise(subject, action, tense, front=obj, modal=modal)


def dative(d, order="main"):
    infinitive_, third, participle, auxiliary, lemma, kind, people, things = d.pick(rows(DATIVE))
    verb = Verb(infinitive_, third, participle, auxiliary, lemma)
    filler = noun_phrase(d, people, "dat", frame=infinitive_, use="definite")
    if things == "person":
        subject = person_subject(d)
        if (
            subject.noun == filler.noun
            or subject.person[0] == filler.person[0] != "3"
            or subject.head.xpos == filler.head.xpos == "PPER"
        ):
            return dative(d, order)
        filler.under(verb.word, "obl:arg")
        action = Action(verb, [filler.src], [], filler.obj, shape=filler.shape)
        return (
            any_tense(d, subject, action, order)
            if infinitive_ != "vertrauen"
            else realise(subject, action, "present", order, negative=d.chance(0.3))
        )
    subject = noun_phrase(
        d, things, "nom", frame=infinitive_ + " 2", shapes=["the", "this", "adj", "relative", "poss"], use="definite"
    )
    if subject.head.xpos == "PPER":
        return dative(d, order)
    filler.under(verb.word, "obl:arg")
    if kind == "S":
        return realise(subject, Action(verb, [filler.src], [], filler.obj), "present", order)
    # dem Kind gefällt das Buch: the child likes the book.
    tense = d.pick(["present", "past"])
    negative = d.chance(0.25)
    german = realise(subject, Action(verb, [filler.src], [], []), tense, order, negative=negative)
    finite = next(x for x in german.src if x.xpos in ("VVFIN", "VAFIN"))
    links = (finite, verb.word) if finite is not verb.word else (finite,)
    no = tuple(x for x in german.src if x.xpos == "PTKNEG")
    group = english.verb_group("like", filler.person, tense, links, (), no)
    return Pair(german.src, german.head, filler.en + group + subject.obj)


def giving(d, order="main"):
    row = d.pick(rows(GIVING))
    verb = Verb(*row)
    subject = person_subject(d)
    who = noun_phrase(d, "person,kin", "dat", frame=row[0], subject=subject, use="definite")
    if subject.person[0] == who.person[0] != "3":
        return giving(d, order)
    what = noun_phrase(d, "giveable", "acc", frame=row[0] + " 2", short=True)
    who.under(verb.word, "iobj")
    what.under(verb.word, "obj")
    action = Action(
        verb,
        [who.src, what.src],
        [],
        who.obj + what.obj if who.head.xpos in ("PPER", "NE") else what.obj + en("to") + who.obj,
        shape="one" if "one" in what.shape else what.shape,
    )
    return any_tense(d, subject, action, order)


def passive(d, order="main"):
    """Das Auto wurde von meinem Bruder repariert."""
    table = [
        row
        for row in rows(VERBS) + rows(SEPARABLE)
        if row[3] == "h"
        and row[0]
        not in (
            "sehen",
            "lieben",
            "kennen",
            "verlieren",
            "bekommen",
            "brauchen",
            "hören",
            "tragen",
            "verstehen",
            "kennen|lernen",
            "treffen",
            "essen",
            "trinken",
            "vergessen",
            "studieren",
            "lernen",
        )
    ]
    row = d.pick(table)
    verb = Verb(*row[:5])
    made = row[0] in ("schreiben", "kochen", "backen", "malen", "planen", "organisieren")
    shapes = ["the", "this", "poss", "adj", "genitive", "plural"] + ([] if made else ["relative"])
    subject = noun_phrase(d, row[5], "nom", frame="passive " + row[0], shapes=shapes, use="definite", avoid=row[0])
    if subject.head.xpos == "PPER" or CLASSES[subject.noun] & {"city"}:
        return passive(d, order)
    word = verb.word
    word.form, word.xpos = verb.participle, "VVPP"
    modal = pick_modal(d) if d.chance(0.2) else None
    when = time(d, "past") if d.chance(0.3) and not modal else None
    agent = noun_phrase(d, "person,kin", "dat", frame="von " + row[0], use="definite") if d.chance(0.7) else None
    if agent is not None and agent.noun == subject.noun:
        return passive(d, order)
    subject.under(word, "nsubj:pass")
    middle, tail = [], []
    if when:
        middle += hang_time(when, word).src
    if agent:
        if when and has_relative(agent.obj):
            raise Rejected
        by = prepositional("von", agent, "by")
        by.under(word, "obl:agent")
        middle += by.src
        tail = by.en
    first, _, rest = verb.lemma.partition(" ")
    links = (word,)
    if modal and modal[2] in ("can", "must", "should"):
        finite = w(modal[0] if subject.person == "3s" else modal[1], "VMFIN").under(word, "aux")
        werden = w("werden", "VAINF").under(word, "aux:pass")
        group = en(modal[2], finite) + en("be", werden)
        ending = [word, werden]
    else:
        finite = w(agree(AUXILIARIES["wurde"], subject.person), "VAFIN").under(word, "aux:pass")
        group = [(english.preterite("be", subject.person), (finite,))]
        ending = [word]
    if subject.noun == "Brille":
        finite.form = {"wurden": "wurde", "können": "kann", "müssen": "muss", "sollen": "soll"}.get(
            finite.form, finite.form
        )
    group += [(english.participle(first), links)] + [(token, links) for token in rest.split()]
    src = subject.src + [finite] + middle + ending if order == "main" else subject.src + middle + ending + [finite]
    return Pair(src, word, subject.en + group + tail + (when.en if when else []))


def light_verb(d, order="main"):
    """stellt … zur Verfügung, bringt … zum Lachen, zieht … in Betracht."""
    row, words, lemma, classes = d.pick(
        [
            ("stellen stellt gestellt h", "zur/APPRART Verfügung/NN", "provide", "reading,device,vehicle,room"),
            ("bringen bringt gebracht h", "zum/APPRART Lachen/NN", "amuse", "person,kin"),
            ("ziehen zieht gezogen h", "in/APPR Betracht/NN", "consider", "issue"),
            ("stellen stellt gestellt h", "in/APPR Frage/NN", "question", "issue"),
            ("setzen setzt gesetzt h", "in/APPR Gang/NN", "set in motion", "proposal"),
        ]
    )
    verb = Verb(*row.split(), lemma)
    preposition, noun = (w(*item.split("/")) for item in words.split())
    preposition.under(noun, "case")
    subject = person_subject(d)
    obj = noun_phrase(d, classes, "acc", frame=noun.form, subject=subject, use="definite")
    if obj.noun == "Frage":
        return light_verb(d, order)
    obj.under(verb.word, "obj")
    noun.under(verb.word, "obl")
    verb.extra = (preposition, noun)
    action = Action(verb, [obj.src], [[preposition, noun]], obj.obj, shape=obj.shape)
    if lemma == "set in motion":
        action.tail = obj.obj + en("in motion", verb.word, preposition, noun)
        verb.lemma = "set"
    return any_tense(d, subject, action, order)


def question(d):
    """Wann kommt der Zug an? Warum hat sie das Auto verkauft? Kannst … is left out: questions of the third person."""
    subject = person_subject(d)
    if subject.person[0] == "1":
        return question(d)
    action = d.weighted(
        [
            (3, lambda: transitive(d, subject=subject)),
            (4, lambda: separable(d, subject=subject)),
            (2, lambda: reflexive(d, subject)),
        ]
    )()
    verb = action.verb.infinitive
    form, text = d.pick([("wann", "when"), ("warum", "why"), ("wo", "where")])
    if form == "wo" and verb not in (
        "kaufen",
        "finden",
        "verlieren",
        "treffen",
        "kennenlernen",
        "abholen",
        "bekommen",
        "sehen",
    ):
        form, text = "warum", "why"
    if verb in STATES or verb in ("interessieren", "fürchten", "kümmern"):
        form, text = "warum", "why"
    word = w(form.capitalize(), "PWAV").under(action.verb.word, "advmod")
    tense = (
        d.pick(["past", "present", "modal"])
        if verb not in STATES and verb not in ("interessieren", "fürchten")
        else "present"
    )
    if form != "warum" and tense == "present":
        tense = "past"
    modal = d.pick([row for row in rows(MODALS) if row[2] in ("can", "must", "should")])
    if verb in UNWANTED and tense == "modal":
        tense = "past"
    pair = realise(subject, action, tense, front=Pair([word], word, []), modal=modal)
    lemma = action.verb.lemma.split()
    links = next(l for t, l in pair.en[len(subject.en) :] if l)
    if tense == "modal":
        rest = pair.en[len(subject.en) + 1 :]
        return Pair(
            pair.src, pair.head, en(text, word) + pair.en[len(subject.en) : len(subject.en) + 1] + subject.en + rest
        )
    if lemma[0] == "be":
        rest = pair.en[len(subject.en) + 1 :]
        return Pair(
            pair.src, pair.head, en(text, word) + pair.en[len(subject.en) : len(subject.en) + 1] + subject.en + rest
        )
    do = english.present("do", subject.person) if tense == "present" else "did"
    rest = pair.en[len(subject.en) + 1 :]
    return Pair(pair.src, pair.head, en(text, word) + en(do) + subject.en + [(lemma[0], links)] + rest)


def finish(pair, mark="."):
    """Ends the sentence; of commas that meet, or meet the end, one remains or none."""
    stop = w(mark, "$.").under(pair.head, "punct")
    linked = {id(word) for _, links in pair.en for word in links}
    src = []
    for word in pair.src + [stop]:
        if src and src[-1].form == "," and word.xpos in ("$,", "$."):
            if id(src[-1]) in linked and id(word) not in linked and word.xpos == "$,":
                continue
            src.pop()
        src.append(word)
    if src[0].xpos not in ("NN", "NE"):
        src[0].form = src[0].form[0].upper() + src[0].form[1:]
    return Sentence(src, pair.en + en(mark, stop))
