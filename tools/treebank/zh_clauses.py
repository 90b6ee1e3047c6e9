"""Chinese verb phrases, relative clauses and clauses with their English: tense, aspect, negation, modals."""

from . import english
from .pair import NounPhrase, Pair, en
from .sampler import Rejected
from .zh_lexicon import COLLOCATIONS, CREATION, FREQUENCY, MODALS, STATIVE, TIMES, VERBS, WORKPLACES, rows
from .zh_nouns import INDEFINITE, entries, kin, name, noun_phrase, pronoun, tagged, w

WORKPLACE_OF = {row[0]: row[1:] for row in rows(WORKPLACES)}


def object_verbs(noun):
    return [row for row in rows(VERBS) if noun in (entry[0][-1] for entry in entries(row[2]))]


RELATIVE_VERBS = set("买 写 借 画 设计 翻译 参观 带 组织 拍 丢 找到 选择 介绍 提出 讨论 研究 种 做".split())


def relative_of_object(d, noun, head, avoid=None):
    """'我 昨天 买 的' for 'that I bought yesterday', or None."""
    fitting = [row for row in object_verbs(noun) if row[0] in RELATIVE_VERBS and row[0] != avoid]
    if not fitting:
        return None
    form, lemma, _, _ = d.pick(fitting)
    subject = pronoun(d) if d.chance(0.5) else name(d)
    verb, de = w(form, "VV"), w("的", "DEC")
    d.combine("relative", form, noun)
    subject.under(verb, "nsubj")
    de.under(verb.under(head, "rcmod"), "cpm")
    when = time(d, "past") if d.chance(0.4) else None
    if when:
        when.under(verb, "tmod")
    tokens = (
        en("that", de)
        + subject.en
        + english.verb_group(lemma, subject.person, "past", (verb,))
        + (when.en if when else [])
    )
    return subject.src + (when.src if when else []) + [verb, de], tokens


def relative_of_person(d, noun, head, person):
    """'对 历史 感 兴趣 的' for 'who is interested in history'."""
    de = w("的", "DEC")
    who = en("who", de)
    kind = d.weighted([(2, "live"), (2, "from"), (2, "work"), (2, "state"), (1, "teach")])
    if kind == "teach" and noun not in ("老师", "教授", "朋友", "邻居"):
        kind = "live"
    if kind == "state":
        row = d.pick([row for row in rows(COLLOCATIONS) if row[5] != "a" and row[0] == "对" and "很" not in row[1]])
        vp = collocation(d, row, short=True, tag="relative ")
        de.under(vp.verb.under(head, "rcmod"), "cpm")
        return (
            vp.pre + [vp.verb] + vp.post + [de],
            who + english.verb_group(vp.lemma, person, "present", vp.links) + vp.tail,
        )
    if kind == "teach":
        verb = w("教", "VV").under(head, "rcmod")
        subject = noun_phrase(d, "subject")
        subject.under(verb, "dobj")
        de.under(verb, "cpm")
        return [verb] + subject.src + [de], who + english.verb_group("teach", person, "present", (verb,)) + subject.obj
    if kind == "from":
        verb = w("来自", "VV").under(head, "rcmod")
        place = noun_phrase(d, "country,city")
        place.under(verb, "dobj")
        de.under(verb, "cpm")
        return [verb] + place.src + [de], en("from", verb) + place.en
    prep = w("在", "P")
    verb = w("住" if kind == "live" else "工作", "VV").under(head, "rcmod")
    where = WORKPLACE_OF.get(noun) if kind == "work" and d.chance(0.6) else None
    if where:
        word = w(where[0], "NN")
        place = NounPhrase([word], word, en(where[1].split()[0]) + en(where[1].split()[1], word), noun=where[0])
    else:
        place = noun_phrase(d, "city,country")
    place.under(prep.under(verb, "prep"), "pobj")
    de.under(verb, "cpm")
    phrase = [prep] + place.src
    src = [verb] + phrase if kind == "live" else phrase + [verb]
    d.combine("who " + kind, place.noun)
    return (
        src + [de],
        who
        + english.verb_group("live" if kind == "live" else "work", person, "present", (verb,))
        + en("at" if where else "in", prep)
        + place.en,
    )


def time(d, tense, choice=None):
    """A time expression of the tense; choice fixes it, as 'words English'."""
    text, meaning = choice.split(" ", 1) if choice else d.pick(rows(TIMES[tense]))
    words = tagged(text)
    head = words[-1]
    if head.xpos == "LC":
        words[0].under(words[1], "nummod")
        words[1].under(head, "lobj")
        number, unit, ago = meaning.split()
        return Pair(words, head, en(number, words[0]) + en(unit, words[1]) + en(ago, head))
    if len(words) == 3:
        words[0].under(head, "det")
        words[1].under(head, "clf")
    elif len(words) == 2:
        words[0].under(head, "nn")
    return Pair(words, head, [(token, tuple(words)) for token in meaning.split()])


class VerbPhrase:
    """Source: pre verb post; aspect and negation come later. English: lemma (linked to links, not inflected), tail."""

    def __init__(
        self,
        verb,
        lemma,
        links,
        tail,
        pre=(),
        post=(),
        stative=False,
        degree=False,
        aspect=True,
        shape="plain",
        filler=None,
    ):
        self.verb, self.lemma, self.links, self.tail = verb, lemma, links, list(tail)
        self.pre, self.post, self.filler = list(pre), list(post), filler
        self.stative, self.degree, self.aspect, self.shape = stative, degree, aspect, shape


def transitive(d, subject=None, classes="P", rows_=None, definite=False):
    """A verb with its object. definite: one the hearer knows, as negation wants it."""
    row = d.pick([row for row in (rows_ or rows(VERBS)) if classes in row[3].split(",")])
    form, lemma, objects, _ = row
    stative = form in STATIVE
    use = (
        "definite"
        if definite or stative or form in ("照顾", "等", "欢迎", "感谢", "批评", "表扬", "邀请", "帮助")
        else None
    )
    if form == "喜欢":
        use = "generic"
    elif form in CREATION:
        use = "indefinite" if not definite else "definite"
    shapes = ["poss", "one", "poss adj", "these"] if form == "丢" else None
    if definite and form in CREATION:
        shapes = ["this", "that", "these", "bare"]
    obj = noun_phrase(d, objects, frame=form, shapes=shapes, subject=subject, use=use, avoid=form)
    verb = w(form, "VV")
    obj.under(verb, "dobj")
    return VerbPhrase(verb, lemma, (verb,), obj.obj, post=obj.src, stative=stative, shape=obj.shape)


def collocation(d, row=None, subject=None, short=False, tag="", shapes=None):
    """A verb whose preposition belongs to it: 对 … 感 兴趣."""
    row = row or d.pick(rows(COLLOCATIONS))
    prep_form, verb_text, meaning, link_text, fillers, kind = row
    prep, words = w(prep_form, "P"), tagged(verb_text)
    filler = noun_phrase(
        d,
        fillers,
        frame=tag + prep_form + verb_text,
        subject=subject,
        short=short,
        use="definite" if kind != "a" else None,
        shapes=shapes,
    )
    filler.under(prep.under(words[0], "prep"), "pobj")
    for word in words[1:]:
        word.under(words[-1] if word.xpos == "AD" else words[0], {"AD": "advmod", "VA": "acomp"}.get(word.xpos, "dobj"))
    units = [prep] + words
    tokens = [
        (token, tuple(units[int(digit)] for digit in digits))
        for token, digits in zip(meaning.split(), link_text.split(","))
    ]
    lemma, links = tokens[0]
    return VerbPhrase(
        words[0],
        lemma,
        links,
        tokens[1:] + filler.obj,
        [prep] + filler.src,
        words[1:],
        kind != "a",
        degree=lemma == "be" and kind == "s",
        shape=filler.shape,
        filler=filler,
    )


def has_relative(tokens):
    """Whether English ends in a relative clause, to which a time at the end would attach wrongly."""
    return any(links and links[0].xpos == "DEC" for _, links in tokens)


def clause(
    d, subject, vp, tense, when=None, front=False, adverb=None, modal=None, negative=False, degree=False, rel="root"
):
    """Subject and verb phrase. tense: present, habit, past, perfect (过), already, never, progressive, future, modal."""
    verb = vp.verb
    if when and has_relative(vp.tail):
        raise Rejected
    subject.under(verb, "nsubj")
    before, aspect, no, aux, tokens = [], [], (), (), []
    adverb_tokens = []
    english_tense = {"habit": "present", "already": "perfect", "never": "perfect"}.get(tense, tense)
    english_modal = None
    if adverb:
        word = w(adverb[0], "AD").under(verb, "advmod")
        before.append(word)
        adverb_tokens = en(adverb[1], word)
    if negative:
        word = w("没有" if tense == "past" else "不", "AD").under(verb, "neg")
        # 对 历史 不 感 兴趣, but 没有 给 他 打 电话.
        (vp.pre if vp.pre and vp.pre[0].form == "对" else before).append(word)
        no = (word,)
    if tense == "past" and not negative and vp.aspect:
        aspect = [w("了", "AS").under(verb, "asp")]
    elif tense == "perfect":
        aspect = [w("过", "AS").under(verb, "asp")]
        aux = tuple(aspect)
    elif tense == "never":
        ever, not_ = w("从来", "AD").under(verb, "advmod"), w("没有", "AD").under(verb, "neg")
        before += [ever, not_]
        aspect = [w("过", "AS").under(verb, "asp")]
        aux = tuple(aspect)
        adverb_tokens = en("never", ever, not_)
    elif tense == "already":
        word = w("已经", "AD").under(verb, "advmod")
        before.append(word)
        aspect = [w("了", "AS").under(verb, "asp")]
        adverb_tokens = en("already", word)
    elif tense == "progressive":
        word = w("正" if vp.pre and vp.pre[0].form == "在" else "正在", "AD").under(verb, "advmod")
        before.append(word)
        aux = (word,)
    elif tense == "future":
        word = w("会", "VV").under(verb, "mmod")
        before.append(word)
        aux = (word,)
    elif tense == "modal":
        word = w(modal[0], "VV").under(verb, "mmod")
        before.append(word)
        aux, english_modal = (word,), modal[1]
    tail = vp.tail
    if degree:
        word = w("很", "AD").under(verb, "advmod")
        # 很 stands right before the predicate, after the prepositional phrase.
        vp.pre.append(word)
        tail = en("very", word) + tail
    timed = []
    if when:
        when.under(verb, "tmod")
        timed = when.src
    src = (
        (timed if front else []) + subject.src + ([] if front else timed) + before + vp.pre + [verb] + aspect + vp.post
    )
    tokens = (
        subject.en
        + english.verb_group(vp.lemma, subject.person, english_tense, vp.links, aux, no, english_modal, adverb_tokens)
        + tail
    )
    return Pair(src, verb, tokens + (when.en if when else []))


def plain_subject(d, people=True):
    """A person as subject."""
    kind = d.weighted([(9, "pronoun"), (5, "name"), (3, "person"), (3, "kin"), (1, "group")])
    if kind == "pronoun":
        return pronoun(d)
    if kind == "name":
        return name(d)
    if kind == "kin":
        return kin(d)
    if kind == "group":
        return noun_phrase(d, "group", shapes=["bare"])
    return noun_phrase(d, "person", shapes=["bare", "this", "that", "poss", "adj"], short=True)


# What makes sense as habit, as an activity under way, and what happens to one without being wanted.
HABITS = set("喝 学习 教 照顾 帮助 批评 表扬 打 见面 聊天 吵架 帮".split())
ACTIVITIES = set(
    "看 读 吃 喝 写 学习 参观 讨论 研究 修理 洗 听 唱 画 翻译 组织 设计 准备 照顾 等 检查 打 聊天 吵架 帮助 批评".split()
)
UNWANTED = set("丢 忘记 发现 找到 批评 吵架 生 开".split())


def any_tense(d, subject, vp):
    """A clause in a tense that suits the verb phrase, perhaps with time, adverb, modal or negation."""
    if vp.stative:
        negative = d.chance(0.25)
        return clause(d, subject, vp, "present", negative=negative, degree=not negative and vp.degree and d.chance(0.5))
    form = vp.verb.form
    choices = [(8, "past"), (3, "future")]
    if form not in UNWANTED:
        choices += [(3, "modal")]
    if form in HABITS and vp.shape not in INDEFINITE:
        choices += [(3, "habit")]
    if form in ACTIVITIES:
        choices += [(2, "progressive")]
    if vp.shape not in INDEFINITE:
        choices += [(2, "negative"), (1, "already")]
    if vp.shape in ("this", "that", "relative", "plain", "kin", "mass") and form not in ("结婚", "照顾"):
        choices += [(2, "never")]
    tense = d.weighted(choices)
    if form in UNWANTED and tense == "future":
        tense = "past"
    when = time(d, tense) if tense in ("past", "future", "habit") and d.chance(0.5) else None
    front = when is not None and d.chance(0.4)
    if tense == "negative":
        return clause(d, subject, vp, "past", when=time(d, "past") if d.chance(0.3) else None, negative=True)
    if tense == "modal":
        return clause(d, subject, vp, "modal", modal=d.pick(rows(MODALS)))
    if tense == "habit" and vp.post and vp.post[-1].form in ("啤酒", "葡萄酒"):
        raise Rejected
    if tense == "habit" and when is None:
        return clause(d, subject, vp, "habit", adverb=d.pick(rows(FREQUENCY)))
    return clause(d, subject, vp, tense, when=when, front=front)


def year(d, tense):
    """A time on the scale of years."""
    choice = d.pick(
        ["去年/NT last_year", "两/CD+年/M+前/LC two_years_ago"] if tense == "past" else ["明年/NT next_year"]
    )
    return time(d, tense, choice.replace("_", " "))


def rows_of(form):
    return [row for row in rows(VERBS) if row[0] == form]
