"""Chinese lexicon. Nouns are grouped by what verbs and adjectives can say of them.

Noun entry: word, measure word, English ("~" marks a noun without article and plural, "^" one that is always plural).
"""

NOUNS = {
    "person": """老师 位 teacher; 学生 个 student; 医生 位 doctor; 护士 位 nurse; 工人 个 worker; 农民 个 farmer; 司机 个 driver;
        记者 个 journalist; 律师 位 lawyer; 作家 位 writer; 画家 位 painter; 经理 位 manager; 警察 个 policeman; 客人 位 guest;
        邻居 个 neighbour; 校长 位 headmaster; 教授 位 professor; 科学家 位 scientist; 演员 个 actor; 歌手 个 singer;
        工程师 位 engineer; 服务员 个 waiter; 顾客 个 customer; 同事 个 colleague; 同学 个 classmate; 朋友 个 friend;
        秘书 个 secretary; 教练 位 coach; 导演 位 director; 导游 个 guide; 翻译 个 interpreter; 专家 位 expert""",
    "group": "孩子们 - ^children; 学生们 - ^students; 老师们 - ^teachers; 工人们 - ^workers; 村民们 - ^villagers; 游客们 - ^tourists",
    "kin": """
        妈妈 - mother; 爸爸 - father; 哥哥 - elder brother; 姐姐 - elder sister; 弟弟 - younger brother; 妹妹 - younger sister;
        爷爷 - grandfather; 奶奶 - grandmother; 叔叔 - uncle; 阿姨 - aunt; 儿子 - son; 女儿 - daughter; 丈夫 - husband; 妻子 - wife
    """,
    "organisation": """
        公司 家 company; 政府 - government; 学校 所 school; 医院 家 hospital; 工厂 家 factory; 大学 所 university; 银行 家 bank
    """,
    "reading": """
        书 本 book; 小说 本 novel; 杂志 本 magazine; 报纸 份 newspaper; 报告 份 report; 文章 篇 article; 词典 本 dictionary; 故事 个 story;
        日记 本 diary
    """,
    "text": """
        信 封 letter; 文章 篇 article; 报告 份 report; 小说 本 novel; 故事 个 story; 合同 份 contract; 论文 篇 thesis; 诗 首 poem;
        剧本 个 script
    """,
    "film": "电影 部 film; 电视剧 部 television series; 节目 个 programme; 比赛 场 match; 表演 场 performance",
    "music": "歌 首 song; 音乐 - ~music; 广播 - ~the radio; 京剧 - ~Peking opera; 讲座 个 lecture",
    "food": """
        苹果 个 apple; 面包 个 bread roll; 饺子 - ^dumplings; 面条 - ^noodles; 米饭 - ~rice; 蛋糕 块 cake; 鸡蛋 个 egg; 鱼 条 fish;
        牛肉 - ~beef; 蔬菜 - ^vegetables; 水果 - ~fruit; 西瓜 个 watermelon; 香蕉 根 banana; 橘子 个 orange; 葡萄 - ^grapes;
        包子 个 steamed bun; 巧克力 - ~chocolate
    """,
    "drink": """
        咖啡 - ~coffee; 茶 - ~tea; 绿茶 - ~green tea; 牛奶 - ~milk; 果汁 - ~juice; 啤酒 - ~beer; 水 - ~water; 葡萄酒 - ~wine;
        豆浆 - ~soy milk
    """,
    "clothes": """
        衬衫 件 shirt; 毛衣 件 sweater; 大衣 件 coat; 裙子 条 skirt; 帽子 顶 hat; 裤子 - ^trousers; 鞋子 - ^shoes; 围巾 条 scarf;
        雨衣 件 raincoat
    """,
    "machine": """
        电脑 台 computer; 手机 部 mobile phone; 电视 台 television; 冰箱 台 fridge; 洗衣机 台 washing machine; 照相机 台 camera;
        空调 台 air conditioner; 自行车 辆 bicycle; 汽车 辆 car; 摩托车 辆 motorcycle
    """,
    "thing": """
        雨伞 把 umbrella; 杯子 个 cup; 钥匙 把 key; 钱包 个 wallet; 眼镜 - ^glasses; 手表 块 watch; 礼物 件 gift; 书包 个 schoolbag;
        花瓶 个 vase; 地图 张 map; 照片 张 photo; 票 张 ticket; 铅笔 支 pencil; 箱子 个 suitcase; 护照 本 passport; 画 幅 painting;
        篮球 个 basketball; 吉他 把 guitar; 盘子 个 plate; 刀 把 knife
    """,
    "opening": "窗户 扇 window; 门 扇 door; 箱子 个 suitcase; 抽屉 个 drawer; 盒子 个 box; 瓶子 个 bottle",
    "surface": "桌子 张 table; 椅子 把 chair; 书架 个 bookshelf; 床 张 bed; 沙发 张 sofa; 墙 面 wall; 柜子 个 cupboard; 窗台 个 windowsill",
    "container": """
        抽屉 个 drawer; 盒子 个 box; 书包 个 schoolbag; 箱子 个 suitcase; 口袋 个 pocket; 冰箱 台 fridge; 袋子 个 bag; 篮子 个 basket
    """,
    "building": """
        图书馆 个 library; 教室 间 classroom; 办公室 间 office; 饭馆 家 restaurant; 商店 家 shop; 博物馆 个 museum; 公园 个 park;
        医院 家 hospital; 宾馆 家 hotel; 超市 家 supermarket; 体育馆 个 gymnasium; 电影院 家 cinema; 厨房 间 kitchen; 花园 个 garden;
        会议室 间 meeting room; 书店 家 bookshop; 实验室 个 laboratory; 剧院 家 theatre
    """,
    "city": """
        北京 - Beijing; 上海 - Shanghai; 广州 - Guangzhou; 西安 - Xi'an; 香港 - Hong_Kong; 纽约 - New_York; 伦敦 - London;
        巴黎 - Paris; 东京 - Tokyo; 柏林 - Berlin; 南京 - Nanjing; 成都 - Chengdu
    """,
    "country": """
        中国 - China; 美国 - the_United_States; 法国 - France; 德国 - Germany; 日本 - Japan; 英国 - Britain; 南非 - South_Africa;
        加拿大 - Canada; 意大利 - Italy; 俄罗斯 - Russia
    """,
    "event": """
        会议 次 meeting; 音乐会 场 concert; 足球 比赛 场 football match; 展览 个 exhibition; 婚礼 场 wedding; 运动会 次 sports meeting;
        晚会 场 evening party; 毕业 典礼 个 graduation ceremony; 讲座 个 lecture
    """,
    "games": "世界杯 届 World_Cup; 奥运会 届 ^Olympic_Games; 电影节 个 film festival; 亚运会 届 ^Asian_Games",
    "subject": """
        数学 - ~mathematics; 历史 - ~history; 物理 - ~physics; 化学 - ~chemistry; 英语 - ~English; 汉语 - ~Chinese; 法语 - ~French;
        音乐 - ~music; 艺术 - ~art; 经济 - ~economics; 法律 - ~law; 哲学 - ~philosophy; 书法 - ~calligraphy
    """,
    "topic": """
        问题 个 problem; 计划 个 plan; 建议 个 suggestion; 决定 个 decision; 政策 项 policy; 项目 个 project; 方案 个 proposal;
        活动 个 activity
    """,
    "issue": """
        环境 - environment; 教育 - ~education; 天气 - weather; 健康 - ~health; 交通 - ~traffic; 工作 - ~work; 农业 - ~agriculture;
        科技 - ~technology; 气候 - climate; 市场 - market; 价格 - price; 质量 - quality; 安全 - ~safety; 文化 - ~culture
    """,
    "matter": """
        事 件 matter; 事故 起 accident; 案件 个 case; 新闻 条 ~news; 变化 个 change; 决定 个 decision; 错误 个 mistake; 成功 - success;
        失败 - failure; 成绩 - ^results; 误会 个 misunderstanding
    """,
    "animal": "狗 只 dog; 猫 只 cat; 鸟 只 bird; 马 匹 horse; 熊猫 只 panda; 兔子 只 rabbit",
    "task": "作业 - ~homework; 任务 项 task; 项目 个 project; 研究 项 study; 实验 个 experiment; 报告 份 report",
    "structure": """
        桥 座 bridge; 学校 所 school; 医院 家 hospital; 图书馆 个 library; 体育馆 个 gymnasium; 火车站 个 railway station; 机场 个 airport;
        大楼 座 building
    """,
    "volume": "书 本 book; 小说 本 novel; 杂志 本 magazine; 报纸 份 newspaper; 词典 本 dictionary; 日记 本 diary",
    "present": """
        雨伞 把 umbrella; 杯子 个 cup; 手表 块 watch; 礼物 件 gift; 书包 个 schoolbag; 花瓶 个 vase; 地图 张 map; 画 幅 painting;
        篮球 个 basketball; 吉他 把 guitar; 玩具 个 toy
    """,
    "dish": """
        饺子 - ^dumplings; 面条 - ^noodles; 蛋糕 块 cake; 鱼 条 fish; 包子 个 steamed bun; 牛肉 - ~beef; 鸡蛋 个 egg; 早饭 - ~breakfast;
        午饭 - ~lunch; 晚饭 - ~dinner
    """,
    "site": """
        图书馆 个 library; 饭馆 家 restaurant; 商店 家 shop; 博物馆 个 museum; 公园 个 park; 医院 家 hospital; 宾馆 家 hotel;
        超市 家 supermarket; 体育馆 个 gymnasium; 电影院 家 cinema; 书店 家 bookshop; 剧院 家 theatre; 学校 所 school;
        火车站 个 railway station; 机场 个 airport; 银行 家 bank; 工厂 家 factory
    """,
    "elder": "老师 位 teacher; 校长 位 headmaster; 教练 位 coach; 经理 位 manager; 医生 位 doctor",
    "box": "抽屉 个 drawer; 盒子 个 box; 书包 个 schoolbag; 箱子 个 suitcase; 袋子 个 bag",
    "small": """
        杯子 个 cup; 钥匙 把 key; 钱包 个 wallet; 眼镜 - ^glasses; 手表 块 watch; 礼物 件 gift; 照片 张 photo; 票 张 ticket; 铅笔 支 pencil;
        护照 本 passport
    """,
    "worn": "衬衫 件 shirt; 毛衣 件 sweater; 大衣 件 coat; 裙子 条 skirt; 雨衣 件 raincoat",
    "headwear": "帽子 顶 hat; 围巾 条 scarf; 手表 块 watch",
    "vehicle": "自行车 辆 bicycle; 火车 列 train; 飞机 架 plane; 地铁 - underground; 公交车 辆 bus; 出租车 辆 taxi",
}
NAMES = """
    小明 Xiaoming m; 小红 Xiaohong f; 李明 Li_Ming m; 王芳 Wang_Fang f; 张伟 Zhang_Wei m; 刘洋 Liu_Yang m; 陈静 Chen_Jing f;
    玛丽 Mary f; 约翰 John m; 安娜 Anna f; 汤姆 Tom m; 大卫 David m
"""
PRONOUNS = """
    我 I me my 1s; 你 you you your 2; 他 he him his 3s; 她 she her her 3s; 我们 we us our 1p; 他们 they them their 3p;
    你们 you you your 2
"""

# Verb entry: word, English, noun classes of the object, classes of the subject (P = persons).
VERBS = """
看 watch film P; 读 read reading P; 买 buy volume,food,clothes,machine,present P; 卖 sell clothes,food,machine,present P;
吃 eat food P; 喝 drink drink P; 写 write text P; 学习 study subject P; 参观 visit landmark,tour P; 访问 visit country,city P;
喜欢 like reading,food,drink,film,clothes,animal,subject,city P; 讨论 discuss topic,issue P,organisation;
研究 study issue,topic P; 解决 solve problem P,organisation; 参加 attend event P; 修理 repair machine P; 唱 sing song P;
洗 wash clothes P; 画 draw animal P; 听 listen_to music P; 翻译 translate text P; 组织 organize event P,organisation;
支持 support topic P,organisation; 反对 oppose topic P,organisation; 提出 put_forward proposal P;
接受 accept topic2 P,organisation; 改变 change topic3 P,organisation; 完成 complete task P; 设计 design clothes,structure P;
保护 protect environment P,organisation; 找到 find thing,animal P; 丢 lose thing P;
借 borrow volume,umbrella,guitar,bicycle P; 教 teach subject P; 帮助 help person,kin P; 认识 know person P;
邀请 invite person,kin P,organisation; 感谢 thank person,kin P,organisation; 批评 criticize person,group P;
表扬 praise person,group P; 建 build structure organisation; 关心 care_about issue P,organisation;
了解 understand field,topic P; 带 bring thing,food P; 忘记 forget thing P; 发现 discover problem P; 准备 prepare event,dish P;
照顾 look_after kin,animal P; 欢迎 welcome person,group P,organisation; 选择 choose subject,topic P;
检查 check machine,homework P; 种 grow vegetable P; 介绍 introduce topic,culture P; 尊重 respect person,kin P;
等 wait_for person,kin,vehicle P; 画 draw map P; 拍 take photo P; 拿 take thing P; 修 repair bicycle P;
看见 see person,animal P
"""
# Object classes that are a single noun of another class.
SINGLE = {
    "problem": "问题",
    "song": "歌",
    "proposal": "方案",
    "environment": "环境",
    "vegetable": "蔬菜",
    "culture": "文化",
    "map": "地图",
    "photo": "照片",
}
STATIVE = set("喜欢 认识 关心 了解 尊重 支持 反对".split())

# Resultative verbs of 把 and 被 sentences: word, English, object classes.
RESULTATIVES = """
打开 open opening; 关上 close opening; 打破 break cup,vase,plate; 洗 干净 wash clothes; 修 好 repair machine;
借走 borrow reading,bicycle; 卖掉 sell machine,clothes; 拿走 take_away thing,reading; 吃掉 eat_up food; 喝完 finish drink;
写完 finish text,homework; 做完 finish task; 弄丢 lose thing; 弄坏 break machine; 偷走 steal wallet,machine,watch;
带走 take_away animal,thing; 藏 起来 hide thing; 翻译 出来 translate text; 忘掉 forget matter1
"""
SINGLE.update(
    {
        "cup": "杯子",
        "vase": "花瓶",
        "plate": "盘子",
        "bicycle": "自行车",
        "wallet": "钱包",
        "watch": "手表",
        "matter1": "事",
        "letter": "信",
        "story": "故事",
        "performance": "表演",
        "film1": "电影",
        "match": "比赛",
        "experiment": "实验",
        "lecture": "讲座",
        "picture": "画",
        "coat": "大衣",
        "homework": "作业",
        "umbrella": "雨伞",
        "guitar": "吉他",
        "article": "文章",
        "museum": "博物馆",
        "university": "大学",
        "laboratory": "实验室",
    }
)

# Adjective entry: word, English, classes it describes, form of the attribute (J: 新 书, D: 漂亮 的 书).
ADJECTIVES = """
新 new volume,film2,machine,clothes,present,site,structure,topic3,vehicle J;
旧 old machine,clothes,present,volume,surface J; 大 big container,surface,site,animal,food1 J;
小 small container,surface,site,animal,present J; 漂亮 beautiful clothes,building,present,city,animal,structure D;
有意思 interesting reading,film,subject,text,event,matter2 D; 贵 expensive clothes,machine,present D;
便宜 cheap clothes,machine,present D; 好吃 delicious food D; 重要 important topic,event,matter2,task,reading2 D;
复杂 complicated topic,task,machine2 D; 困难 difficult task,problem D; 聪明 clever person,animal,kin D;
友好 friendly person,kin D; 年轻 young person D; 有名 famous celebrity,city,landmark,reading2 D; 可爱 cute animal D;
安静 quiet building,site,person,city D; 热情 enthusiastic person D; 严格 strict person,kin D; 勤奋 hard-working person,kin D;
奇怪 strange matter2,film2,reading2 D; 方便 convenient vehicle,machine D; 流行 popular music2,clothes D;
干净 clean clothes,building,site D; 合理 reasonable topic2 D; 感人 moving film2,reading2 D; 高 tall people,structure3 -;
忙 busy people -; 累 tired people -; 高兴 happy people -; 舒服 comfortable clothes,surface2 D; 现代 modern structure D;
热闹 lively city,event2 D
"""
CLASS_GROUPS = {
    "food1": "西瓜 蛋糕 鱼",
    "matter2": "新闻 决定 变化",
    "reading2": "书 小说 文章 故事",
    "machine2": "电脑 照相机",
    "film2": "电影 电视剧",
    "music2": "歌",
    "topic2": "计划 建议 方案 决定",
    "tour": "学校 体育馆 大楼 工厂",
    "landmark": "博物馆 图书馆 公园 剧院 大学",
    "field": "文化 教育 科技 健康 农业 环境",
    "topical": "书 杂志 文章",
    "celebrity": "作家 画家 演员 歌手 科学家 律师 教授 导演",
    "topic3": "计划 决定 政策 方案",
    "people": "",
    "structure3": "大楼",
    "surface2": "沙发 椅子 床",
    "event2": "晚会 婚礼",
}
COLOURS = "红色 red; 蓝色 blue; 白色 white; 黑色 black; 黄色 yellow; 绿色 green"

NUMBERS = "两 two; 三 three; 四 four; 五 five; 六 six; 几 several"
# Time expressions: words with tags, English; by the tense they fix.
TIMES = {
    "past": """
        昨天/NT yesterday; 前天/NT the_day_before_yesterday; 去年/NT last_year; 上周/NT last_week; 今天/NT+早上/NT this_morning;
        昨天/NT+晚上/NT last_night; 上/DT+个/M+月/NN last_month; 三/CD+天/M+前/LC three_days_ago; 两/CD+年/M+前/LC two_years_ago;
        星期一/NT on_Monday
    """,
    "future": """
        明天/NT tomorrow; 后天/NT the_day_after_tomorrow; 明年/NT next_year; 下周/NT next_week; 今天/NT+晚上/NT tonight;
        下/DT+个/M+月/NN next_month; 明天/NT+上午/NT tomorrow_morning; 周末/NT at_the_weekend
    """,
    "habit": """
        每天/NT every_day; 每/DT+个/M+星期/NN every_week; 每年/NT every_year; 每天/NT+早上/NT every_morning;
        每天/NT+晚上/NT every_evening; 星期天/NT on_Sundays
    """,
}
FREQUENCY = "常常 often; 总是 always; 有时 sometimes; 很少 seldom"
MODALS = "可以 can; 应该 should; 必须 must; 想 want_to; 能 can; 需要 need_to; 打算 plan_to; 希望 hope_to"

# Verbs with a prepositional phrase before them that is one unit of meaning with the verb.
# preposition, verb words with tags, English verb, links of the English verb words, filler classes, stative.
# Links: one group per English word, digits index (preposition=0, verb words=1…).
COLLOCATIONS = """
对 感/VV+兴趣/NN be_interested_in 1,12,0 subject,field,volume,film,topic s;
对 满意/VA be_satisfied_with 1,1,0 topic,issue,machine,building,person s;
对 负责/VV be_responsible_for 1,1,0 task,topic,event r; 对 熟悉/VA be_familiar_with 1,1,0 city,subject,issue,building s;
对 失望/VA be_disappointed_with 1,1,0 film,topic,person s; 为 感到/VV+骄傲/VA be_proud_of 1,12,0 kin,person,group r;
为 担心/VV worry_about 01,01 kin,issue,person s; 给 打/VV+电话/NN call 012 kin,person,name a;
跟 见面/VV meet 01 kin,person,name a; 跟 结婚/VV marry 01 person,name a; 跟 聊天/VV chat_with 1,0 kin,person,name,group a;
跟 吵架/VV quarrel_with 1,0 kin,person,name a; 向 道歉/VV apologize_to 1,0 kin,person,name,group a;
向 学习/VV learn_from 1,0 person,name,group a; 对 有/VE+信心/NN have_confidence_in 1,2,0 person,topic,issue,name s;
以 为/VV+荣/NN be_proud_of 12,12,0 kin,person,name s; 与 合作/VV cooperate_with 1,0 person,organisation a;
对 了解/VV+很/AD+多/CD know_a_lot_about 1,23,23,0 subject,city,issue s
"""
# Split words: the object of the verb is possessed by the person meant: 帮 … 的 忙.
SPLIT_WORDS = "帮 忙 help a; 生 气 be_angry_with s; 开 玩笑 make_fun_of a; 听 话 obey s"
# Phrases around a noun phrase that open a sentence: before, after (with tags), English, classes.
FRAMES = """
在/P 的/DEG+帮助/NN+下/LC with_the_help_of person,kin,name,group; 在/P 的/DEG+领导/NN+下/LC under_the_leadership_of elder,name;
在/P 看来/VV in_the_opinion_of person,kin,name; 对/P 来说/VV for person,kin,name,group;
从/P 的/DEG+角度/NN+来看/VV from_the_perspective_of person,group;
在/P 的/DEG+影响/NN+下/LC under_the_influence_of person,kin,name
"""
LOCATIVES = {
    "surface": ("上", "on"),
    "container": ("里", "in"),
    "building": ("里", "in"),
    "under": ("下面", "under"),
    "beside": ("旁边", "next to"),
    "behind": ("后面", "behind"),
}


def nouns():
    """{class: [(words, measure word or None, English)]}; English keeps its mark."""
    table = {}
    for name, text in NOUNS.items():
        entries = []
        for entry in text.split(";"):
            parts = entry.split()
            cut = _measure_index(parts)
            entries.append(
                (
                    tuple(parts[:cut]),
                    None if parts[cut] == "-" else parts[cut],
                    " ".join(parts[cut + 1 :]).replace("_", " "),
                )
            )
        table[name] = entries
    return table


def _measure_index(parts):
    for i in range(1, len(parts)):
        if parts[i + 1].isascii():
            return i
    raise ValueError(parts)


# Where people of a profession work: word, English preposition and noun.
WORKPLACES = """
医生 医院 a_hospital; 护士 医院 a_hospital; 老师 学校 a_school; 校长 学校 a_school; 工人 工厂 a_factory; 服务员 饭馆 a_restaurant;
教授 大学 a_university; 科学家 大学 a_university; 经理 银行 a_bank; 秘书 银行 a_bank; 演员 剧院 a_theatre; 工程师 工厂 a_factory;
律师 公司 a_company; 翻译 公司 a_company
"""
# Whose: people one calls one's own.
POSSESSABLE = set("老师 学生 医生 朋友 邻居 同事 同学 秘书 教练 经理 律师 客人 司机".split())
# Verbs that make or acquire their object: what they take is new to the hearer.
CREATION = set("买 卖 吃 写 画 建 设计 拍 种 准备 提出 做 唱 带".split())


def rows(text):
    """The entries of a table written as 'a b c; d e f' as lists of fields, '_' in a field for a space."""
    return [
        [field.replace("_", " ") for field in entry.split()]
        for entry in text.replace("\n", " ").split(";")
        if entry.strip()
    ]
