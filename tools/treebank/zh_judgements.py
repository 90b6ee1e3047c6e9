"""Chinese sentence frames that describe, compare, judge and ask."""

from . import english
from .pair import NounPhrase, Pair, en
from .zh_clauses import VerbPhrase, clause, collocation, plain_subject, rows_of, time, transitive
from .zh_frames import comma
from .zh_lexicon import ADJECTIVES, FRAMES, rows
from .zh_nouns import describes, entries, name, noun_phrase, pronoun, tagged, w


def compare(d):
    """X 跟 Y 一样 高; X 比 Y 高."""
    same = d.chance(0.5)
    frame = "一样" if same else "比"
    kind = d.pick(["person", "clothes", "machine", "city", "person", "site", "film", "volume"])
    if kind == "person":
        subject = plain_subject(d)
        filler = noun_phrase(
            d,
            "kin,person,name",
            frame=frame,
            subject=subject,
            shapes=["bare", "this", "that", "poss", "relative", "poss adj"],
        )
        form, text = d.pick(
            [
                ("高", "tall"),
                ("忙", "busy"),
                ("聪明", "clever"),
                ("勤奋", "hard-working"),
                ("严格", "strict"),
                ("年轻", "young"),
                ("热情", "enthusiastic"),
                ("友好", "friendly"),
            ]
        )
    else:
        shapes = ["this", "that", "poss"]
        subject = noun_phrase(d, kind, shapes=shapes, short=True, use="definite")
        if subject.shape == "bare":
            return compare(d)
        fitting = [row for row in rows(ADJECTIVES) if describes(row[2], subject.noun) and row[3] == "D"]
        if not fitting:
            return compare(d)
        form, text = d.pick(fitting)[:2]
        filler = noun_phrase(d, kind, frame=frame + form, subject=subject, shapes=shapes + ["relative"])
    if kind not in ("person", "city") and filler.shape == "bare":
        return compare(d)
    if filler.noun == subject.noun and [t for t, _ in filler.en] == [t for t, _ in subject.en]:
        return compare(d)
    verb = w(form, "VA")
    prep = w(d.pick("跟和") if same else "比", "P").under(verb, "prep")
    filler.under(prep, "pobj")
    if same:
        adverb = w("一样", "AD").under(verb, "advmod")
        vp = VerbPhrase(
            verb,
            "be",
            (),
            en("as", adverb) + en(text, verb) + en("as", prep) + filler.obj,
            [prep] + filler.src + [adverb],
        )
    else:
        much = [w("更", "AD").under(verb, "advmod")] if d.chance(0.2) else []
        tokens = en("even", *much) if much else []
        vp = VerbPhrase(
            verb,
            "be",
            (),
            tokens + en(english.comparative(text), verb) + en("than", prep) + filler.obj,
            [prep] + filler.src + much,
        )
    return clause(d, subject, vp, "present")


def predicate(d, subject, form, text, degree=("很", "very")):
    """Subject with a predicate adjective."""
    verb, very = w(form, "VA"), w(degree[0], "AD")
    very.under(verb, "advmod")
    vp = VerbPhrase(verb, "be", (), en(degree[1], very) + en(text, verb), [very])
    return clause(d, subject, vp, "present")


def known_subject_is_odd(subject):
    """A bare noun that needs a determiner to be a topic."""
    return subject.shape == "bare" and subject.noun in (
        "事",
        "新闻",
        "变化",
        "问题",
        "书",
        "文章",
        "故事",
        "画",
        "照片",
    )


def described(d):
    """我 昨天 买 的 书 很 有意思."""
    form, text, classes, kind = d.pick([row for row in rows(ADJECTIVES) if row[3] in "D-"])
    known = ",".join(c for c in classes.split(",") if entries(c)) if "people" not in classes else None
    if known is None:
        subject = plain_subject(d)
    else:
        subject = noun_phrase(
            d,
            known,
            frame="很" + form,
            shapes=["bare", "this", "that", "poss", "relative", "location"],
            short=d.chance(0.3),
            use="definite",
        )
        if known_subject_is_odd(subject):
            return described(d)
    return predicate(
        d,
        subject,
        form,
        text,
        d.pick([("很", "very"), ("非常", "extremely"), ("真", "really"), ("特别", "particularly")]),
    )


def helped(d):
    """在 … 的 帮助 下 ， …"""
    return framed(d, [row for row in rows(FRAMES) if row[1].endswith("下/LC")])


def judged(d):
    """在 … 看来 ， …"""
    return framed(d, [row for row in rows(FRAMES) if not row[1].endswith("下/LC")])


def framed(d, choices):
    before, after, meaning, classes = d.pick(choices)
    prep, words = tagged(before)[0], tagged(after)
    filler = noun_phrase(
        d, classes, frame=before + after, shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"]
    )
    key = words[-1]
    if meaning == "for":
        main = matter_is(d)
    elif "opinion" in meaning or "perspective" in meaning:
        main = d.pick([matter_is, described_matter])(d)
    else:
        main = achievement(d, filler)
    if len(words) == 3:
        de, noun, lc = words
        de.under(filler.head, "assm")
        filler.under(noun, "assmod")
        noun.under(lc if lc.xpos == "LC" else prep, "lobj" if lc.xpos == "LC" else "pobj")
        lc.under(prep, "plmod" if lc.xpos == "LC" else "dep")
        units = [prep, de, noun, lc]
    else:
        filler.under(prep, "pobj")
        key.under(prep, "dep")
        units = [prep, key]
    mark = comma().under(main.head, "punct")
    prep.under(main.head, "prep")
    opening = en(meaning, *units) + filler.obj
    if filler.head.xpos == "PN" and meaning != "for":
        # with my help, in her opinion
        first, _, noun = meaning.replace(" of", "").replace(" the", "").partition(" ")
        outer = (prep, key)
        owner = (filler.head, words[0]) if len(words) == 3 else (filler.head,)
        opening = en(first, *outer) + [(filler.poss[0][0], owner)] + en(noun, words[-2] if len(words) == 3 else key)
    return Pair([prep] + filler.src + words + [mark] + main.src, main.head, opening + en(",", mark) + main.en)


def besides(d):
    """除了 小明 以外 ， 王芳 也 参加 了 会议."""
    prep, lc = w("除了", "P"), w("以外", "LC")
    filler = noun_phrase(d, "name,kin,person", frame="除了", use="definite")
    filler.under(lc, "lobj")
    lc.under(prep, "plmod")
    subject = noun_phrase(d, "name,person", shapes=["poss", "this"], short=True, subject=filler)
    if subject.noun == filler.noun:
        return besides(d)
    vp = transitive(d, subject)
    main = clause(d, subject, vp, "present" if vp.stative else "past", adverb=("也", "also"))
    mark = comma().under(main.head, "punct")
    prep.under(main.head, "prep")
    return Pair(
        [prep] + filler.src + [lc, mark] + main.src,
        main.head,
        en("besides", prep, lc) + filler.obj + en(",", mark) + main.en,
    )


def matter_is(d):
    subject = noun_phrase(d, "topic,task", shapes=["this", "that"], short=True)
    form, text = d.pick([("重要", "important"), ("困难", "difficult"), ("复杂", "complicated")])
    return predicate(
        d,
        subject,
        form,
        text,
        d.pick([("很", "very"), ("非常", "extremely")] + ([("太", "too")] if form != "重要" else [])),
    )


def described_matter(d):
    subject = noun_phrase(d, "film,reading", shapes=["this", "that", "relative"])
    form, text = d.pick(
        [("有意思", "interesting")]
        + [("感人", "moving"), ("奇怪", "strange")] * (subject.noun in ("电影", "电视剧", "小说", "故事", "文章"))
    )
    return predicate(d, subject, form, text)


def achievement(d, other):
    """What one manages with help or under guidance."""
    subject = plain_subject(d)
    if subject.person == "3p" or subject.noun == other.noun:
        return achievement(d, other)
    rows_ = [
        row
        for form in ("完成", "解决", "学习", "组织", "改变", "设计", "翻译", "提出", "找到")
        for row in rows_of(form)
    ]
    vp = transitive(d, subject, rows_=rows_)
    return clause(d, subject, vp, "past")


def question(d):
    """你 什么时候 …, 你 喜欢 什么 …, 谁 …"""
    kind = d.pick(["when", "what", "who", "why", "where"])
    subject = pronoun(d) if d.chance(0.6) else name(d)
    if subject.person[0] == "1":
        return question(d)
    if kind == "who":
        word = w(d.pick(["谁"]), "PN")
        vp = transitive(d, None)
        return clause(
            d,
            NounPhrase([word], word, en("who", word), noun="谁"),
            vp,
            "present" if vp.stative else d.pick(["past", "modal"]),
            modal=("可以", "can"),
        )
    if kind == "where":
        prep, place, verb = w("在", "P"), w("哪里", "PN"), w(d.pick(["工作", "学习"]), "VV")
        place.under(prep.under(verb, "prep"), "pobj")
        subject.under(verb, "nsubj")
        do = "does" if subject.person == "3s" else "do"
        when = time(d, "future") if d.chance(0.4) else None
        extra, tail = [], []
        aux = en(do)
        if when:
            will = w("会", "VV").under(verb, "mmod")
            aux, extra, tail = en("will", will), when.under(verb, "tmod").src + [will], when.en
        return Pair(
            subject.src + extra + [prep, place, verb],
            verb,
            en("where", prep, place) + aux + subject.en + en({"工作": "work", "学习": "study"}[verb.form], verb) + tail,
        )
    if kind == "what":
        form, lemma, noun, text = d.pick(
            [
                ("喜欢", "like", "水果", "fruit"),
                ("喜欢", "like", "电影", "films"),
                ("喜欢", "like", "音乐", "music"),
                ("学习", "study", "专业", "subject"),
                ("看", "watch", "节目", "programmes"),
                ("买", "buy", "礼物", "gifts"),
                ("读", "read", "小说", "novels"),
            ]
        )
        verb, what, obj = w(form, "VV"), w("什么", "DT"), w(noun, "NN")
        what.under(obj.under(verb, "dobj"), "det")
        subject.under(verb, "nsubj")
        modal = []
        aux = en("does" if subject.person == "3s" else "do")
        if form != "喜欢":
            word, meaning = d.pick([("想", "want to"), ("会", "will"), ("应该", "should"), ("打算", "plan to")])
            modal = [w(word, "VV").under(verb, "mmod")]
            if meaning in ("will", "should"):
                return Pair(
                    subject.src + modal + [verb, what, obj],
                    verb,
                    en("what", what) + en(text, obj) + en(meaning, *modal) + subject.en + en(lemma, verb),
                )
            return Pair(
                subject.src + modal + [verb, what, obj],
                verb,
                en("what", what) + en(text, obj) + aux + subject.en + en(meaning, *modal) + en(lemma, verb),
            )
        d.combine("什么" + form, subject.noun)
        return Pair(
            subject.src + modal + [verb, what, obj],
            verb,
            en("what", what) + en(text, obj) + aux + subject.en + en(lemma, verb),
        )
    vp = collocation(d, subject=subject) if d.chance(0.4) else transitive(d, subject)
    if vp.stative or vp.verb.form in ("丢", "忘记"):
        kind = "why"
    if kind == "when":
        word, text = w("什么时候", "NN").under(vp.verb, "tmod"), "when"
    else:
        word, text = w("为什么", "AD").under(vp.verb, "advmod"), "why"
    subject.under(vp.verb, "nsubj")
    if vp.stative:
        if vp.lemma == "be":
            group = [(english.present("be", subject.person), vp.links)] + subject.en
        else:
            group = en("does" if subject.person == "3s" else "do") + subject.en + en(vp.lemma, *vp.links)
        return Pair(subject.src + [word] + vp.pre + [vp.verb] + vp.post, vp.verb, en(text, word) + group + vp.tail)
    will = w("会" if kind == "when" else "要", "VV").under(vp.verb, "mmod")
    if kind == "when":
        group = en("will", will) + subject.en
    else:
        group = en("does" if subject.person == "3s" else "do") + subject.en + en("want to", will)
    tokens = [(token, vp.links) for token in vp.lemma.split()]
    return Pair(
        subject.src + [word, will] + vp.pre + [vp.verb] + vp.post, vp.verb, en(text, word) + group + tokens + vp.tail
    )
