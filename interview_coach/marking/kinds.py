"""What competes with what, what is the contrary of what, and the classes of words that statements are written with.

All are tables over the names of `vocabulary`.
"""

# ruff: noqa: E501

from __future__ import annotations

_PAIRS = """
increase reduce | large small | more less | same different | same increase | same reduce | same more | same less
quadratic linear | exact approximate | before after | row column | peaked flat | parallel serial | speed slow
stable unstable | prefill decode | bandwidth flops | topleft bottomright | first last
help useless | increase small | reduce large | increase less | reduce more | better worse | fit notfit
nodepend depends
"""
CONTRARIES: dict[str, tuple[str, ...]] = {}
"""For each name that has any, the names that say the contrary in its place."""
for _pair in _PAIRS.replace("\n", " | ").split(" | "):
    if _pair.strip():
        _one, _other = _pair.split()
        CONTRARIES[_one] = (*CONTRARIES.get(_one, ()), _other)
        CONTRARIES[_other] = (*CONTRARIES.get(_other, ()), _one)

TOPICS = """
memory flops traffic speed kvcache parameter
prefill decode
softmax sigmoid
rope alibi
mha mqa gqa mla
bf16 fp16 fp32
additive dot
ttft tpot
train inference
sdpa flash
topleft bottomright
absolute relative
sinusoidal learn
causal padding
performer linformer elu
boolean additive
"""
"""Kinds of things of which a sentence is about one at a time: the last that was named."""

CLASSES = """
bound = bound | bottleneck | limit | limiting | constrain | constraint | run out | saturated first | held back | starved | waiting for | waits for | 瓶颈 | 受限 | 受限于 | 限制 | 卡在 | 受制于 | 拖慢 | 卡脖子 | 卡的是 | 不够用 | 主要耗在 | 主要花在 | 吃 | 跟不上 | 饿
store = store | keep | hold | save | remember | hang on | hangs on | retain | cache | stash | put aside | set aside | write down | materialise | materialize | 存 | 保存 | 保留 | 留 | 留着 | 记 | 记住 | 记录 | 记着 | 维护 | 缓存 | 存下来 | 存着 | 留下 | 攒 | 落盘 | 写出
past = past | previous | earlier | old | prior | before | so far | preceding | already | history | 前面 | 之前 | 以前 | 过去 | 历史 | 旧 | 先前 | 已有 | 已经
new = new | current | latest | newest | newly | just arrived | fresh | 新 | 当前 | 最新 | 新来 | 这一个 | 最后一个
later = future | later | after | subsequent | following | comes next | what comes | come later | afterwards | 后面 | 之后 | 未来 | 后来 | 后续 | 后
share = share | common | in common | one for everybody | single | one set | same set | jointly | 共用 | 共享 | 公用 | 合用 | 一份 | 一套 | 同一份 | 同一组
own = own | separate | its own | individual | their own | dedicated | 各自 | 自己 | 每头一份 | 各有 | 单独 | 自己的 | 各用各的
grow = increase | large | more | multiply | scale with | proportional | pile up | piles up | accumulate | double | add up | swell | get worse | explode | times | 涨 | 翻倍 | 堆 | 越来越多 | 成倍 | 正比 | 放大 | 膨胀 | 累积 | 越多 | 越大 | 增
shrink = reduce | small | less | save | cut | shrink | halve | shave | trim | bring down | 省 | 减半 | 压 | 缩 | 越少 | 越小 | 小了
same = same | equal | nodepend | unaffected | constant | no difference | comes out equal | not different | cancels | exactly as | no change | not affected | one to one | tie | stay put | 持平 | 打平 | 一回事 | 抵消 | 没差 | 差不多 | 没动 | 保持 | 没两样 | 照样
exact = exact | same result | same answer | same output | same function | same attention | equal | identical | equivalent | not an approximation | no approximation | not approximate | nothing approximated | nothing is approximated | not lossy | no error | same numbers | mathematically the same | up to rounding | only rounding | 一回事 | 等价 | 一致 | 结果一样 | 相同 | 结果不变 | 只差舍入 | 没有近似 | 不是近似 | 不近似 | 无损 | 分毫不差 | 完全一样
approx = approximate | lossy | lose accuracy | loses accuracy | give up accuracy | trade accuracy | sacrifice | less accurate | accuracy for speed | not exact | close to but | roughly the same | throws away | throw away | discard | small error | tiny error | some error | 近似 | 有误差 | 牺牲精度 | 牺牲一点 | 丢掉 | 舍弃 | 不精确 | 精度换 | 略有损失 | 忽略小
need = need | required | necessary | must | have to | should | still want | indispensable | 需要 | 必须 | 得 | 要 | 少不了 | 不可少 | 离不开
noneed = not need | unnecessary | optional | drop | skip | leave out | do without | superfluous | no reason | not matter | pointless | without | 不需要 | 不用 | 可以不 | 多余 | 省掉 | 去掉也 | 没必要 | 免了 | 不要
avg = mean | average | blend | mix | weighted sum | mixture | interpolation | combination | 平均 | 混合 | 加权和 | 加权求和 | 组合 | 揉 | 糅
see = see | look | attend | access | peek | peep | read | view | watch | use | observe | 看 | 看到 | 看见 | 看得到 | 关注 | 访问 | 偷看 | 用到 | 接触 | 瞄
wrong = wrong | garbage | broken | bug | corrupted | incorrect | nonsense | mess | scrambled | mixed up | 错 | 乱 | 出错 | 不对 | 乱套 | 串 | 搞混
silent = silent | not complain | no error | nothing complains | nothing crashes | not notice | unnoticed | no warning | no exception | quietly | 不报错 | 悄悄 | 看不出来 | 没有提示 | 发现不了 | 不吭声
loud = crash | error | exception | raise | complain | fail | notice right away | easy to notice | shape mismatch | 报错 | 崩 | 异常 | 出错 | 立刻发现
zero = 0 | zeros | all zeros | nothing | 零 | 全零
help = help | benefit | gain | speed | improve | pay off | useful | good for | accelerate | worth | 有用 | 帮 | 帮助 | 加速 | 好处 | 受益 | 提升 | 快
far = far | distant | long range | far away | further back | remote | beyond | outside | far off | 远 | 远处 | 远距离 | 窗口外 | 之外 | 更早
every = each | all | every | any | everyone | 所有 | 每个 | 每一 | 任何 | 全部 | 都
direct = direct | directly | at once | one step | one hop | straight | 直接 | 一步 | 一跳
serial = serial | sequential | one by one | one at a time | one after another | step by step | in order | wait | 串行 | 逐个 | 一个一个 | 一个接一个 | 依次 | 顺序 | 等 | 挨个
parallel = parallel | at once | same time | simultaneously | together | in one go | one pass | single pass | one shot | all at once | concurrently | 并行 | 同时 | 一次 | 一起 | 一块 | 一遍 | 一口气
peaked = peaked | almost all weight | one key takes | winner | near one hot | one position dominates | extreme | 尖 | 饱和 | 极端 | 一边倒
flat = flat | even | uniform | nearly equal | almost equal | nearly the same weight | tame | washed out | blurry | soft | weak | 平均 | 均匀 | 平 | 接近平均 | 拉不开
"""
"""Words that are as good as one another in a statement, where it says ``@name``."""


CLASS: dict[str, str] = dict(line.split(" = ", 1) for line in CLASSES.strip().splitlines())
