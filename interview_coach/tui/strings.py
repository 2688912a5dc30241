"""Every text of the app, in both languages, as data.

``STRINGS`` holds what the screens say; ``KEYS`` what a key does (a word for the bottom line, a sentence for help), by
the id of its binding. ``{name}`` is filled in by :func:`say`.
"""

from __future__ import annotations

from interview_coach.text import Language, Text

STRINGS: dict[str, Text] = {
    # --- everywhere ---
    "app.title": Text("Interview Coach", "面试教练"),
    "app.offline": Text("offline", "离线"),
    "app.language": Text("en", "中文"),
    "app.streak": Text("{days} d in a row", "连续 {days} 天"),
    "app.level": Text("level {level}", "难度 {level}"),
    "app.not-saved": Text("Not saved: {error}", "未能保存：{error}"),
    "app.cannot-load": Text("Cannot be read: {error}", "无法读取：{error}"),
    "app.no-editor": Text(
        "No editor was found. Set EDITOR, e.g. export EDITOR=vim", "找不到编辑器。请设置 EDITOR，例如 export EDITOR=vim"
    ),
    "app.no-suspend": Text("This terminal cannot be handed to an editor.", "此终端无法切换到外部编辑器。"),
    "app.key-clash": Text(
        "Two actions share a key: {ids}. Change [keys] in the config file.",
        "有两个操作用了同一个键：{ids}。请修改配置文件的 [keys]。",
    ),
    "app.bank-problems": Text(
        "{count} question files have problems: coach questions lint", "{count} 个题目文件有问题：coach questions lint"
    ),
    "app.palette": Text("Type what you want to do…", "输入想做的事…"),
    "app.theme": Text("Theme", "主题"),
    "app.theme-help": Text("Choose the colours", "选择配色"),
    # --- home ---
    "home.today": Text("Today", "今天"),
    "home.due": Text("{count} cards · about {minutes} min", "{count} 张卡片 · 约 {minutes} 分钟"),
    "home.due-one": Text("1 card · about 1 min", "1 张卡片 · 约 1 分钟"),
    "home.nothing-due": Text("Nothing is due. d for a drill.", "没有到期的卡片。按 d 练一题。"),
    "home.week": Text("last 7 days", "近 7 天"),
    "home.question": Text("Question of the day", "今日一题"),
    "home.question-done": Text("✓ answered today", "✓ 今天答过了"),
    "home.no-questions": Text(
        "The bank is empty. Check it with: coach questions lint", "题库是空的。请检查：coach questions lint"
    ),
    "home.results": Text("Last results", "最近结果"),
    "home.no-results": Text("None yet. g grades a file, d starts a drill.", "还没有。按 g 判一份代码，按 d 练一题。"),
    "home.weakest": Text("Weakest", "薄弱环节"),
    "home.no-weakest": Text("Shown once you have rated a few answers.", "给几道题打分后，这里会显示。"),
    "home.loading": Text("…", "…"),
    # --- drill ---
    "drill.title": Text("Drill", "练习"),
    "drill.think": Text("think", "思考"),
    "drill.paused": Text("paused", "已暂停"),
    "drill.time-up": Text("Time. This is what you had.", "时间到，以下是你的回答。"),
    "drill.answered": Text("{seconds} s", "{seconds} 秒"),
    "drill.pace-en": Text("{rate} words/min", "每分钟 {rate} 词"),
    "drill.pace-zh": Text("{rate} characters/min", "每分钟 {rate} 字"),
    "drill.not-marked": Text("The answer could not be marked: {error}", "无法批改这份回答：{error}"),
    "drill.placeholder-think": Text("Think first. space starts the answer.", "先想一想。按空格开始作答。"),
    "drill.placeholder": Text("Answer as you would say it.", "像当面回答那样写。"),
    "drill.your-answer": Text("Your answer", "你的回答"),
    "drill.no-answer": Text("(nothing was written)", "（没有写）"),
    "drill.restored": Text("Your draft is back.", "草稿已恢复。"),
    "drill.finished": Text(
        "That was all: {count} answered. Esc goes home, d starts again.",
        "全部完成：答了 {count} 题。Esc 回首页，d 再来一轮。",
    ),
    "drill.finished-none": Text(
        "Nothing was answered. Esc goes home, d starts again.", "没有作答。Esc 回首页，d 再来一轮。"
    ),
    "drill.no-questions": Text("No question matches. Esc goes back.", "没有符合的题目。Esc 返回。"),
    "drill.undone": Text(
        "The rating of {question} is taken back; r rates it again.", "已撤销对 {question} 的打分；按 r 重新打分。"
    ),
    "drill.core": Text("{core} of {cores} core", "核心 {core}/{cores}"),
    "drill.wrong": Text("{count} wrong", "错 {count} 处"),
    # --- interview ---
    "interview.title": Text("Interview", "模拟面试"),
    "interview.follow-up": Text("follow-up {number}", "追问 {number}"),
    "interview.written": Text("Written: {path}", "已写入：{path}"),
    "help.interview": Text(
        "That was the interview. w writes all that was asked and said into a Markdown file here.",
        "面试结束。按 w 把全部问答写成此处的 Markdown 文件。",
    ),
    # --- a marked answer ---
    "result.missing": Text("missed", "没说到"),
    "result.partial": Text("half of it", "说了一半"),
    "result.unsure": Text("unclear", "不确定"),
    "result.yours": Text("your verdict", "你的判断"),
    "result.suggested": Text("Suggested rating", "建议打分"),
    "judge.asking": Text("Asking the judge…", "正在询问评判……"),
    "judge.silent": Text("The judge has nothing to suggest.", "评判没有建议。"),
    "judge.failed": Text("No suggestions: {error}", "没有建议：{error}"),
    "judge.hit": Text("judge: said", "评判：说到了"),
    "judge.partial": Text("judge: half said", "评判：说了一半"),
    "judge.contradicted": Text("judge: wrong", "评判：说错了"),
    "result.fillers": Text("fillers: {words}", "口头禅：{words}"),
    # --- a question, read in full ---
    "sheet.intent": Text("What they look for", "考察什么"),
    "sheet.key-points": Text("Key points", "要点"),
    "sheet.core": Text("core", "核心"),
    "sheet.bonus": Text("bonus", "加分"),
    "sheet.elevator": Text("In 30 seconds", "三十秒版"),
    "sheet.answer": Text("Model answer", "参考答案"),
    "sheet.pitfalls": Text("Often said, and wrong", "常见错误"),
    "sheet.follow-ups": Text("They would ask next", "接下来会问"),
    "sheet.experience": Text("From your own work", "结合你的经历"),
    "sheet.experience.llm_training": Text("Trained LLMs", "训练过大模型"),
    "sheet.experience.classic_nlp": Text("Classic NLP", "做过传统 NLP"),
    "sheet.experience.no_project": Text("No project yet", "还没有项目"),
    "sheet.references": Text("Sources", "出处"),
    "sheet.exercise": Text("Code it: coach start {exercise}", "动手写：coach start {exercise}"),
    "sheet.lab": Text("See the numbers: coach lab {lab}", "看实验：coach lab {lab}"),
    # --- review ---
    "review.title": Text("Review", "复习"),
    "review.left": Text("{count} left", "还剩 {count} 张"),
    "review.front": Text("Say it aloud, then press space.", "先说出答案，再按空格。"),
    "review.nothing": Text("Nothing is due.", "没有到期的卡片。"),
    "review.nothing-hint": Text(
        "d for a drill: each question you rate becomes a card.", "按 d 练一题：打过分的题目会变成卡片。"
    ),
    "review.done": Text("Done for today: {count} reviewed.", "今天的复习完成：共 {count} 张。"),
    "review.next-due": Text("The next card comes in {span}.", "下一张卡片在 {span}后。"),
    "review.undone": Text("Undone. Rate it again.", "已撤销，请重新打分。"),
    "review.nothing-to-undo": Text("There is no rating to undo.", "没有可撤销的打分。"),
    # --- grade ---
    "grade.title": Text("Grade", "判代码"),
    "grade.path": Text("Path of a Python file", "Python 文件路径"),
    "grade.files": Text("Files here", "此处的文件"),
    "grade.no-files": Text(
        "No .py file here. Type a path with /, or write a stub with: coach start sdpa",
        "此处没有 .py 文件。按 / 输入路径，或用 coach start sdpa 生成模板。",
    ),
    "grade.running": Text("Grading {file} … {seconds} s", "正在判 {file} … {seconds} 秒"),
    "grade.cancelled": Text("Cancelled. g grades it again.", "已取消。按 g 重新判。"),
    "grade.failed": Text("The grader itself failed: {error}", "判题程序出错：{error}"),
    "grade.line": Text("line {line}", "第 {line} 行"),
    "grade.why": Text("→ {question}", "→ {question}"),
    "grade.max": Text("{measured}, allowed {allowed}", "{measured}，允许 {allowed}"),
    "grade.none": Text("Choose a file and press enter.", "选择文件后按 enter。"),
    "grade.seed": Text("seed {seed} · {seconds} s", "种子 {seed} · {seconds} 秒"),
    "grade.memory": Text("memory grows with S^{exponent}", "内存随 S^{exponent} 增长"),
    "grade.stdout": Text("Printed", "程序输出"),
    "grade.lose": Text("A file is still being graded.", "还有文件正在判。"),
    "group.formula": Text("formula", "公式"),
    "group.shape": Text("shapes", "形状"),
    "group.mask": Text("masks", "掩码"),
    "group.gradient": Text("gradients", "梯度"),
    "group.stability": Text("stability", "稳定性"),
    "group.dtype": Text("half", "半精度"),
    "group.hygiene": Text("hygiene", "规范"),
    "group.efficiency": Text("cost", "开销"),
    "group.of": Text("{bad} of {all}", "{all} 项中 {bad} 项"),
    # --- browse ---
    "browse.title": Text("Browse", "题库"),
    "browse.search": Text("Search in English or Chinese", "用中文或英文搜索"),
    "browse.count": Text("{count} questions", "{count} 题"),
    "browse.count-one": Text("1 question", "1 题"),
    "browse.nothing": Text(
        "Nothing matches. Esc leaves the search, c clears it.", "没有匹配的题目。Esc 离开搜索，c 清除条件。"
    ),
    "browse.topic": Text("Topic", "主题"),
    "browse.tag": Text("Tag", "标签"),
    "browse.all": Text("All", "全部"),
    "question.title": Text("Question", "题目"),
    # --- hunt ---
    "hunt.title": Text("Bug hunt", "找错"),
    "hunt.hunting": Text(
        "One line is wrong. Point at it, or name the bug.", "有一处错误。指出那一行，或说出是哪种错误。"
    ),
    "hunt.paused": Text("The program is covered while the clock stands.", "暂停时不显示程序。"),
    "hunt.wrong": Text("✗ No; that costs {seconds} s.", "✗ 不对，扣 {seconds} 秒。"),
    "hunt.over": Text("space takes another one.", "按空格再来一题。"),
    "hunt.found": Text("✓ found in {seconds} s", "✓ 用 {seconds} 秒找到"),
    "hunt.not-found": Text("· not found", "· 没有找到"),
    "hunt.count": Text("{found} of {all} found", "找到 {found}/{all}"),
    # --- help, quit ---
    "help.title": Text("Help", "帮助"),
    "help.keys": Text("Keys that work now", "现在可用的键"),
    "quit.title": Text("Quit?", "退出？"),
    "help.home": Text(
        "What is due, the question of the day, and what came of the last tries.",
        "今天到期的卡片、今日一题和最近的结果。",
    ),
    "help.drill": Text(
        "Think until the first clock ends, then write. At 0 the answer is taken as it stands. Every letter is saved.",
        "先思考，第一个计时结束后开始写。到 0 时以当时的内容为准。每个字都会立即保存。",
    ),
    "help.result": Text(
        "✓ was said, ✗ is wrong, ~ half said, ? unclear, · missed. Where the marker errs, f puts it right: your "
        "verdict counts. a asks the judge, if one is set up. Then rate: that sets the day it comes back.",
        "✓ 说到，✗ 说错，~ 说了一半，? 不确定，· 没说到。批改有误时按 f 改正，以你的判断为准。"
        "设置了评判时，按 a 征求它的意见。然后打分：这决定它哪天再出现。",
    ),
    "help.review": Text(
        "Say the answer, turn the card, rate it. Beside each rating stands when the card comes back.",
        "先说出答案，翻面，再打分。每个分数旁写着卡片下次出现的时间。",
    ),
    "help.grade": Text(
        "The file runs in a process of its own. ✗ is wrong, ● a remark, · was not tried. "
        "enter on a line opens the question behind it.",
        "文件在独立的进程中运行。✗ 是错误，● 是提醒，· 是未测。在某一行按 enter 打开相关题目。",
    ),
    "help.browse": Text(
        "All questions. / searches as you type, in both languages.", "全部题目。按 / 边输边搜，中英文皆可。"
    ),
    "help.hunt": Text(
        "A right attention in which one thing was changed. Find it before the clock ends: ↑ ↓ and space point at a "
        "line, a letter names the bug. A wrong answer costs 15 seconds. Afterwards w opens the question behind it.",
        "一段正确的注意力代码被改错了一处。在计时结束前找到它：用 ↑ ↓ 和空格指出那一行，或用字母说出是哪种错误。"
        "答错一次扣 15 秒。结束后按 w 打开相关题目。",
    ),
    "help.question": Text("A question with all that belongs to it.", "一道题及其全部内容。"),
    "help.editor": Text(
        "Letters type. Not every terminal can send ctrl+enter; ctrl+j and F2 do the same everywhere. "
        "ctrl+z undoes, ctrl+y redoes.",
        "字母直接输入。ctrl+enter 需要终端支持；ctrl+j 和 F2 在任何终端都有同样作用。ctrl+z 撤销，ctrl+y 重做。",
    ),
    "help.key-points": Text(
        "✓ was said, ✗ is wrong, ~ half said, ? unclear, · missed. ↑ ↓ choose a key point; where the marker errs, f "
        "puts it right: your verdict counts. coach labels export writes what you flipped.",
        "✓ 说到，✗ 说错，~ 说了一半，? 不确定，· 没说到。↑ ↓ 选择要点；批改有误时按 f 改正，以你的判断为准。"
        "coach labels export 导出你改过的判断。",
    ),
}

KEYS: dict[str, tuple[Text, Text]] = {
    "drill": (Text("drill", "练习"), Text("A question, a clock, an answer", "一道题，一个计时，一个回答")),
    "review": (Text("review", "复习"), Text("The cards that are due", "到期的卡片")),
    "grade": (Text("grade", "判代码"), Text("Grade a file of hand-written attention", "判一份手写的注意力代码")),
    "browse": (Text("browse", "题库"), Text("Read and search all questions", "浏览和搜索全部题目")),
    "hunt": (Text("hunt", "找错"), Text("Find the bug in a short attention", "在一小段注意力代码里找错")),
    "hunt.go": (Text("next", "下一题"), Text("Another program", "换一段程序")),
    "hunt.point": (Text("here", "这一行"), Text("The bug is in this line", "错误在这一行")),
    "hunt.pick": (Text("this one", "是这个"), Text("It is this bug", "是这种错误")),
    "hunt.name": (Text("name", "作答"), Text("Name the bug by its letter", "按字母说出是哪种错误")),
    "hunt.turn": (Text("names", "到名称"), Text("From the code to the names, and back", "在代码和名称之间切换")),
    "hunt.to-names": (Text("names", "到名称"), Text("To the names of the bugs", "到错误名称列表")),
    "hunt.to-code": (Text("code", "到代码"), Text("Back to the code", "回到代码")),
    "hunt.pause": (Text("pause", "暂停"), Text("Stop the clock; the code is covered", "暂停计时；代码会被遮住")),
    "hunt.show": (Text("show it", "看答案"), Text("Give up and see where it is", "放弃并显示错误所在")),
    "hunt.why": (Text("why", "为什么"), Text("Open the question behind the bug", "打开这个错误背后的题目")),
    "language": (Text("中文", "English"), Text("Switch between English and 中文", "在中文和 English 之间切换")),
    "help": (Text("help", "帮助"), Text("What can be done here", "这里能做什么")),
    "quit": (Text("quit", "退出"), Text("Leave; everything is saved already", "退出；所有内容都已保存")),
    "palette": (Text("commands", "命令"), Text("Find a command by name", "按名称找命令")),
    "interrupt": (Text("quit", "退出"), Text("Leave at once; what was typed is kept", "立即退出；已输入的内容会保留")),
    "back": (Text("back", "返回"), Text("Go back; nothing is lost", "返回；不会丢失任何内容")),
    "home": (Text("home", "首页"), Text("Go to the first screen", "回到首页")),
    "home.go": (Text("answer it", "作答"), Text("Answer the question of the day", "回答今日一题")),
    "interview": (
        Text("interview", "模拟面试"),
        Text("A drill with follow-ups about what was missed", "带追问的练习，追问漏掉的要点"),
    ),
    "interview.write": (
        Text("write it down", "写成文件"),
        Text("Write the exchange as Markdown, here", "把问答写成此处的 Markdown 文件"),
    ),
    "drill.go": (Text("answer", "作答"), Text("Stop thinking, start to write", "结束思考，开始作答")),
    "drill.done": (Text("done", "完成"), Text("Hand in the answer", "提交回答")),
    "drill.pause": (Text("pause", "暂停"), Text("Stop or restart the clock", "暂停或继续计时")),
    "drill.resume": (Text("go on", "继续"), Text("Let the clock run again", "继续计时")),
    "drill.external": (
        Text("editor", "外部编辑器"),
        Text("Write the answer in $EDITOR; the clock waits", "用 $EDITOR 写回答；计时暂停"),
    ),
    "drill.skip": (Text("skip", "跳过"), Text("Another question; the draft is kept", "换一题；草稿会保留")),
    "editor.done": (Text("done", "完成"), Text("Hand in the answer", "提交回答")),
    "editor.leave": (Text("pause", "暂停"), Text("Leave the editor and stop the clock", "离开编辑框并暂停计时")),
    "editor.external": (
        Text("editor", "外部编辑器"),
        Text("Write in $EDITOR; the clock waits", "用 $EDITOR 写；计时暂停"),
    ),
    "result.next": (Text("next", "下一题"), Text("Go on without a rating", "不打分，继续")),
    "result.follow-ups": (Text("follow-ups", "追问"), Text("Jump to what they would ask next", "跳到接下来会问的")),
    "result.answer": (Text("model answer", "参考答案"), Text("Jump to the model answer", "跳到参考答案")),
    "result.sources": (Text("sources", "出处"), Text("Jump to the sources", "跳到出处")),
    "result.flip": (Text("flip", "改判"), Text("Flip the verdict on the key point", "改变对该要点的判断")),
    "result.judge": (
        Text("judge", "评判"),
        Text("Send the answer to the judge of [judge], for suggestions", "把回答发给 [judge] 里的评判，征求建议"),
    ),
    "result.up": (Text("up", "上"), Text("The key point above", "上一个要点")),
    "result.down": (Text("down", "下"), Text("The key point below", "下一个要点")),
    **{
        f"rate.{key}": (
            Text(f"rate {key}", f"打分 {key}"),
            Text("Rate; it comes back after the time shown", "打分；到所示时间再出现"),
        )
        for key in (1, 2, 3, 4)
    },
    "rate.again": (Text("again", "重来"), Text("Not known: it comes back soon", "没答好：很快再出现")),
    "rate.hard": (Text("hard", "吃力"), Text("Known, with effort", "答出来了，但吃力")),
    "rate.good": (Text("good", "不错"), Text("Known: it comes back later", "答好了：过些时候再出现")),
    "rate.easy": (Text("easy", "轻松"), Text("Known at once", "脱口而出")),
    "undo": (
        Text("undo", "撤销"),
        Text("Take the last rating back, also after a restart", "撤销上一次打分，重启后也可以"),
    ),
    "review.show": (Text("show the answer", "看答案"), Text("Turn the card", "翻面")),
    "search": (Text("search", "搜索"), Text("Search, or type a path", "搜索，或输入路径")),
    "open": (Text("open", "打开"), Text("Open what is chosen", "打开所选项")),
    "clear": (Text("clear", "清除"), Text("Show everything again", "重新显示全部")),
    "topic": (Text("topic", "主题"), Text("Choose a topic", "选择主题")),
    "tag": (Text("tag", "标签"), Text("Choose a tag", "选择标签")),
    "leave-search": (Text("to the list", "到列表"), Text("Leave the field; the text stays", "离开输入框；文字保留")),
    "edit": (Text("edit", "编辑"), Text("Open the file in $EDITOR", "用 $EDITOR 打开文件")),
    "grade.again": (Text("again", "重新判"), Text("Grade the same file again", "重新判同一个文件")),
    "grade.run": (Text("grade", "判"), Text("Grade the file", "判这个文件")),
    "grade.type": (Text("path", "路径"), Text("Type a path", "输入路径")),
    "browse.drill": (Text("drill it", "练这题"), Text("Drill this question", "练这一题")),
    "question.drill": (Text("answer it", "作答"), Text("Answer this question against the clock", "计时回答这一题")),
    "grade.cancel": (Text("cancel", "取消"), Text("Stop the run", "停止运行")),
    "grade.files": (Text("files", "文件"), Text("Choose another file", "选择其他文件")),
    "grade.question": (Text("why", "为什么"), Text("Open the question behind this line", "打开这一行相关的题目")),
    "scroll.up": (Text("up", "上移"), Text("Scroll up", "向上滚动")),
    "scroll.down": (Text("down", "下移"), Text("Scroll down", "向下滚动")),
    "scroll.page-up": (Text("page up", "上一页"), Text("Scroll up by a page", "向上翻页")),
    "scroll.page-down": (Text("page down", "下一页"), Text("Scroll down by a page", "向下翻页")),
    "close": (Text("close", "关闭"), Text("Close", "关闭")),
    "confirm.yes": (Text("quit", "退出"), Text("Quit", "退出")),
    "confirm.no": (Text("stay", "留下"), Text("Stay", "留下")),
}


def say(key: str, language: Language, **values: object) -> str:
    """The text ``key`` in ``language`` with ``values`` filled in."""
    text = STRINGS[key].get(language)
    return text.format(**values) if values else text
