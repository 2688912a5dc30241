"""Why a submission cannot be graded."""

from __future__ import annotations

PROBLEMS: dict[str, str] = {
    # --- the file ---
    "{path}: no such file. Look at the path, or write a stub: coach start sdpa": (
        "{path}：没有这个文件。请检查路径，或生成模板：coach start sdpa"
    ),
    "{path}: a folder without Python files or notebooks to grade": "{path}：文件夹中没有可评判的 Python 文件或笔记本",
    "{path}: no regular file. To grade what a pipe holds: coach grade -": (
        "{path}：不是普通文件。要评判管道中的内容：coach grade -"
    ),
    "{path}: cannot be read ({reason}). Look at the path": "{path}：无法读取（{reason}）。请检查路径",
    "{path}: larger than {size} MB, which is no submission": "{path}：超过 {size} MB，不像是提交的代码",
    "{path}: not UTF-8 text; save it as UTF-8": "{path}：不是 UTF-8 文本；请以 UTF-8 保存",
    "{path}: the file is empty. A stub to start from: coach start sdpa": (
        "{path}：文件是空的。从模板开始：coach start sdpa"
    ),
    "{path}: a binary file, not Python source": "{path}：二进制文件，不是 Python 源码",
    "{path}: not a notebook that can be read (no list of cells)": "{path}：无法读取的笔记本（没有单元格列表）",
    "{path}: not valid Python ({what})": "{path}：不是合法的 Python（{what}）",
    "{path}: {where}not valid Python ({what})": "{path}：{where}不是合法的 Python（{what}）",
    "{name}: its source cannot be found; save it to a file and grade that": ("{name}：找不到源码；请保存成文件再评判"),
    "--device {name}: unknown; one of cpu, cuda": "--device {name}：未知；可用 cpu、cuda",
    "--device cuda: torch finds no GPU here; leave the flag out to grade on the CPU": (
        "--device cuda：torch 在这里找不到 GPU；去掉该选项即在 CPU 上评判"
    ),
    "--layout {name}: unknown; one of {known}": "--layout {name}：未知；可用 {known}",
    "{path}: the grader failed ({what}). That is a fault of Interview Coach, not of this code; "
    "please report it with the file and what this prints: coach doctor": (
        "{path}：评判程序自身出错（{what}）。这是 Interview Coach 的问题，不是这份代码的问题；"
        "请附上该文件和以下命令的输出反馈给我们：coach doctor"
    ),
    # --- which callable, which exercise ---
    "no exercise {id}; there are {known}. List them: coach exercises": (
        "没有练习 {id}；现有 {known}。列出全部：coach exercises"
    ),
    "{call} looks like none of the exercises; say which: --exercise {known}": (
        "{call} 不像任何一个练习；请指明：--exercise {known}"
    ),
    "{path}: no callable {name}; found {found}": "{path}：没有可调用的 {name}；找到的有：{found}",
    "{path}: no function or class is defined; looked for {wanted}": "{path}：没有定义函数或类；寻找的是 {wanted}",
    "{path}: nothing that could be attention: {found}; looked for {wanted}": (
        "{path}：没有可能是注意力的函数或类：{found}；寻找的是 {wanted}"
    ),
    "attention(q, k, v, mask=None), a module with forward(x, mask=None), softmax(x, dim)": (
        "attention(q, k, v, mask=None)、带 forward(x, mask=None) 的模块、softmax(x, dim)"
    ),
    "several equal candidates: {one}, {other}; say which is meant: --callable {name}": (
        "有几个同样合适的候选：{one}、{other}；请用 --callable {name} 指明"
    ),
    # --- how it is called ---
    "{name} takes no window; name the argument `window`": "{name} 没有窗口参数；请把该参数命名为 `window`",
    "{name} has no method to call": "{name} 没有可调用的方法",
    "{name}: its chunks agree with its single pass, which is no attention that is known "
    "(tried RoPE of both pairings, bases 100 to 1e6)": (
        "{name}：分块的结果与一次算完的一致，但不是已知的注意力（试过两种配对的 RoPE，底数 100 到 1e6）"
    ),
    "unknown required argument {names}: no part of standard attention is called that": (
        "无法识别的必填参数 {names}：标准注意力中没有这样的参数"
    ),
    "{call} needs {name}, which says nothing of its size or use": "{call} 需要 {name}，看不出它的大小或用途",
    "{call} needs {name}, which says nothing of its size or use; looked for {wanted}": (
        "{call} 需要 {name}，看不出它的大小或用途；寻找的是 {wanted}"
    ),
    "{call} could not be made": "{call} 无法创建",
    "no instance": "没有实例",
    "could not be made": "无法创建",
    "{name} has no method to call (looked for forward, __call__)": (
        "{name} 没有可调用的方法（寻找的是 forward、__call__）"
    ),
    "{name} takes {names}; looked for q, k, v (query, key, value) or x. "
    "Rename the arguments or name another with --callable": (
        "{name} 的参数是 {names}；寻找的是 q、k、v（query、key、value）或 x。请改参数名，或用 --callable 指定另一个"
    ),
    "{name}: an input x, but no projections of its own; looked for q, k, v or weights w_q, w_k, w_v": (
        "{name}：有输入 x，却没有自己的投影；寻找的是 q、k、v 或权重 w_q、w_k、w_v"
    ),
    "{name} needs {argument}, and what that does is no mask of the keys in any form tried": (
        "{name} 需要 {argument}，而试过的各种形式都表明它不是 key 的掩码"
    ),
    "{name}: its parameters ({names}) are not those of q, k, v and output projections": (
        "{name}：它的参数（{names}）不是 q、k、v 和输出投影的参数"
    ),
    "{name}: the shapes of its projections do not fit together as q, k, v and output": (
        "{name}：各投影的形状凑不成 q、k、v 和输出"
    ),
    "{name} is a part of {owner}, which could not be graded": "{name} 是 {owner} 的一部分，而后者判不了",
    "{owner} is {size} wide, the inputs {width}": "{owner} 宽 {size}，输入宽 {width}",
    "{name} owns {names}, which standard attention does not have, and computes something else": (
        "{name} 有标准注意力没有的 {names}，算的是别的东西"
    ),
    "{name} raised on every input tried{where}: {text}": "{name} 对试过的每种输入都报错{where}：{text}",
    "{name} raised on every input tried: {text}": "{name} 对试过的每种输入都报错：{text}",
    "{name}: output of {what}; not the shape of attention in any layout tried": (
        "{name}：输出的{what}；试过的每种布局下都不是注意力的形状"
    ),
    "shape {shape}, expected {wanted}": "形状 {shape}，应为 {wanted}",
    "shape {shape} for {given}": "输入 {given} 时形状为 {shape}",
    "{output} of shape {shape}, expected {wanted}": "{output} 的形状为 {shape}，应为 {wanted}",
    "{name} returned {what}, expected an array": "{name} 返回了 {what}，应返回数组",
    "{name} returned {what}, expected ({wanted})": "{name} 返回了 {what}，应返回 ({wanted})",
    "returned {what}, expected an array": "返回了 {what}，应返回数组",
    "returned {what}, expected ({wanted})": "返回了 {what}，应返回 ({wanted})",
    "returned {what}": "返回了 {what}",
    "the result changed its form: {what}": "返回值的形式变了：{what}",
    "nothing could be called": "没有可调用的东西",
    "nothing to call": "没有可调用的东西",
    "{name}: nothing to call; looked for {wanted}": "{name}：没有可调用的东西；寻找的是 {wanted}",
    "{name} is an autograd function; looked for {wanted}": "{name} 是 autograd 函数；寻找的是 {wanted}",
    "looked for a forward of {wanted}, found {found}": "寻找的是参数为 {wanted} 的 forward，找到的是 {found}",
    "looked for {wanted}, found {found}": "寻找的是 {wanted}，找到的是 {found}",
    "looked for {wanted}, found {found}: nothing is known of the required {names}": (
        "寻找的是 {wanted}，找到的是 {found}：不认识必填的 {names}"
    ),
    "looked for {wanted}, found a required {names}": "寻找的是 {wanted}，却有必填的 {names}",
    "made with {name}=1": "以 {name}=1 创建",
    "{count} axes, not {wanted}": "{count} 维，而不是 {wanted} 维",
    "no such axis": "没有这一维",
    "{message}. The body is not written yet; a hint to begin with: coach hint {id}": (
        "{message}。函数体还没有写；先看一条提示：coach hint {id}"
    ),
    # --- attention of another kind ---
    "{name} computes {kind}": "{name} 算的是{kind}",
    "linear attention with the feature map elu(x) + 1": "特征映射为 elu(x) + 1 的线性注意力",
    "linear attention with the feature map relu(x)": "特征映射为 relu(x) 的线性注意力",
    "efficient attention (softmax of queries and of keys)": "高效注意力（对 query 和 key 分别做 softmax）",
    "attention between channels, not between positions": "通道之间的注意力，而不是位置之间的",
    "attention between the channels of queries and keys": "query 与 key 的通道之间的注意力",
    # --- the machine ---
    "not isolated: bubblewrap does not work here ({why})": "未隔离：bubblewrap 在这里无法运行（{why}）",
    "not isolated: bubblewrap (bwrap) is not installed": "未隔离：没有安装 bubblewrap（bwrap）",
    "not isolated: this system has no fork, and no bubblewrap": "未隔离：此系统没有 fork，也没有 bubblewrap",
    "bytes that nobody asked for": "没有人要的数据",
    "an answer to another question": "答非所问",
}
