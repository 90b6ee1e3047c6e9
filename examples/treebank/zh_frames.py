"""Chinese sentence frames: each function draws one sentence as a Pair without its final mark."""

from . import english
from .pair import NounPhrase, Pair, Sentence, en
from .sampler import Rejected
from .zh_lexicon import ADJECTIVES, COLLOCATIONS, CREATION, FRAMES, RESULTATIVES, SPLIT_WORDS, VERBS, rows
from .zh_phrases import (PRONOUN_ROWS, VerbPhrase, any_tense, clause, collocation, describes, entries, has_relative, location, location_choices, make_pronoun, name,
                         noun_phrase, plain_subject, pronoun, tagged, time, transitive, w)

PLACES = "city,country,building"
SHORT = ["bare", "this", "that"]


def comma():
    return w("，", "PU")


def join(first, second, head, rel, lead=(), middle=(), opening=(), linked=()):
    """Two clauses of which `head` is the main one: lead first ， middle second, in English opening first , second."""
    mark = comma().under(head.head, "punct")
    other = first if head is second else second
    other.under(head.head, rel)
    return Pair(list(lead) + first.src + [mark] + list(middle) + second.src, head.head,
                list(opening) + first.en + en(",", mark) + second.en)


def simple(d):
    subject = plain_subject(d)
    return any_tense(d, subject, transitive(d, subject))


def organisation(d):
    subject = noun_phrase(d, "organisation", shapes=SHORT)
    vp = transitive(d, subject, "organisation")
    if vp.verb.form == "建":
        if subject.noun not in ("政府", "公司", "学校", "大学"):
            return organisation(d)
        return clause(d, subject, vp, "past", when=year(d, "past") if d.chance(0.6) else None)
    return clause(d, subject, vp, "present" if vp.stative else d.pick(["past", "past", "future"]))


def year(d, tense):
    """A time on the scale of years."""
    choice = d.pick(["去年/NT last_year", "两/CD+年/M+前/LC two_years_ago"] if tense == "past" else ["明年/NT next_year"])
    return time(d, tense, choice.replace("_", " "))


def collocated(d):
    subject = plain_subject(d)
    vp = collocation(d, subject=subject)
    if vp.verb.form == "结婚":
        return marriage(d)
    return any_tense(d, subject, vp)


def marriage(d):
    """他 跟 一 位 医生 结婚 了."""
    subject = name(d) if d.chance(0.5) else make_pronoun(d.pick([row for row in PRONOUN_ROWS if row[0] in "他她我"]))
    row = next(row for row in rows(COLLOCATIONS) if row[1] == "结婚/VV")
    vp = collocation(d, row[:4] + ["person"] + row[5:], subject=subject, shapes=["one", "one adj", "relative", "poss"])
    tense = d.pick(["past", "future"])
    return clause(d, subject, vp, tense, when=time(d, tense) if d.chance(0.5) else None)


def unrelated(d):
    """X 与 Y 无关, X 与 Y 有关."""
    subject = noun_phrase(d, "matter", short=True, use="definite")
    prep = w(d.pick("与跟"), "P")
    verb = w(d.pick(["无关", "有关"]), "VV")
    filler = noun_phrase(d, "issue,matter,topic,kin,person,name,organisation", frame=prep.form + verb.form, subject=subject,
                         shapes=["bare", "this", "that", "poss", "relative", "this adj", "poss adj", "adj"])
    concrete = subject.noun in ("事故", "案件", "误会", "错误")
    if filler.noun == subject.noun or concrete and filler.noun in ("文化", "教育", "农业", "科技", "健康", "气候", "价格", "市场"):
        return unrelated(d)
    filler.under(prep.under(verb, "prep"), "pobj")
    both = (prep, verb)
    if verb.form == "无关":
        vp = VerbPhrase(verb, "have", both, en("nothing to do with", *both) + filler.obj, [prep] + filler.src)
    else:
        vp = VerbPhrase(verb, "be", (verb,), en("related to", *both) + filler.obj, [prep] + filler.src)
    return clause(d, subject, vp, "present")


VENUES = {"会议": "会议室 宾馆 办公室 大学", "音乐会": "剧院 体育馆 公园 学校", "比赛": "体育馆 学校 公园", "展览": "博物馆 图书馆 机场", "婚礼": "宾馆 饭馆 花园 公园", "运动会": "体育馆 学校 公园",
          "晚会": "宾馆 花园 剧院 学校", "典礼": "体育馆 剧院 大学", "讲座": "教室 图书馆 博物馆 大学"}


def held(d):
    """Event 在 Place 举行."""
    subject = noun_phrase(d, "event,games", shapes=["bare", "this"], short=True)
    prep, verb = w("在", "P"), w("举行", "VV")
    d.combine("举行", subject.noun)
    if subject.noun in VENUES and d.chance(0.6):
        noun = d.pick(VENUES[subject.noun].split())
        place = noun_phrase(d, "site,building,structure,organisation", frame="举行", shapes=SHORT, short=True, only=noun)
    else:
        place = noun_phrase(d, "city,country", frame="举行")
    d.combine("举行", subject.noun, place.noun)
    place.under(prep.under(verb, "prep"), "pobj")
    tense = d.pick(["past", "past", "future"])
    when = (time if subject.noun in VENUES else year)(d, tense) if d.chance(0.6) else None
    front = d.chance(0.4)
    manner = w("成功", "AD").under(verb, "advmod") if d.chance(0.3) and tense == "past" else None
    subject.under(verb, "nsubj")
    pre, post = [], []
    if tense == "past":
        post = [w("了", "AS").under(verb, "asp")] if d.chance(0.5) else []
        group = [(english.preterite("be", subject.person), (verb,))]
    else:
        will = w(d.pick(["将", "会"]), "AD").under(verb, "advmod")
        pre = [will]
        group = en("will", will) + en("be", verb)
    if manner:
        group += en("successfully", manner)
    at = "in" if place.head.xpos == "NR" else preposition(place.noun)
    group += en("held", verb) + en(at, prep) + place.obj
    timed = when.under(verb, "tmod").src if when else []
    src = (timed if front else []) + subject.src + ([] if front else timed) + pre + [prep] + place.src + ([manner] if manner else []) + [verb] + post
    return Pair(src, verb, subject.en + group + (when.en if when else []))


def preposition(noun):
    return "at" if noun in ("学校", "大学", "机场", "宾馆", "剧院", "饭馆") else "in"


def come_from(d):
    """从 Place 回来, 从 A 到 B."""
    subject = plain_subject(d)
    prep = w("从", "P")
    form, lemma = d.pick([("回来", "come back"), ("来", "come"), ("出发", "set out"), ("搬走", "move away"), ("毕业", "graduate")])
    verb = w(form, "VV")
    place = university(d) if form == "毕业" else noun_phrase(d, "city,country", frame=form)
    place.under(prep.under(verb, "prep"), "pobj")
    pre = [prep] + place.src
    tail = en("from", prep) + place.obj
    if form == "来" and d.chance(0.5):
        goal_prep = w("到", "P").under(verb, "prep")
        goal = noun_phrase(d, "city", frame="到")
        if goal.noun == place.noun:
            return come_from(d)
        goal.under(goal_prep, "pobj")
        verb.form = "旅行"
        pre += [goal_prep] + goal.src
        tail += en("to", goal_prep) + goal.obj
        lemma = "travel"
    elif form == "来":
        goal = noun_phrase(d, "city", frame="来")
        if goal.noun == place.noun:
            return come_from(d)
        goal.under(verb, "dobj")
        vp = VerbPhrase(verb, "come", (verb,), en("to", verb) + goal.obj + tail, pre, goal.src, aspect=False)
        return clause(d, subject, vp, d.pick(["past"]), when=time(d, "past"), front=d.chance(0.3))
    vp = VerbPhrase(verb, lemma, (verb,), tail, pre)
    tense = d.pick(["past", "future"])
    if form == "毕业":
        return clause(d, pronoun(d) if d.chance(0.5) else name(d), vp, tense, when=year(d, tense) if d.chance(0.6) else None, front=d.chance(0.4))
    return clause(d, subject, vp, tense, when=time(d, tense) if d.chance(0.6) else None, front=d.chance(0.4))


def university(d):
    owner = d.pick([("北京", "Peking University"), ("南京", "Nanjing University"), ("东京", "the University of Tokyo")])
    city, word = w(owner[0], "NR"), w("大学", "NN")
    city.under(word, "nn")
    d.combine("毕业", owner[0])
    tokens = {"Peking University": en("Peking", city) + en("University", word), "Nanjing University": en("Nanjing", city) + en("University", word)}
    return NounPhrase([city, word], word, tokens.get(owner[1]) or en("the") + en("University of", word) + en("Tokyo", city), noun=owner[0])


def for_someone(d):
    """为 客人 准备 晚饭; 给 孩子 买 礼物; 向 … 介绍 …"""
    subject = plain_subject(d)
    prep_form, verb_form, lemma, objects, to = d.pick([
        ("为", "准备", "prepare", "dish", "for"), ("为", "准备", "prepare", "dish", "for"), ("给", "买", "buy", "clothes,present,volume,food", "for"),
        ("为", "设计", "design", "clothes", "for"), ("给", "写", "write", "letter", "to"), ("向", "介绍", "introduce", "topic3", "to"),
        ("为", "翻译", "translate", "text", "for"), ("给", "寄", "send", "volume,present", "to"), ("给", "唱", "sing", "song", "for"),
        ("向", "借", "borrow", "volume,umbrella,guitar,bicycle", "from"), ("给", "讲", "tell", "story", "to"), ("为", "做", "make", "dish,clothes", "for")])
    objects = objects.replace(",thing_gift", "").replace("letter", "letter").replace("story", "story")
    prep, verb = w(prep_form, "P"), w(verb_form, "VV")
    filler = noun_phrase(d, "person,kin,name,group", frame=prep_form + verb_form, subject=subject,
                         shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"])
    obj = noun_phrase(d, objects, short=True, use="indefinite")
    filler.under(prep.under(verb, "prep"), "pobj")
    obj.under(verb, "dobj")
    vp = VerbPhrase(verb, lemma, (verb,), obj.obj + en(to, prep) + filler.obj, [prep] + filler.src, obj.src, shape="one")
    return any_tense(d, subject, vp)


def split_word(d):
    """帮 … 的 忙, 生 … 的 气."""
    form, noun, meaning, kind = d.pick(rows(SPLIT_WORDS))
    subject = plain_subject(d) if form != "听" else pronoun(d) if d.chance(0.6) else name(d)
    verb, obj, de = w(form, "VV"), w(noun, "NN"), w("的", "DEG")
    filler = noun_phrase(d, "kin,person,name" if form != "听" else "elder,elder,kin", frame=form + noun, subject=subject, shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"])
    de.under(filler.under(obj, "assmod").head, "assm")
    obj.under(verb, "dobj")
    tokens = en(meaning, verb, de, obj)
    vp = VerbPhrase(verb, tokens[0][0], tokens[0][1], tokens[1:] + filler.obj, post=filler.src + [de, obj], stative=kind == "s", shape=filler.shape)
    if kind == "s":
        if form == "生":
            adverb = ("还", "still") if d.chance(0.3) else None
            return clause(d, subject, vp, "present", negative=False, adverb=adverb)
        return clause(d, subject, vp, "present", adverb=d.pick([("总是", "always"), ("很少", "seldom"), ("常常", "often")]))
    return any_tense(d, subject, vp)


def compare(d):
    """X 跟 Y 一样 高; X 比 Y 高."""
    kind = d.pick(["person", "clothes", "machine", "city", "person", "site", "film", "volume"])
    if kind == "person":
        subject = plain_subject(d)
        filler = noun_phrase(d, "kin,person,name", frame="一样" if d.chance(0.5) else "比", subject=subject, shapes=["bare", "this", "that", "poss", "relative", "poss adj"])
        form, text = d.pick([("高", "tall"), ("忙", "busy"), ("聪明", "clever"), ("勤奋", "hard-working"), ("严格", "strict"), ("年轻", "young"), ("热情", "enthusiastic"), ("友好", "friendly")])
    else:
        shapes = ["this", "that", "poss"]
        subject = noun_phrase(d, kind, shapes=shapes, short=True, use="definite")
        if subject.shape == "bare":
            return compare(d)
        fitting = [row for row in rows(ADJECTIVES) if describes(row[2], subject.noun) and row[3] == "D"]
        if not fitting:
            return compare(d)
        form, text = d.pick(fitting)[:2]
        filler = noun_phrase(d, kind, frame="比" + form, subject=subject, shapes=shapes + ["relative"])
    if kind not in ("person", "city") and filler.shape == "bare":
        return compare(d)
    if filler.noun == subject.noun and [t for t, _ in filler.en] == [t for t, _ in subject.en]:
        return compare(d)
    verb = w(form, "VA")
    same = d.chance(0.5)
    prep = w(d.pick("跟和") if same else "比", "P").under(verb, "prep")
    filler.under(prep, "pobj")
    if same:
        adverb = w("一样", "AD").under(verb, "advmod")
        vp = VerbPhrase(verb, "be", (), en("as", adverb) + en(text, verb) + en("as", prep) + filler.obj, [prep] + filler.src + [adverb])
    else:
        much = [w("更", "AD").under(verb, "advmod")] if d.chance(0.2) else []
        tokens = en("even", *much) if much else []
        vp = VerbPhrase(verb, "be", (), tokens + en(english.comparative(text), verb) + en("than", prep) + filler.obj, [prep] + filler.src + much)
    return clause(d, subject, vp, "present")


def distance(d):
    """A 离 B 很 远."""
    subject = noun_phrase(d, "site", shapes=SHORT, short=True)
    prep, very = w("离", "P"), w(d.pick(["很", "非常", "不太"]), "AD")
    form, text, to = d.pick([("远", "far", "from"), ("近", "close", "to")])
    verb = w(form, "VA")
    filler = noun_phrase(d, "site", frame="离" + form, shapes=SHORT, short=True)
    if filler.noun == subject.noun:
        return distance(d)
    filler.under(prep.under(verb, "prep"), "pobj")
    very.under(verb, "advmod")
    degree = {"很": "very", "非常": "extremely", "不太": "not very"}[very.form]
    vp = VerbPhrase(verb, "be", (), en(degree, very) + en(text, verb) + en(to, prep) + filler.obj, [prep] + filler.src + [very])
    return clause(d, subject, vp, "present")


WHO_IS_WHERE = {"教室": "学生 老师", "图书馆": "学生 教授 记者", "办公室": "经理 秘书", "饭馆": "顾客 服务员", "医院": "医生 护士", "公园": "狗 鸟", "花园": "兔子 猫", "商店": "顾客", "剧院": "演员 导演", "体育馆": "教练 学生", "会议室": "律师 经理 工程师", "实验室": "科学家 教授"}


def exists(d):
    """桌子 上 有 一 本 书."""
    verb = w("有", "VE")
    if d.chance(0.35):
        noun = d.pick(sorted(WHO_IS_WHERE))
        d.combine("有", noun)
        place = location(d, choices=["building:" + noun])
        obj = noun_phrase(d, "person,animal", frame="有", shapes=["one", "number"], short=True, only=d.pick(WHO_IS_WHERE[noun].split()))
    else:
        obj = noun_phrase(d, "small,volume,food,clothes", use="indefinite", short=True)
        place = location(d, choices=location_choices(obj.noun))
        d.combine("有", obj.noun, place.src[0].form)
    obj.under(verb, "dobj")
    place.under(verb, "loc")
    be = english.present("be", obj.person)
    return Pair(place.src + [verb] + obj.src, verb, en("there", verb) + en(be, verb) + obj.en + place.en)


def located(d):
    """在 图书馆 里 看 书, 在 北京 学习 汉语."""
    subject = plain_subject(d)
    prep = w("在", "P")
    building, verbs = d.pick([
        ("图书馆", "读 学习 写"), ("办公室", "写 翻译 讨论 检查"), ("厨房", "准备"), ("书店", "买"), ("超市", "买"), ("教室", "学习 写 讨论 听"), ("实验室", "研究 完成"),
        ("会议室", "讨论 介绍"), ("饭馆", "吃 喝"), ("剧院", "看"), ("电影院", "看"), ("花园", "种 画"), ("商店", "买"), ("公园", "画 读"), ("宾馆", "等"), ("体育馆", "看")])
    verb_form = d.pick(verbs.split())
    objects = {"准备": "dish", "种": "vegetable", "等": "person,kin"}.get(verb_form)
    if verb_form == "买":
        objects = {"书店": "volume", "超市": "food", "商店": "clothes,present"}[building]
    if verb_form == "看":
        objects = {"剧院": "performance", "电影院": "film1", "体育馆": "match"}[building]
    if verb_form == "完成":
        objects = "experiment"
    if verb_form == "听":
        objects = "lecture"
    row = next(row for row in rows_of(verb_form))
    lemma, classes = row[1], objects or row[2]
    verb, place, lc = w(verb_form, "VV"), w(building, "NN"), w("里", "LC")
    obj = noun_phrase(d, classes, frame="里" + verb_form, subject=subject, avoid=verb_form,
                      use="indefinite" if verb_form in CREATION or d.chance(0.4) and verb_form not in ("等", "介绍", "讨论") else "definite")
    d.combine("里", building, verb_form, obj.noun)
    place.under(lc, "lobj")
    lc.under(prep.under(verb, "prep"), "plmod")
    obj.under(verb, "dobj")
    text = entries_text(building)
    tail = obj.obj + en("in", prep, lc) + en("the") + en(text, place)
    vp = VerbPhrase(verb, lemma, (verb,), tail, [prep, place, lc], obj.src, shape=obj.shape)
    return any_tense(d, subject, vp)


def entries_text(noun):
    return next(e[2] for e in entries("building") if e[0][-1] == noun)


def rows_of(form):
    return [row for row in rows(VERBS) if row[0] == form]


PUT = "surface:桌子 surface:书架 surface:床 surface:沙发 surface:窗台 surface:椅子 container:抽屉 container:盒子 container:箱子 container:书包 beside:沙发".split()


def ba(d):
    """把 … 打开 了; 把 … 放 在 桌子 上."""
    subject = plain_subject(d)
    marker = w("把", "BA")
    le = None
    if d.chance(0.45):
        form, lemma = d.pick([("放", "put"), ("挂", "hang"), ("藏", "hide")])
        verb, prep = w(form, "VV"), w("在", "P")
        place = location(d, frame="把" + form, choices=PUT) if form == "放" else wall(d, form)
        objects = "picture,map,coat" if form == "挂" else "small,volume"
        obj = noun_phrase(d, objects, frame="把" + form, shapes=["bare", "this", "that", "poss", "adj", "relative", "poss adj", "number"], subject=subject)
        place.under(prep.under(verb, "prep"), "plmod")
        lc = place.head
        # 在 … 上 is one English preposition.
        tokens = [(token, (prep, lc) if links == (lc,) else links) for token, links in place.en]
        obj.under(verb, "dobj")
        post = [prep] + place.src
        vp = VerbPhrase(verb, lemma, (verb,), obj.obj + tokens, [marker.under(verb, "ba")] + obj.src, post, aspect=False, shape="one")
    else:
        row = d.pick(rows(RESULTATIVES))
        forms, lemma, objects = row[:-2], row[-2], row[-1]
        obj = noun_phrase(d, objects, frame="把" + "".join(forms), shapes=["bare", "this", "that", "poss", "adj", "relative", "poss adj"], subject=subject, use="definite", avoid=forms[0])
        words = [w(form, "VV") for form in forms]
        verb = words[0]
        for word in words[1:]:
            word.under(verb, "rcomp")
        obj.under(verb, "dobj")
        le = w("了", "AS").under(verb, "asp")
        tail = obj.obj
        vp = VerbPhrase(verb, lemma, tuple(words), tail, [marker.under(verb, "ba")] + obj.src, words[1:] + [le], aspect=False, shape="one")
    tense = "past" if le else d.pick(["past", "modal", "past"])
    when = time(d, "past") if tense == "past" and d.chance(0.35) else None
    if tense == "modal":
        return clause(d, subject, vp, "modal", modal=d.pick([("应该", "should"), ("必须", "must"), ("可以", "can"), ("想", "want to"), ("打算", "plan to")]))
    if not le:
        vp.post += [w("了", "SP").under(verb, "dep")]
    return clause(d, subject, vp, "past", when=when, front=d.chance(0.3))


def wall(d, form):
    noun, text, prep_text, lc_form = d.pick([("墙", "wall", "on", "上"), ("门", "door", "behind", "后面")] if form == "挂" else
                                            [("床", "bed", "under", "下面"), ("柜子", "cupboard", "in", "里"), ("门", "door", "behind", "后面"), ("沙发", "sofa", "behind", "后面")])
    word, lc = w(noun, "NN"), w(lc_form, "LC")
    d.combine(form, noun)
    word.under(lc, "lobj")
    return Pair([word, lc], lc, en(prep_text, lc) + en("the") + en(text, word))


def bei(d):
    """自行车 被 … 借走 了."""
    row = d.pick(rows(RESULTATIVES))
    forms, lemma, objects = row[:-2], row[-2], row[-1]
    subject = noun_phrase(d, objects, frame="被" + "".join(forms), shapes=["bare", "this", "that", "poss", "adj", "relative", "location"], short=d.chance(0.6), use="definite", avoid=forms[0])
    words = [w(form, "VV") for form in forms]
    verb = words[0]
    for word in words[1:]:
        word.under(verb, "rcomp")
    le = w("了", "AS").under(verb, "asp")
    agent = None
    if lemma != "steal" and (d.chance(0.75) or lemma in ("forget", "lose")):
        agent = noun_phrase(d, "kin,person,name,group", frame="被" + "".join(forms) + "2", shapes=["bare", "this", "poss", "relative", "poss adj"])
    marker = w("被", "LB" if agent else "SB")
    marker.under(verb, "pass")
    subject.under(verb, "nsubjpass")
    when = time(d, "past") if d.chance(0.35) else None
    first, _, rest = lemma.partition(" ")
    links = tuple(words)
    group = [(english.preterite("be", subject.person), (marker,) if not agent else ()), (english.participle(first), links)] + [(t, links) for t in rest.split()]
    if agent:
        if when and has_relative(agent.obj):
            raise Rejected
        agent.under(verb, "nsubj")
        group += en("by", marker) + agent.obj
    timed = when.under(verb, "tmod").src if when else []
    src = subject.src + timed + [marker] + (agent.src if agent else []) + words + [le]
    return Pair(src, verb, subject.en + group + (when.en if when else []))


def wearing(d):
    """他 穿 着 一 件 红色 的 衬衫; 门 开 着."""
    if d.chance(0.25):
        word = noun_phrase(d, "opening", shapes=["bare", "this", "adj"], short=True)
        verb = w(d.pick(["开", "关"]), "VV")
        d.combine("着", word.noun, verb.form)
        zhe = w("着", "AS").under(verb, "asp")
        tail = en({"开": "open", "关": "closed"}[verb.form], verb)
        vp = VerbPhrase(verb, "be", (zhe,), tail, post=[zhe], aspect=False)
        adverb = d.pick([("还", "still"), ("一直", "always"), None])
        return clause(d, word, vp, "present", adverb=adverb)
    subject = plain_subject(d)
    if subject.person in ("1p", "3p"):
        return wearing(d)
    form, lemma, classes = d.pick([("穿", "wear", "worn"), ("拿", "hold", "small,volume"), ("戴", "wear", "headwear")])
    verb = w(form, "VV")
    obj = noun_phrase(d, classes, frame=form + "着", shapes=["one", "one adj", "poss", "this", "relative"], subject=subject)
    if obj.noun == "裙子" and subject.gender != "f":
        return wearing(d)
    obj.under(verb, "dobj")
    zhe = w("着", "AS").under(verb, "asp")
    subject.under(verb, "nsubj")
    tokens = obj.obj if obj.shape != "bare" else [t for t in obj.obj if t[0] != "the"]
    group = [(english.present("be", subject.person), (zhe,)), (english.gerund(lemma), (verb,))]
    return Pair(subject.src + [verb, zhe] + obj.src, verb, subject.en + group + tokens)


def predicate(d, subject, form, text, degree=("很", "very")):
    """Subject with a predicate adjective."""
    verb, very = w(form, "VA"), w(degree[0], "AD")
    very.under(verb, "advmod")
    vp = VerbPhrase(verb, "be", (), en(degree[1], very) + en(text, verb), [very])
    return clause(d, subject, vp, "present")


def known_subject_is_odd(subject):
    """A bare noun that needs a determiner to be a topic."""
    return subject.shape == "bare" and subject.noun in ("事", "新闻", "变化", "问题", "书", "文章", "故事", "画", "照片")


def described(d):
    """我 昨天 买 的 书 很 有意思."""
    form, text, classes, kind = d.pick([row for row in rows(ADJECTIVES) if row[3] in "D-"])
    known = ",".join(c for c in classes.split(",") if entries(c)) if "people" not in classes else None
    if known is None:
        subject = plain_subject(d)
    else:
        subject = noun_phrase(d, known, frame="很" + form, shapes=["bare", "this", "that", "poss", "relative", "location"], short=d.chance(0.3), use="definite")
        if known_subject_is_odd(subject):
            return described(d)
    return predicate(d, subject, form, text, d.pick([("很", "very"), ("非常", "extremely"), ("真", "really"), ("特别", "particularly")]))


def helped(d):
    """在 … 的 帮助 下 ， …"""
    return framed(d, [row for row in rows(FRAMES) if row[1].endswith("下/LC")])


def judged(d):
    """在 … 看来 ， …"""
    return framed(d, [row for row in rows(FRAMES) if not row[1].endswith("下/LC")])


def framed(d, choices):
    before, after, meaning, classes = d.pick(choices)
    prep, words = tagged(before)[0], tagged(after)
    filler = noun_phrase(d, classes, frame=before + after, shapes=["bare", "this", "that", "poss", "relative", "poss adj", "adj"])
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
    return Pair([prep] + filler.src + [lc, mark] + main.src, main.head, en("besides", prep, lc) + filler.obj + en(",", mark) + main.en)


def matter_is(d):
    subject = noun_phrase(d, "topic,task", shapes=["this", "that"], short=True)
    form, text = d.pick([("重要", "important"), ("困难", "difficult"), ("复杂", "complicated")])
    return predicate(d, subject, form, text, d.pick([("很", "very"), ("非常", "extremely")] + ([("太", "too")] if form != "重要" else [])))


def described_matter(d):
    subject = noun_phrase(d, "film,reading", shapes=["this", "that", "relative"])
    form, text = d.pick([("有意思", "interesting")] + [("感人", "moving"), ("奇怪", "strange")] * (subject.noun in ("电影", "电视剧", "小说", "故事", "文章")))
    return predicate(d, subject, form, text)


def achievement(d, other):
    """What one manages with help or under guidance."""
    subject = plain_subject(d)
    if subject.person == "3p" or subject.noun == other.noun:
        return achievement(d, other)
    rows_ = [row for form in ("完成", "解决", "学习", "组织", "改变", "设计", "翻译", "提出", "找到") for row in rows_of(form)]
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
        return clause(d, NounPhrase([word], word, en("who", word), noun="谁"), vp, "present" if vp.stative else d.pick(["past", "modal"]), modal=("可以", "can"))
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
        return Pair(subject.src + extra + [prep, place, verb], verb,
                    en("where", prep, place) + aux + subject.en + en({"工作": "work", "学习": "study"}[verb.form], verb) + tail)
    if kind == "what":
        form, lemma, noun, text = d.pick([("喜欢", "like", "水果", "fruit"), ("喜欢", "like", "电影", "films"), ("喜欢", "like", "音乐", "music"), ("学习", "study", "专业", "subject"), ("看", "watch", "节目", "programmes"), ("买", "buy", "礼物", "gifts"), ("读", "read", "小说", "novels")])
        verb, what, obj = w(form, "VV"), w("什么", "DT"), w(noun, "NN")
        what.under(obj.under(verb, "dobj"), "det")
        subject.under(verb, "nsubj")
        modal = []
        aux = en("does" if subject.person == "3s" else "do")
        if form != "喜欢":
            word, meaning = d.pick([("想", "want to"), ("会", "will"), ("应该", "should"), ("打算", "plan to")])
            modal = [w(word, "VV").under(verb, "mmod")]
            if meaning in ("will", "should"):
                return Pair(subject.src + modal + [verb, what, obj], verb, en("what", what) + en(text, obj) + en(meaning, *modal) + subject.en + en(lemma, verb))
            return Pair(subject.src + modal + [verb, what, obj], verb, en("what", what) + en(text, obj) + aux + subject.en + en(meaning, *modal) + en(lemma, verb))
        d.combine("什么" + form, subject.noun)
        return Pair(subject.src + modal + [verb, what, obj], verb, en("what", what) + en(text, obj) + aux + subject.en + en(lemma, verb))
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
    return Pair(subject.src + [word, will] + vp.pre + [vp.verb] + vp.post, vp.verb, en(text, word) + group + tokens + vp.tail)


def finish(pair, mark="。"):
    stop = w(mark, "PU").under(pair.head, "punct")
    return Sentence(pair.src + [stop], pair.en + en({"。": ".", "？": "?"}[mark], stop))
