"""Chinese sentences of two clauses. The clauses are chosen to make sense together, not drawn apart."""

from . import english
from .pair import NounPhrase, Pair, en
from .zh_clauses import VerbPhrase, clause, collocation, rows_of, time, transitive
from .zh_frames import comma
from .zh_judgements import predicate
from .zh_lexicon import COLLOCATIONS, TIMES, rows
from .zh_nouns import PRONOUN_ROWS, again, kin, make_pronoun, name, noun_phrase, pronoun, tagged, w


def someone(d):
    """A subject a pronoun can take up."""
    return d.weighted([(4, pronoun), (3, name), (2, kin)])(d)


def state(d, subject, form, text, tense="past"):
    """他 很 累: was very tired."""
    verb, very = w(form, "VA"), w("很", "AD")
    very.under(verb, "advmod")
    vp = VerbPhrase(verb, "be", (), en("very", very) + en(text, verb), [very], aspect=False)
    return clause(d, subject, vp, tense)


def intransitive(d, subject, form, lemma, tense="past", **more):
    verb = w(form, "VV")
    tokens = lemma.split()
    vp = VerbPhrase(verb, tokens[0], (verb,), en(" ".join(tokens[1:]), verb))
    return clause(d, subject, vp, tense, **more)


def action(d, subject, forms, tense, adverb=None, negative=False, modal=None, when=None):
    rows_ = [row for form in forms.split() for row in rows_of(form)]
    return clause(
        d,
        subject,
        transitive(d, subject, rows_=rows_, definite=negative or tense == "never"),
        tense,
        adverb=adverb,
        negative=negative,
        modal=modal,
        when=when,
    )


def linked(first, second, opener, connector, meaning, rel="advcl"):
    """opener first ， connector second: both connectives stand for one English word."""
    lead = w(opener, "CS").under(first.head, "mark")
    middle = w(connector, "AD").under(second.head, "advmod") if connector else None
    units = (lead, middle) if middle else (lead,)
    mark = comma().under(second.head, "punct")
    first.under(second.head, rel)
    return Pair(
        [lead] + first.src + [mark] + ([middle] if middle else []) + second.src,
        second.head,
        en(meaning, *units) + first.en + en(",", mark) + second.en,
    )


def although(d):
    subject = someone(d)
    other = again(subject)
    kind = d.pick(["tired", "like", "small", "help"])
    if kind == "tired":
        form, text = d.pick([("累", "tired"), ("忙", "busy")])
        first = state(d, subject, form, text)
        second = action(d, other, "完成 参加 帮助 写 修理 洗 准备 参观", "past", adverb=("还是", "still"))
        d.combine("虽然" + form, second.head.form)
    elif kind == "like":
        classes, form, lemma = d.pick([("subject", "学习", "study"), ("volume", "读", "read"), ("film", "看", "watch")])
        row = interest(classes)
        vp = collocation(d, row, subject=subject)
        filler = vp.filler
        first = clause(d, subject, vp, "present", degree=d.chance(0.5))
        second = clause(d, other, with_object(form, lemma, make_it(filler)), "never")
        d.combine("虽然感兴趣", form)
    elif kind == "small":
        subject = noun_phrase(d, "machine,clothes", shapes=["this", "that", "relative", "poss"], use="definite")
        if subject.shape == "bare":
            return although(d)
        form, text, good, meaning = d.pick(
            [
                ("旧", "old", "漂亮", "beautiful"),
                ("贵", "expensive", "流行", "popular"),
                ("便宜", "cheap", "漂亮", "beautiful"),
            ]
        )
        if form == "旧" and subject.shape == "relative":
            return although(d)
        first = predicate(d, subject, form, text)
        second = predicate(d, make_it(subject), good, meaning, ("非常", "extremely"))
        d.combine("虽然" + form, good, subject.noun)
    else:
        language, english_name, country, english_country = d.pick(
            [
                ("法语", "French", "法国", "France"),
                ("英语", "English", "英国", "Britain"),
                ("汉语", "Chinese", "中国", "China"),
            ]
        )
        word = w(language, "NN")
        verb, place = w(d.pick(["学习", "教"]), "VV"), w(country, "NR")
        word.under(verb, "dobj")
        years, unit = w(d.pick(["两", "三", "五"]), "CD"), w("年", "M")
        years.under(unit, "nummod")
        unit.under(verb, "range")
        lasting = (
            en("for", unit) + en({"两": "two", "三": "three", "五": "five"}[years.form], years) + en("years", unit)
        )
        le = w("了", "AS").under(verb, "asp")
        vp = VerbPhrase(
            verb,
            {"学习": "study", "教": "teach"}[verb.form],
            (verb,),
            en(english_name, word) + lasting,
            post=[le, years, unit, word],
            aspect=False,
        )
        first = clause(d, subject, vp, "past")
        go = w("去", "VV")
        place.under(go, "dobj")
        second = clause(
            d, other, VerbPhrase(go, "be", (go,), en("to", go) + en(english_country, place), post=[place]), "never"
        )
        d.combine("虽然去", country, verb.form)
    return linked(first, second, "虽然", d.pick(["但是", "可是"]), "although")


def interest(classes):
    """The row of 对 … 感 兴趣 with other fillers."""
    row = next(row for row in rows(COLLOCATIONS) if row[1] == "感/VV+兴趣/NN")
    return row[:4] + [classes] + row[5:]


def with_object(form, lemma, obj):
    verb = w(form, "VV")
    obj.under(verb, "dobj")
    return VerbPhrase(verb, lemma, (verb,), obj.obj, post=obj.src)


def make_it(phrase):
    """它, which takes up a thing."""
    word = w("它" if phrase.person == "3s" else "它们", "PN")
    subject, obj = ("it", "it") if phrase.person == "3s" else ("they", "them")
    return NounPhrase([word], word, en(subject, word), phrase.person, en(obj, word), noun=word.form)


def because(d):
    subject = someone(d)
    other = again(subject)
    kind = d.pick(["ill", "interest", "busy", "lost", "weather"])
    if kind == "ill":
        form, meaning = d.pick([("生病", "fall ill"), ("迟到", "arrive late"), ("感冒", "catch a cold")])
        first = intransitive(d, subject, form, meaning)
        second = action(d, other, "参加 参观 访问", "past", negative=True)
        d.combine("因为" + form, second.src[-1].form)
    elif kind == "interest":
        vp = collocation(d, interest("subject"), subject=subject)
        filler = vp.filler
        first = clause(d, subject, vp, "present", degree=d.chance(0.5))
        if d.chance(0.5):
            when = time(
                d,
                "habit",
                d.pick(["每天/NT every day", "每天/NT+晚上/NT every evening", "每天/NT+早上/NT every morning"]),
            )
            second = clause(d, other, with_object("学习", "study", make_it(filler)), "habit", when=when)
        else:
            row = next(row for row in rows(COLLOCATIONS) if row[0] == "向" and row[1] == "学习/VV")
            row = row[:4] + ["elder,person"] + row[5:]
            second = clause(d, other, collocation(d, row, subject=other), "modal", modal=("想", "want to"))
        d.combine("因为感兴趣", second.src[-1].form)
    elif kind == "busy":
        form, text = d.pick([("累", "tired"), ("忙", "busy")])
        first = state(d, subject, form, text)
        second = action(d, other, "参加 完成 洗 检查 参观", "past", negative=True)
        d.combine("因为" + form, second.head.form)
    elif kind == "lost":
        rows_ = rows_of("丢")
        first = clause(d, subject, transitive(d, subject, rows_=rows_), "past")
        verb = w(d.pick(["难过", "着急"]), "VA")
        very = w("很", "AD").under(verb, "advmod")
        vp = VerbPhrase(
            verb,
            "be",
            (),
            en("very", very) + en({"难过": "sad", "着急": "worried"}[verb.form], verb),
            [very],
            aspect=False,
        )
        second = clause(d, other, vp, "past")
        d.combine("因为丢", verb.form)
    else:
        first, _ = weather(d, "past")
        second = action(d, someone(d), "参加 参观", "past", negative=True)
        d.combine("因为下", second.src[-1].form)
    if d.chance(0.35) and subject.head.xpos == "PN":
        # Main clause first: ……，因为……
        lead = w("因为", "CS").under(first.head, "mark")
        mark = comma().under(second.head, "punct")
        first.under(second.head, "advcl")
        return Pair(second.src + [mark, lead] + first.src, second.head, second.en + en("because", lead) + first.en)
    return linked(first, second, "因为", "所以", "because")


def weather(d, tense):
    """(昨天) 下雨 了: it rained."""
    form, lemma = d.pick([("下雨", "rain"), ("下雪", "snow")])
    verb = w(form, "VV")
    when = time_named(d, tense)
    src = when.under(verb, "tmod").src + [verb]
    text = {"past": {"rain": "rained", "snow": "snowed"}[lemma], "present": lemma + "s"}[tense]
    if tense == "past":
        src.append(w("了", "AS").under(verb, "asp"))
    return Pair(src, verb, en("it") + en(text, verb) + when.en), form


def time_named(d, tense):
    text, meaning = d.pick(
        [("昨天/NT", "yesterday"), ("上午/NT", "in the morning"), ("前天/NT", "the day before yesterday")]
        if tense == "past"
        else [("明天/NT", "tomorrow"), ("后天/NT", "the day after tomorrow"), ("周末/NT", "at the weekend")]
    )
    words = tagged(text)
    return Pair(words, words[0], en(meaning, *words))


def conditional(d):
    """如果 明天 下雨 ， 我 就 不 去 公园."""
    first, form = weather(d, "present")
    subject = someone(d)
    kind = d.pick(["stay", "act", "goal"])
    if kind == "goal":
        subject = make_pronoun(d.pick([row for row in PRONOUN_ROWS if row[0] in ("你", "你们", "他", "她")]))
        first = clause(
            d, subject, collocation(d, interest("subject,field"), subject=subject), "present", degree=d.chance(0.3)
        )
        form, lemma, classes, shapes = d.pick(
            [
                ("参加", "attend", "lecture", None),
                ("读", "read", "topical", None),
                ("参观", "visit", "museum,university,laboratory", None),
                ("买", "buy", "topical", None),
            ]
        )
        obj = noun_phrase(d, classes, frame="如果" + form, shapes=["this", "that", "relative"], avoid=form)
        if obj.shape == "bare":
            return conditional(d)
        second = clause(
            d,
            again(subject),
            with_object(form, lemma, obj),
            "modal",
            modal=d.pick([("应该", "should"), ("必须", "must"), ("可以", "can")]),
        )
        return linked(first, second, "如果", None, "if")
    verb = w("去" if kind == "stay" else "参加", "VV")
    place = noun_phrase(
        d, "site" if kind == "stay" else "event", frame="就不" + verb.form, shapes=["bare", "this"], short=True
    )
    place.under(verb, "dobj")
    then, no = w("就", "AD").under(verb, "advmod"), w("不", "AD").under(verb, "neg")
    subject.under(verb, "nsubj")
    lead = w("如果", "CS").under(first.head, "mark")
    mark = comma().under(verb, "punct")
    first.under(verb, "advcl")
    meaning = en("go to", verb) if kind == "stay" else en("attend", verb)
    return Pair(
        [lead] + first.src + [mark] + subject.src + [then, no, verb] + place.src,
        verb,
        en("if", lead) + first.en + en(",", mark) + subject.en + en("will", then) + en("not", no) + meaning + place.obj,
    )


def when_clause(d):
    """当 … 的 时候 ， …"""
    lead, de, moment = w("当", "P"), w("的", "DEC"), w("时候", "NN")
    subject = someone(d)
    other = again(subject)
    form, meaning, kind = d.pick(
        [
            ("回来", "come back", "v"),
            ("出发", "set out", "v"),
            ("打开", "open", "t"),
            ("住", "live", "p"),
            ("看见", "see", "o"),
        ]
    )
    if kind == "v":
        verb = w(form, "VV")
        prep = w("从", "P").under(verb, "prep")
        place = noun_phrase(d, "city,country", frame="当" + form)
        place.under(prep, "pobj")
        vp = VerbPhrase(verb, meaning, (verb,), en("from", prep) + place.obj, [prep] + place.src, aspect=False)
    elif kind == "p":
        verb, prep = w("住", "VV"), w("在", "P")
        place = noun_phrase(d, "city,country", frame="当住")
        place.under(prep.under(verb, "prep"), "pobj")
        vp = VerbPhrase(verb, "live", (verb,), en("in", prep) + place.obj, post=[prep] + place.src, aspect=False)
    else:
        verb = w(form, "VV")
        obj = noun_phrase(
            d,
            "box" if kind == "t" else "present,small,animal",
            frame="当" + form,
            shapes=["bare", "this", "poss", "relative", "adj"],
            subject=subject,
        )
        obj.under(verb, "dobj")
        vp = VerbPhrase(verb, meaning, (verb,), obj.obj, post=obj.src, aspect=False)
    first = clause(d, subject, vp, "past")
    if kind == "p":
        second = action(d, other, "参观 参加 读 学习", "past")
    elif kind == "v":
        second = clause(
            d,
            other,
            collocation(d, d.pick([row for row in rows(COLLOCATIONS) if "电话" in row[1]]), subject=other),
            "past",
        )
    elif kind == "t":
        second = clause(
            d,
            other,
            with_object(
                "找到",
                "find",
                noun_phrase(d, "small", frame="当找到", shapes=["one", "number", "poss"], short=True, subject=other),
            ),
            "past",
        )
    else:
        verb2 = w(d.pick(["高兴", "激动"]), "VA")
        very = w("非常", "AD").under(verb2, "advmod")
        second = clause(
            d,
            other,
            VerbPhrase(
                verb2,
                "be",
                (),
                en("extremely", very) + en({"高兴": "happy", "激动": "excited"}[verb2.form], verb2),
                [very],
                aspect=False,
            ),
            "past",
        )
    d.combine("当", first.head.form, second.head.form)
    verb = first.head
    de.under(verb, "cpm")
    verb.under(moment, "rcmod")
    moment.under(lead.under(second.head, "prep"), "pobj")
    mark = comma().under(second.head, "punct")
    return Pair(
        [lead] + first.src + [de, moment, mark] + second.src,
        second.head,
        en("when", lead, moment) + first.en + en(",", mark) + second.en,
    )


def from_on(d):
    """从 下周 起 ， 我 会 …; 自从 … 以来."""
    text, meaning = d.pick(
        [row for row in rows(TIMES["future"]) if row[1] in ("tomorrow", "next week", "next month", "next year")]
        + [["现在/NT", "now"], ["今天/NT", "today"]]
    )
    words = tagged(text)
    if len(words) == 3:
        words[0].under(words[2], "det")
        words[1].under(words[2], "clf")
    elif len(words) == 2:
        words[0].under(words[1], "nn")
    prep, lc = w("从", "P"), w("起", "LC")
    words[-1].under(lc, "lobj")
    lc.under(prep, "plmod")
    subject = someone(d)
    d.combine("从起", meaning)
    if d.chance(0.5):
        main = action(d, subject, "学习 教 照顾 帮助", "future", when=habit(d))
    else:
        row = d.pick(
            [row for row in rows(COLLOCATIONS) if row[1] == "负责/VV"]
            + [row for row in rows(COLLOCATIONS) if row[1] in ("合作/VV", "学习/VV")]
        )
        main = clause(d, subject, collocation(d, row, subject=subject), "future")
    d.combine("从起", main.head.form)
    mark = comma().under(main.head, "punct")
    prep.under(main.head, "prep")
    tokens = [(token, tuple(words)) for token in meaning.split()]
    return Pair(
        [prep] + words + [lc, mark] + main.src,
        main.head,
        en("from", prep) + tokens + en("on", lc) + en(",", mark) + main.en,
    )


def habit(d):
    daily = ["每天/NT every day", "每天/NT+晚上/NT every evening", "每天/NT+早上/NT every morning"]
    return time(d, "habit", d.pick(daily)) if d.chance(0.5) else None


def even(d):
    """连 … 都 …"""
    lead, also = w("连", "P"), w(d.pick("都也"), "AD")
    subject = noun_phrase(
        d, "kin,name,group,person", frame="连", shapes=["bare", "this", "poss", "relative", "poss adj", "adj"]
    )
    form, lemma, classes, tense, negative = d.pick(
        [
            ("喜欢", "like", "film,volume,animal,city", "present", False),
            ("知道", "know about", "matter,topic", "present", False),
            ("支持", "support", "topic", "present", False),
            ("了解", "understand", "topic,field", "present", True),
            ("参加", "attend", "event", "past", False),
            ("认识", "know", "person", "present", False),
        ]
    )
    verb = w(form, "VV")
    obj = noun_phrase(d, classes, frame="连" + form, shapes=["this", "that"], short=True)
    obj.under(verb, "dobj")
    vp = VerbPhrase(verb, lemma, (verb,), obj.obj, post=obj.src)
    main = clause(d, subject, vp, tense, negative=negative)
    lead.under(verb, "prep")
    also.under(verb, "advmod")
    subject.rel = None
    subject.under(lead, "pobj")
    at = len(subject.src)
    return Pair([lead] + main.src[:at] + [also] + main.src[at:], verb, en("even", lead, also) + main.en)


def as_soon_as(d):
    """他 一 到 北京 就 给 我 打 了 电话."""
    subject = someone(d)
    other = again(subject)
    once, then = w("一", "AD"), w("就", "AD")
    first_verb = w("到", "VV")
    place = noun_phrase(d, "city,country,building", frame="一到", shapes=["bare"], short=True)
    place.under(first_verb, "dobj")
    once.under(first_verb, "advmod")
    row = d.pick(
        [row for row in rows(COLLOCATIONS) if row[5] == "a" and row[1] not in ("结婚/VV", "吵架/VV", "学习/VV")]
    )
    vp = collocation(d, row, subject=subject)
    d.combine("一到", vp.verb.form)
    tense = d.pick(["past", "future"])
    verb = vp.verb
    main = clause(d, other, vp, tense)
    then.under(verb, "advmod")
    src = main.src[len(other.src) :]
    first_verb.under(verb, "dep")
    subject.under(first_verb, "nsubj")
    arrived = english.verb_group("arrive", subject.person, "past" if tense == "past" else "present", (first_verb,))
    to = "in" if place.head.xpos == "NR" else "at"
    # The pronoun of the main clause has no word of its own in Chinese.
    main_en = [(token, ()) for token, _ in other.en] + main.en[len(other.en) :]
    return Pair(
        subject.src + [once, first_verb] + place.src + [then] + src,
        verb,
        en("as soon as", once, then) + subject.en + arrived + en(to, first_verb) + place.obj + en(",") + main_en,
    )
