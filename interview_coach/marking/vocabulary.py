"""The words of the field that mean the same, in both languages, as a table.

A line is ``name = way | way | ...``: whatever is written one of these ways is read as the name (or as several names,
for ``不用`` = ``not need``). Longer ways are tried first. Phrases of a question and words of an answer go through the
same table, so a phrase needs no list of synonyms that stand here.
"""

# ruff: noqa: E501, SIM905

from __future__ import annotations

from interview_coach.marking.stem import stem

SYNONYMS = """
not = 不 | 没 | 没有 | 未 | 并非 | 不是 | 并不是 | 并不 | 并没有 | 并没 | 并未 | 无 | 非 | 不会 | 不能 | 无法 | 绝不 | 从不 | 绝非 | 而不是 | 而非 | 不再 | no longer | no more | never | neither | nor | cannot | rather than | insteadof | fails to | none | isnt | doesnt | dont | wont | arent | cant | no | 而不 | 别再 | 千万别 | 毫无 | 决不 | 远非 | nobody | no one | 没人 | 谁也不 | 谁都不 | 从来不 | 从来没有
also = just as much | just as well | just the same | not only | not just | not merely | not simply | 不仅 | 不但 | 不只 | 不光 | 不止 | 不仅仅 | 不单
but = but | however | yet | whereas | while | although | though | 但 | 但是 | 不过 | 然而 | 却 | 可是 | on the contrary | by contrast | 相反 | 反而
fact = 其实 | 实际上 | actually | in fact | in reality | in truth | 事实上 | 恰恰相反 | 实则
because = because | since | therefore | so | hence | thus | so that | which | 因为 | 由于 | 所以 | 因此 | 于是 | 从而 | 因而 | 以便 | when | once | unless | until | 当 | 时 | 时候 | 的时候 | 否则 | otherwise | 那么 | that is why | 这样
if = if | 如果 | 若 | 假如 | 的话 | 要是 | 倘若 | suppose | assuming | 假设
myth = myth | misconception | wrong | wrongly | mistaken | mistakenly | false | untrue | incorrect | incorrectly | not true | not correct | not right | isn't true | nonsense | 误区 | 误解 | 误以为 | 误认为 | 错误 | 错误地 | 错 | 错的 | 不对 | 不正确 | 谣言 | 说错 | 是错的
said = people say | people think | people believe | people claim | some say | some people | many say | many people | many think | often said | you might think | one might think | commonly claimed | commonly said | it is said | they say | notes say | notes claim | the claim that | claim that | 有人说 | 有人认为 | 有人以为 | 很多人 | 常有人 | 以为 | 网上说 | 网上常说 | 常说 | 说法 | 面经说 | 面经里说 | 号称 | 所谓 | 声称 | often claimed | allegedly | another is that | another one is that | one is that | classic one is | a classic claim | common claim | common mistake | typical mistake | classic mistake | wrong claim | 一种说法 | 常见错误 | 常见的错误 | 有的说 | 还说 | 说
narrow = narrow | narrower | thin | thinner | slim | slimmer | skinny | 窄 | 更窄 | 变窄 | 薄 | 细
evict = evict | evicted | evicts | eviction | throw out | throws out | thrown out | throw them out | throw away | throws away | thrown away | kick out | kicked out | kick them out | kick those out | discard | discarded | drop out of the cache | toss | tossed | 踢 | 踢出 | 踢出去 | 淘汰 | 扔 | 扔掉 | 丢 | 丢掉 | 丢弃 | 驱逐 | 删 | 扔了 | 丢了
first token = very start | start of the text | beginning of the text | beginning of the conversation | opening tokens | opening words | very beginning | very first tokens | 最开头 | 最开头几个 | 开头那几个
reserve = reserve | reserved | reserves | set aside | sets aside | preallocate | preallocated | allocate up front | allocated up front | earmark | book | books | 预留 | 预分配 | 预先分配 | 提前分配 | 占座 | 占位
waste = waste | wasted | wastes | sit empty | sits empty | sitting empty | unused | lies idle | sits idle | 浪费 | 空着 | 闲置 | 白占 | 空置 | 用不上
ondemand = on demand | as needed | when needed | as it goes | only when it is needed | 按需 | 用到再 | 用多少给多少 | 用一块分一块 | 用一格发一格 | 随用随分
collapse = collapse | collapses | collapsed | fall apart | falls apart | break down | breaks down | go haywire | goes haywire | gibberish | talks gibberish | go off the rails | goes off the rails | gone off the rails | stops working | 胡言乱语 | 垮 | 垮掉 | 崩坏 | 不行了
stretch = stretch | stretches | lengthen | lengthens | elongate | shorten | shortens | 拉长 | 缩短 | 伸长
erred = wrong axis | silently wrong | go wrong | goes wrong | wrong result | wrong output | wrong number | wrong dimension | wrong dim | wrong shape | wrong order | wrong answer | wrong way | 错的轴 | 轴错 | 出错 | 写错 | 做错 | 错误结果 | 错误信息 | 悄悄错 | 错位 | 搞错 | 弄错 | 结果错误 | 错误的结果 | 错的结果
unsure = not sure | unsure | i guess | not certain | no idea | don't know | do not know | can't remember | cannot remember | 不确定 | 不太确定 | 不清楚 | 不知道 | 记不清 | 不记得 | 忘了 | 猜的 | 我猜

increase = increase | grow | rise | raise | go up | goes up | went up | go through the roof | goes through the roof | creep up | creeps up | shoot up | shoots up | skyrocket | 飙升 | 暴涨 | 猛涨 | higher | climb | escalate | 增加 | 增大 | 增长 | 上升 | 升高 | 提高 | 增高 | 变高 | 更高 | 升到 | 增多 | 变多 | 略增 | 升 | climb | swell | add to | go higher | 涨 | 上涨 | 上去 | 变多了 | 增多了 | 攀升 | balloon | balloons | mushroom | pile up | piles up | piling up | fill up | fills up | filling up | build up | builds up | mount up | 越堆越多 | 越攒越多 | 水涨船高 | 跟着涨 | 跟着变多
reduce = reduce | reduction | bring down to | brings down to | decrease | lower | fall | fell | drop | shrink | shrank | cut | diminish | lessen | go down | goes down | went down | bring down | cut down | 减少 | 降低 | 下降 | 缩小 | 减小 | 降到 | 降为 | 降至 | 减低 | 减到 | 减为 | 降成 | 变少 | 变低 | 更低 | 缩减 | 压缩 | 降 | decline | cut back | diminished | subside | 变小了 | 减轻 | 砍掉 | 砍到 | 减半 | 下来了 | 少了很多 | slim down | slims down | slimmed down | shave off | trim | trimmed | slashed | slash | 瘦 | 瘦了 | 瘦身 | 缩水 | 打折 | 打折扣 | 打点折扣
save = save | saving | 节省 | 节约 | 省下 | 省了 | 省
partition = cut into | cut it into | cut them into | partition | partitioned | divide into | split into
large = 大 | large | big | huge | larger | bigger | greater | enlarge | enlarged | great | 变大 | 更大 | 很大 | 过大 | 太大 | 较大 | 大于 | 巨大 | enormous | massive | bigger and bigger | 巨大的 | 越来越大 | 特别大 | 非常大 | 偏大
small = 小 | small | smaller | tiny | little | 变小 | 更小 | 很小 | 太小 | 过小 | 较小 | 小于 | 极小 | 微小 | smallish | minuscule | negligible | 越来越小 | 特别小 | 非常小 | 偏小 | 极其小 | 很低
more = more | extra | additional | 更多 | 额外 | 多出
toomany = too many | 太多 | 过多
multihead = multi head | multihead | 多头 | 多个头 | several heads | multiple heads | many heads
less = less | fewer | lesser | 更少 | 较少 | 少了 | 少
same = same | 持平 | 打平 | 平手 | 一回事 | comes out the same | come out the same | no change | break even | 毫无变化 | 没两样 | unchanged | identical | does not change | do not change | doesn't change | don't change | not change | not changed | without changing | stay constant | 不变 | 没变 | 没有变 | 没有变化 | 相同 | 一样 | 一致 | 相等 | 不改变 | 没有改变 | 没改变 | 没有变 | 恒定 | 不会变化 | 没有任何变化 | 不发生变化 | 不会改变 | 没什么变化 | 没有区别 | 没区别 | 同样 | 照旧 | 原样 | equal | untouched | unaffected | equivalent | no different | not different | 等价 | 等同 | 没有变少 | 没有变多 | 没变少 | 没变多 | 等价于 | 丝毫不变 | 保持原样 | what it was | what they were | as it was | as they were | as before | leave alone | left alone | leaves alone | leave untouched | leave unchanged | as it is | as they are | no different answer | not a different answer | not budge | doesn't budge | not move | doesn't move | 看不出差别 | 看不出区别 | 没差别 | 原封不动 | 该算还得算 | 照算不误 | 一点没变 | 没有任何差别 | 别无二致 | 毫无差别 | 跟原来一样
change = change | alter | 改变 | 变化
other = other | another | 其他 | 其它 | 别的 | 另外的 | 另一个 | 另 | different queries | 其余 | 另一些 | 其他的 | 不同 query
different = different | differ | difference | distinct | 不同 | 不一样 | 不一致 | 不相同 | 各异 | 有别 | 差异 | 差别
independent = independent | independence | i i d | iid | independently | mutually independent | 独立 | 独立同分布 | 相互独立 | 互相独立 | statistically independent | 相互之间独立 | 彼此独立 | 彼此无关 | 互不相关 | 互不相干 | 各自独立 | nothing to do with each other | unrelated to each other
nodepend = independent of | not depend | does not depend | do not depend | regardless | regardless of | no matter | irrespective | no matter how | whatever | 无关 | 不依赖 | 不随 | 没有关系 | 没关系 | 不取决于 | 无论 | 不管 | 不论 | irrelevant to | unrelated to | has nothing to do with | no dependence | 不受 | 没有任何关系 | 毫无关系 | 跟 它 无关 | 与之无关 | at any
direct = direct | directly | simply | straight | 直接 | 径直 | 单纯 | 简单地
only = only | just | merely | solely | exclusively | purely | 只 | 仅 | 只有 | 仅仅 | 只在 | 仅在 | 只是 | 只要 | 仅仅是 | 光 | nothing but | no more than | 唯一的 | 单单 | 只会 | 只能
always = always | invariably | in every case | 总是 | 一直 | 始终 | 永远 | 必然 | 一定 | 总会 | 必定 | 肯定 | 恒
each = each | every | per | 每 | 每个 | 每一个 | 每条 | 每张 | 各 | 各个 | 每一 | 每次
all = all | whole | entire | 所有 | 全部 | 整个 | 整体 | 一切
before = before | prior to | ahead of | 之前 | 以前 | 前 | 前面
after = after | afterwards | afterward | following | 之后 | 以后 | 后 | 后面 | 完了再 | 后再
first = first | 首先 | 先
without = without | 不带 | 不加 | 省略 | 缺少 | 漏掉 | 去掉 | 省掉 | omit | leave out | left out | skip | forget | 忘记 | 忘了做 | switch off | switched off | switch it off | turn off | turned off | turn it off | disable | disabled | 关掉 | 撤掉 | 拿掉 | 关了 | stripped of
unscaled = unscaled | without scaling | no scaling | without the scale | without scale | not scaled | not scale | don't scale | without dividing | not divide | if we do not scale | 不缩放 | 未缩放 | 没缩放 | 没有缩放 | 不做缩放 | 不除 | 不加缩放 | 没除 | 未经缩放 | 不进行缩放
not need = unnecessary | needless | need not | needn't | 不需要 | 不用 | 无需 | 不必 | 没必要 | 用不着 | 不需 | 没有必要 | 毋须 | 无须 | 可以不 | not have to | can be dropped | can be skipped | can be omitted | 不必要 | redundant here | 没必要了 | 不用了 | 不需要了 | do without | can do without | gratuitous | 可省 | not essential | not required | isn't required | 没有用 | 省略不用
need = 要 | need | required | require | necessary | must | have to | has to | needed | requirement | 需要 | 必须 | 必要 | 要求 | 必需 | 得要 | 务必 | 需 | you want | essential | 非要 | 不可缺 | 少不了 | indispensable | mandatory | no choice but | have no choice but | 别无选择只能
should = should | ought | 应该 | 应当 | 应 | 理应
better = better | 更好 | 好 | best | 最好
prevent = prevent | avoid | guard against | protect against | stop | 防止 | 避免 | 防 | 杜绝 | stave off | rule out | keep from | ward off | 预防 | 杜绝 | 免得 | 以免
fit = fit | 放得下 | 装得下 | 能放下 | 放下 | 够放 | 存得下 | 毫无压力 | 没压力 | 绰绰有余 | 完全够 | 够用 | comfortably
notfit = not fit | cannot hold | 放不下 | 装不下 | 存不下 | 塞不下 | oom | out of memory | 爆显存 | 不够放 | not fit into | runs out of memory | blow past | blows past | exceeds memory | exceed the memory | more than the card | does not go on | 超出显存 | 超过显存 | 撑爆 | 爆掉显存 | 爆内存 | 不够装 | 显存溢出 | 显存不足 | too big for | too large for | out of gpu memory
zerozero = 0 / 0 | 0 by 0 | 0 over 0 | 零除零 | 零除以零 | 0 除以 0 | 零比零 | 0 div by 0 | divide 0 by 0
useless = useless | 没用 | 无用 | 白做 | 没有用 | 没什么用 | no use | not help | 没有帮助 | 没有用处 | 不起作用 | no effect | makes no difference | 起不到作用 | 派不上用场 | 没意义 | no point | pointless
nolabel = no label | not label | without label | unlabelled | 没有标签 | 无标签 | 没标签 | 没有什么标签 | 不存在标签 | 不涉及标签
help = help | cure | solve | remedy | repair | 解决 | 缓解 | 有用 | 有帮助 | 帮助 | 改善 | 对付 | 治 | takes care of | deals with | addresses | relieve | alleviate | 改进 | 能缓解 | 减缓 | 治理
nearly = near | nearly | close to | almost | approach | 接近 | 趋近 | 趋近于 | 趋于 | 几乎 | 接近于 | 近乎
optional = optional | 可选 | 可有可无
causallowerright = causal lower right
harmless = 也可以 | 也行 | 可以接受 | harmless | no problem | does not matter | doesn't matter | fine | ok | okay | 没问题 | 没关系 | 无所谓 | 没影响 | 不影响 | 无害 | not matter | acceptable | 不要紧 | 无影响
enough = enough | suffice | sufficient | suffices | 足够 | 够 | 够了 | 就够 | 就够了 | 就行 | 即可 | 就可以
guarantee = guarantee | ensure | 保证 | 确保

同分布 = same distribution | identically distributed | identical distribution | identical distributions | 同一分布 | 同一个分布 | 相同分布 | 相同的分布 | 一样的分布 | one distribution
use = use | used | using | uses | 用 | 使用 | 采用 | 利用 | 运用
variance = variance | var | 方差 | 波动的平方 | squared fluctuation | squared spread
std = std | stddev | stdev | standard deviation | standard deviations | standard dev | sigma | 标准差 | standard devation | 标准偏差 | rms | fluctuation | 波动 | 波动幅度 | 波动大小
mean = mean | average | averag | avg | expectation | expected value | 均值 | 平均 | 平均值 | 期望 | 求平均 | 取平均 | mean value
weight = weight | weights | weighted | 权重 | 加权 | attention weight | attention weights | 注意力权重
1 = 100 percent | one hundred percent | hundred percent | 百分之百
weight mean = convex combination | convex sum | 凸组合
sqrt = sqrt | \\sqrt | square root | squareroot | root | 根号 | 平方根 | 开根号 | 开方 | 开根 | square-root | sqaure root
div = div | divide | division | divided | divide by | dividing by | divided by | scale by | scaled by | scaling by | normalise by | normalised by | 1 / | / | 1 over | one over | 除以 | 除 | 除掉 | 除上 | 除了 | 除个 | multiply by 1 / | multiplied by 1 / | \\frac 1 | \\frac | 乘以 1 / | 乘 1 / | 除过 | 用 1 / | divid | 缩放 1 / | scale 1 / | scaling 1 / | times 1 /
times = times | multiply | multiplied | multiplies | * | @ | 乘 | 乘以 | 乘上 | 相乘 | \\cdot | \\times | 再乘 | 左乘 | 右乘 | \\circ | \\odot
sum = 和为 | 和是 | 和等于 | 和恒为 | 和仍为 | 和还是 | 之和 | 和必须是 | 和必须为 | 和都是 | 和都为 | sum | add up | adds up | added up | summed | summation | 求和 | 加起来 | 相加 | 累加 | 总和 | 加和
minus = minus | subtract | subtraction | subtracting | take off | take away | 减去 | 减掉 | 减 | 先减 | substract
max = max | maximum | largest | max value | maximum value | largest value | 最大值 | 最大 | 最大的值 | row max | row maximum | 行最大值 | biggest
dk = d k | dk | d head | dhead | head dim | headdim | head dimension | head size | head width | dimension head | dim head | size head | width head | dimension each head | dim each head | dimension per head | dim per head | size each head | size per head | width each head | dimension one head | key dimension | key dim | dimension key | dimension keys | key size | key vector dimension | d sub k | d h | 头维度 | 头的维度 | 每个头的维度 | 每头维度 | 每头的维度 | 单个头的维度 | 单头维度 | 单头的维度 | 每个头维度 | key 维度 | key 的维度 | 键维度 | 键的维度 | 头的大小 | 头大小 | 头 dim | head 维度 | head 的维度 | head 的 dim | 每个 head 的维度 | 单个 head 的维度 | head channels | channels head | 头的宽度 | 向量维度 | d 下标 k | dee k | number channels head | channels one head | dimensions head
dv = d v | dv | value dimension | value dim | value size | size value | value 维度 | value 的维度 | 值的维度 | v 的维度
dmodel = d model | dmodel | model dimension | model dim | model size | model width | hidden size | hidden dimension | hidden dim | embedding dimension | embedding size | embed dim | width model | dimension model | full width | full model dimension | 模型维度 | 模型的维度 | 隐藏维度 | 模型宽度 | 总维度 | 整个模型的维度 | embedding 维度 | 隐层维度 | 模型总维度 | d 模型
softmax = softmax | soft max | 归一化指数 | soft-max
scale = scale | scaling | scaling factor | scale factor | 缩放 | 缩放因子 | 缩放系数 | 放缩 | scal factor | rescaling factor
logit = logit | logits | 逻辑值 | 对数几率
score = score | scores | 分数 | 打分 | 得分 | attention score | attention scores
gradient = gradient | grad | grads | 梯度
derivative = derivative | 导数
jacobian = jacobian | 雅可比 | 雅克比 | 雅可比矩阵 | jacobi
overflow = overflow | 溢出 | 上溢 | 上溢出 | 爆掉 | 爆 | blow up | blows up | exceed the range | exceeds the range | run over | 超过范围 | 超出表示范围 | 超上限 | 超出上限 | goes to inf
saturate = saturate | saturation | 饱和
peaked = peaked | peaky | sharp | sharper | spiky | pointy | one hot | onehot | 1 hot | 尖锐 | 很尖 | 尖 | 独热 | 尖峰 | 陡 | 陡峭 | winner take all | winner takes all | 一家独大 | concentrate | concentrated | 集中 | 变尖 | 太尖 | argmax | arg max | hardmax | hard max | winner-take-all | overconfident | 极端化 | 过于自信 | 极其尖锐 | 非常尖锐 | 太尖锐 | 尖锐化 | spike | degenerate | swallow all | swallows all | swallows everything | takes everything | take everything | grabs everything | hog | hogs | monopolise | monopolises | 独吞 | 独占 | 包揽 | 全拿走 | 一个 key 拿走
flat = flat | flatter | uniform | uniformly | evenly | smooth | smoother | flatten | 均匀 | 平坦 | 平滑 | 太平 | 偏平 | 变平 | 更平 | 很平 | 平缓 | 平均分配 | diffuse | washed out | overly smooth | spread out | evened out | 过于平均 | 平均化 | 平均 分布 | 均匀化 | 平摊 | 差不多平均 | 一样大 | spread evenly | spreads evenly | even handed | 平均用力 | 一视同仁 | 雨露均沾 | 摊平 | 撒得很开
vanish = vanish | disappear | die | dies | 消失 | go to 0 | goes to 0 | gone | 没了 | 消散
train = train | training | 训练 | 学习 | learn | learning | 训 | trained | training time | 训练阶段 | 训练时 | 训练的时候 | 训练期间 | 训练过程 | pick up during training | learnable | trainable | 可学习 | 可训练 | 学出来 | 训出来
inference = inference | infer | test time | serving | deployment | 推理 | 推断 | 预测时 | 部署 | at test time | when serving | when deployed | at generation time | 推理阶段 | 推理时 | 测试时 | 部署时 | 生成时 | 预测 | 推理的时候
ttft = ttft | time to first token | time to the first token | first token latency | first word | first token | 首 token | 首 token 延迟 | 首字延迟 | 首字 | 首词 | 第一个 token | 第一个词 | 首个 token | 首个词
tpot = tpot | time per output token | time per token | inter token latency | per token latency | gap between tokens | gap between words | time between tokens | 每个 token 的延迟 | 每 token 延迟 | token 间延迟 | 出字间隔 | 每个 token 的间隔 | 每个词的间隔 | 每 token 时间 | 吐字速度
decode = decode | decoding | second phase | generation phase | generation | generate | generating | 解码 | 生成 | writing tokens | write tokens | writing the answer | write the answer | writing the reply | spitting out tokens | spit out tokens | spitting out the reply | spitting out the answer | producing tokens | producing the answer | second stage | 写答案 | 往外写 | 往外蹦 | 蹦词 | 蹦字 | 吐 token | 吐词 | 逐字生成 | 第二阶段 | 出字阶段
prefill = prefill | pre fill | 预填充 | prompt processing | first phase | prompt phase | digest the prompt | digesting the prompt | digests the prompt | digest the question | digesting the question | processing the prompt | process the prompt | reading the prompt | reading in the prompt | read the prompt in | swallow the prompt | swallowing the prompt | ingest the prompt | ingesting the prompt | first stage | 读题 | 处理 prompt | 读 prompt | 处理提示词 | 读入 prompt | 提示词阶段 | 吃 prompt | 吃进 prompt | 第一阶段
mask = mask | masking | 掩码 | 遮罩 | 掩蔽 | 掩盖 | 屏蔽 | 遮住 | 遮掉 | 遮 | 遮挡 | 遮蔽 | masked out | mask out
causal = causal | autoregressive | look ahead | lookahead | 因果 | casual mask | 下三角 | 因果性 | causality | causality mask | 因果遮挡 | 因果遮罩 | autoregressive mask | 自回归
padding = padding | pad | padded | pad token | filler | 填充 | 补齐 | 补零 | 补的 | pads | pad tokens | pad positions | padding tokens | 填充位 | 填充位置 | padding 位置 | pad 位置 | blank tokens | 补位
q k = qk
q k v = qkv
qkt = q k transpose | qk transpose | q times k transpose | q @ k | q k ^ t | qk ^ t | q 乘 k 转置 | q 乘以 k 转置 | q 乘 k 的转置 | q 乘以 k 的转置 | qkt | q k ^ \\top | qk ^ \\top | query times key transpose | queries times keys transpose | q dot k transpose | q multiplied by k transpose | q with k transpose | qk 转置 | q k 转置
dot = dot product | dot products | inner product | inner products | q dot k | q times k | 点积 | 内积 | 点乘 | q · k | q * k
frac = 分 之
p p = pp
q = q | query | queries | 查询
k = k | key | keys | 键
v = v | value | values | 值
head = head | heads | 头 | 个头
row = row | rows | 行 | 一行
column = column | columns | 列
transpose = transpose | transposed | transposing | ^ t | ^ \\top | ^ transpose | permute | swap axes | swapaxes | swap the axes | swap two axes | 转置 | \\top | 换轴 | 交换维度 | 交换轴 | transposition
parameter = parameter | parameters | params | param | parameter count | number parameters | 参数 | 参数量 | 参数数量
flops = flop | flops | floating point operations | arithmetic | arithmetic operations | compute | computation | computational cost | compute cost | computations | operations | amount computation | 浮点运算 | 运算量 | 计算量 | 算力 | 计算开销 | 浮点运算量 | 浮点计算 | 计算成本 | 运算 | 运算次数 | computational work | amount of work | math | multiplication | multiplications | multiply adds | number operations | number of operations | floating point ops | arithmetic work | 运算次数 | 浮点数运算 | 乘加 | 计算次数 | 总计算量 | 计算代价 | 算术运算 | 乘加次数 | ops | 计算 | number of multiplications | multiplications | math units | math work | number crunching | amount of arithmetic | sums and products | 乘法次数 | 算术量 | 算的东西 | 乘法量 | 算的次数 | 计算的次数
complexity = complexity | time complexity | computational complexity | 复杂度 | 时间复杂度 | 计算复杂度
memory = memory | vram | gpu memory | memory use | memory usage | memory footprint | footprint | ram | 显存 | 内存 | 显存占用 | 内存占用 | 记忆体 | 存储 | space | storage | 空间 | 存储空间 | 显存开销 | 显存消耗 | memory cost | memory consumption | 内存开销
traffic = traffic | memory traffic | hbm traffic | hbm access | hbm accesses | memory access | memory accesses | i / o | io | memory io | reads writes | reads and writes | data movement | memory reads | 读写 | 访存 | 显存读写 | 显存访问 | hbm 读写 | hbm 访问 | 读写量 | 访存量 | 访问量 | 数据搬运 | hbm reads | read write | hbm 访存 | 显存访问量 | hbm 访问量 | hbm io | trips to hbm | trip to hbm | round trips to hbm | hbm 读写次数 | 读写次数 | hbm 往返 | 搬运 | 数据搬移 | hbm 的读写 | hbm 的读写次数 | 内存读写 | 显存的读写 | 对显存的读写 | memory transfers | hbm transfers | 显存带宽占用 | 显存读写量 | hbm 读写量 | reading writing hbm | reads writes to hbm
bandwidth = bandwidth | memory bound | memory bandwidth | bandwidth bound | 带宽 | 带宽受限 | 访存受限 | 访存瓶颈 | memory bus | memory speed | speed of memory | memory can not deliver | memory can't deliver | memory cannot keep up | memory can't keep up | waiting for memory | wait for memory | waits for memory | waiting on memory | waits on memory | wait on hbm | waiting on hbm | starved for data | 等内存 | 等显存 | 等数据 | 搬数据 | 数据搬不过来 | 喂不饱 | 显存速度 | 访存密集
quadratic = quadratic | quadratically | n squared | n square | n ^ 2 | o n ^ 2 | o n squared | s ^ 2 | s squared | l ^ 2 | l squared | t ^ 2 | square length | square sequence length | sequence length squared | length squared | squared length | 平方 | 平方级 | n 方 | n 平方 | n 的平方 | 长度平方 | 长度的平方 | 序列长度的平方 | 二次 | 二次方 | 平方级别 | n * n | o s ^ 2 | o l ^ 2 | o t ^ 2 | o n 平方 | o n 方 | n 2 | second power | order n squared | square | n to the second | length to the second | 平方增长 | 平方关系 | square of the sequence | 序列长度平方 | 长度平方 | 平方复杂 | four times as much | 4 times as much | 4 times as long | 翻四倍 | 变成四倍
linear = linear | linearly | o n | order n | o s | o l | 线性 | 线性级 | proportional to length | proportional to n | 线性增长 | 线性关系 | 正比于长度 | 和长度成正比 | linear in n | in step with the length | in step with length | goes with the length | along with the length | 成正比 | 正比
linear complexity = 线性复杂度 | linear complexity
quadratic complexity = 平方复杂度 | 二次复杂度
linearlayer = linear layer | nn linear | nn.linear | 线性层
linearattention = linear attention | 线性注意力
nlogn = o n log n | n log n
not quadratic = not scale quadratic | not scale quadratically | not grow quadratically
not linear = not scale linear | not scale linearly | not grow linearly
not same = not scale the same
approximate = approximate | approximation | approx | inexact | 近似 | 逼近 | slightly off | a little off | inaccurate | lossy | 有损 | 有一点误差 | 有误差 | 有点误差 | 略有误差 | 误差 | 不精确 | 粗略 | close estimate | estimate | ballpark | good enough guess | roughly equal | nearly the same result | 大差不差 | 差不太多 | 凑合
exact = exact | exactly | 精确 | 准确 | 严格等价 | lossless | 无损 | precisely | bit exact | 严格 | 毫无误差 | 没有误差 | no error at all
precision = precision | precise | accuracy | accurate | 精度 | 精准 | resolution
range = range | dynamic range | 范围 | 动态范围 | 取值范围 | 数值范围 | 表示范围
mantissa = mantissa | significant bits | significand | 尾数 | 有效位 | 尾数位 | fraction bits
exponent = exponent | exponents | exponent bits | 指数 | 指数位
bf16 = bf 16 | bfloat 16 | bfloat | brain float | brain float 16 | b f 16 | bf sixteen
fp16 = fp 16 | float 16 | half precision | half | f 16 | f p 16 | fp sixteen | 半精度
fp32 = fp 32 | float 32 | single precision | full precision | f 32 | f p 32 | 单精度 | 全精度
inf = inf | infinity | infinite | infinities | 无穷 | 无穷大 | 正无穷 | \\infty
minusinf = minus inf | minus infinity | negative infinity | negative inf | neg inf | 负无穷 | 负无穷大 | 负的无穷大 | - inf | - \\infty
nan = nan | nans | not a number | 非数 | 非数值
hbm = hbm | global memory | high bandwidth memory
sram = sram | shared memory | on chip | on chip memory | 片上 | 片上内存 | 共享内存 | 片上 sram
kvcache = kv cache | k v cache | key value cache | kv 缓存 | key value 缓存 | cache | 缓存
lse = lse | logsumexp | log sum exp | log sum exponent
flash = flashattention | flashattention 2 | flashattention 3 | flash attention | flash attn | flashattn | flash | fa 2 | fa 3 | fa2 | flash attention 2 | flash attention 3 | flash attention two
online = online softmax | streaming softmax | incremental softmax | 在线 softmax | online 的 softmax
running = running max | running maximum | 运行最大值 | 当前最大值 | running maxima
tile = tile | tiles | tiling | tiled | block | blocks | blocked | blockwise | 分块 | 按块 | 切块 | 块 | 一块一块 | chunk | piece | pieces | small pieces | bit by bit | little by little | 小块 | 小格子 | 格子 | 一小块一小块 | 小片
recompute = recompute | recomputation | recalculate | 重计算 | 重算 | 重新计算 | 重新算
backward = backward | backprop | backpropagation | back propagation | backward pass | 反向 | 反向传播 | 反传
forward = forward | forward pass | 前向 | 前向传播
layernorm = layernorm | layer norm | layer normalisation | layer normalization | rmsnorm | rms norm | 层归一化 | pre norm | ln
normalize = normalize | normalise | normal | 归一化 | 标准化 | 规范化
qknorm = qk norm | q k norm | qk normalisation | qk normalization | query key norm | query key normalization | query key normalisation | qknorm | qk 归一化 | qk layernorm | q k 归一化 | normalise q and k | normalise q k | normalize q k | norm on q and k
init = init | initial | initialise | initialize | initialisation | initialization | initialiser | 初始化 | 初始 | 初始时 | 开始训练
xavier = xavier | glorot
concat = concat | concatenate | concatenation | side by side | 拼接 | 拼起来 | 拼在一起 | 拼 | 串联 | 拼回 | 拼回去 | 连接 | 接起来
wo = w o | wo | output projection | output matrix | output linear | 输出投影 | 输出矩阵 | 输出线性层 | w out | out proj
wq = w q | wq | query projection | query 投影
wk = w k | wk | key projection
project = project | projection | linear map | linear transformation | 投影 | 线性变换 | 映射 | linear projection | 线性投影 | projections | linear projections | 投影矩阵 | 线性映射
subspace = subspace | 子空间
gqa = gqa | grouped query | grouped query attention | group query attention | 分组查询 | 分组查询注意力
mqa = mqa | multi query | multi query attention | multiquery | 多查询
mla = mla | latent attention | multi head latent attention | 潜在注意力
ring = ring attention | ring | 环形注意力 | 环形
contextparallel = context parallel | context parallelism | sequence parallel | sequence parallelism | 上下文并行 | 序列并行
dense = dense | full attention | 稠密 | 全注意力 | 完整注意力 | 稠密注意力 | dense attention
sparse = sparse | sparsity | sparse attention | 稀疏 | 稀疏注意力
window = window | sliding window | local attention | windowed | 滑动窗口 | 窗口 | 局部注意力 | 滑窗
label = label | labels | target | 标签
labelsmoothing = label smoothing | labelsmoothing | 标签平滑
crossentropy = cross entropy | crossentropy | 交叉熵
clipping = clipping | gradient clipping | clip | clip gradients | grad clipping | clip the gradients | 裁剪 | 梯度裁剪 | 梯度剪裁 | 剪裁
mup = mup | mu p | maximal update | 最大更新
outlier = outlier | outliers | 离群 | 离群值 | 异常值 | 离群激活 | 异常激活
position = position | positions | 位置
token = token | tokens | 词元
contiguous = contiguous | non contiguous | noncontiguous | 连续 | 连续内存 | adjacent | next to each other | in one piece | 挨着 | 相邻 | 紧挨着
silent = silent | silently | quietly | unnoticed | 悄悄 | 静默 | 默默 | 不声不响 | no error | without error | without an error | without any error | not raise | nothing crashes | not crash | no exception | not complain | not fail | runs fine | 不报错 | 不会报错 | 没有报错 | 不抛异常 | 没报错 | 也不报错 | 不崩溃 | 不会崩 | 没有任何报错 | no crash | no warning | no one notices | nobody notices | no complaint | not throw | 不会提醒 | 没有提示 | 没有任何提示 | 悄无声息 | 看起来正常 | 不会抛异常 | 察觉不到 | silently wrong | 不会出错 | 不出错 | no warning | without a warning | without any warning | no complaint | runs happily | 照跑不误 | 程序照跑 | 一声不吭 | 毫无提示
crash = crash | raise an error | raises an error | throws an error | throw an exception | shape error | shape mismatch | raise | error out | runtimeerror | 报错 | 会报错 | 抛异常 | 崩溃 | 形状不匹配 | 崩 | exception | 报异常 | shape mismatch error | runtime error | throw an error | throws an error | fails loudly | 运行时错误 | 会出错 | 直接出错 | 跑不起来 | 跑不通
axis = axis | axes | dim | dimension | 轴 | 维 | 维度
lastaxis = dim minus 1 | dim = minus 1 | axis = minus 1 | axis minus 1 | last dim | last dimension | 最后一维 | 最后一个维度 | 最后一轴 | 最后一个轴 | last axis | final axis | final dimension | 末维
variance 1 = unit variance | 单位方差
mean 0 = zero mean | 零均值 | centred | centered | zero averag
shape = shape | 形状 | shapes | size of the tensor | 维度大小
outer = outer product | p p transpose | pp transpose | p p ^ t | pp ^ t | pp^t | 外积
rowsum = rowsum | row sum | row wise sum | rowwise sum | sum over row | sum over the row | sum along the row | row sums | 行和 | 按行求和 | 每行求和 | 行求和 | 逐行求和 | sum each row
elementwise = elementwise | element wise | element by element | 逐元素 | 按元素 | hadamard
diagonal = diagonal | 对角 | 对角线 | 对角阵 | 对角矩阵
invariant = invariant | invariance | 不变性
shift invariant = 平移不变 | 平移不变性
shift = shift | 平移 | 错开 | 错开一位 | 错一位 | 错位一位 | 往后错 | 后移一位
shift invariant = translation invariant | translation invariance
constant = constant | 常数
cancel = cancel | cancels out | 抵消 | 约掉 | 消掉 | 约去
temperature = temperature | 温度
speed = speed | fast | faster | speed up | 快 | 速度 | 加速 | 更快 | 变快
slow = slow | slower | 慢 | 更慢 | 变慢 | 很慢
unstable = unstable | instability | less stable | 不稳定 | 不稳
stable = stable | stability | 稳定
topleft = top left | top left corner | upper left | upper left corner | 左上 | 左上角
bottomright = bottom right | lower right | 右下 | 右下角
sdpa = sdpa | scaled dot product attention | f.sdpa | f sdpa
pytorch = pytorch | torch
mha = multiheadattention | multihead attention | mha | nn mha
attend = attend | participate | take part | takes part | visible | 参与 | 能看 | 可以看 | 可见 | 允许
ignore = ignore | ignored | hide | hidden | block out | 忽略 | 无视
future = future | later positions | later tokens | later keys | 未来 | 后面的 | 之后的 | 后面的 token | 后面的位置 | what comes after | what comes later | upcoming | ahead of it | subsequent tokens | subsequent positions | following tokens | 未来的词 | 后文 | 后续 | 还没生成 | 将来 | future words | later words
leak = leak | leakage | peek | 泄漏 | 泄露 | 偷看
prune = prune | pruning | remove | 剪枝 | 剪掉 | 移除 | 删掉
redundant = redundant | redundancy | 冗余
specialise = specialise | specialize | specialisation | specialization | 分工 | 专门化 | 专长
rank = rank | 秩
head count = number heads | heads count | head count | num heads | n heads | 头数 | 头的数量 | 头的个数 | 头数量
layer = layer | layers | 层
depends = depend | depend on | depends on | 取决于 | 依赖
"""

PLAIN = """
序列 前提 大小 数值 矩阵 注意力 输出 输入 成立 对齐 必要条件 先决条件 前置条件 前提条件 分布 同分布 来源 尺度 幅度 量级 正态 高斯 元素 分量 分子 分母
因子 函数 核函数 随机特征 特征 低秩 单头 公式 结果 输出层 概率 检查 测试 断言 验证 对比 比较 扰动 打乱 混淆 混在一起 混合 通道 展平 步长 拷贝 复制 数据 代价 整段
偏移 末尾 开头 极性 约定 含义 布尔 加性 唯一 正确 选择 论文 附录 证明 完整 消融 实验 脚注 怀疑 猜测 表达能力 容量 变长 主要 重要 影响 说明 表示 关注 模式 关系 效果
阶段 长度 字节 单卡 起点 极端 默认 时间 空间 上限 下限 激活 区间 方法 办法 算法 步骤 单步 逐步 自己 各自 多数 少数 大部分 过程 收敛 现象 语法 语义 固定 负责 切成 切分
一段 合并 内容 空行 最小值 随机 普通 改变 生成 保存 物化 落地 写回 信息 卡 倍 翻倍 增量 误差 牺牲 粗糙 全局 恢复 回到 拉回 返回 得到 变成 成为 学不动 学不会
相关 互不 相互 项 一项 之和 之积 累积 无穷多 数量 个数 多少 至少 至多 最多 最少 以内 以外 不超过 超过 大多 大多数 关键 必要 作用 目的 原因 意义 本质 情况 条件 假设
语言 模型 大模型 网络 参数化 实现 朴素 朴素实现 标量 向量 张量 形状 单位 正数 负数 非正 非负 正负 权衡 取舍 上下 左右 中间 最后 最终 首先 其次 另外 此外 头部 尾部 行列 列表
行为 进行 执行 并行 流行 一致性 前后 前者 后者 以后 今后 后果 然后 前面 后面 提前 目前 当前 大量 大幅 大约 大概 小心 多样性 多样 至多 减法 加法 乘法 除法 除非 除此之外 时间步
大家 各种 多算 少算 调整 调大 调小 外推 乘上 加上 训练后 不断 不稳 不等长 不等 不足 不妨 不少 不错 没错 一定程度 一方面 另一 唯一解 统一 均匀分布 平均数 平均分 无论如何 全都 全体 完美 清零 置零 归零 补零 置 0 输出 0 返回 0
"""
"""Chinese words that stand for themselves, so that no shorter word is seen inside them."""

GLUE = """
来说 可以说 就是说 具体来说 一般来说 总的来说 换句话说 说白了 也就是说 简单来说 严格来说 对我来说 比如说 举例来说 用来 着 is are was were be been being am become becomes became get gets got getting give gives gave given make makes made
equal equals = turn turns come comes came go goes went about roughly around approximately quite very really
basically completely it this that these those they them we you i one's its their our your my there here what who whose how why
for by in at on to with will would can could may might shall do does did done have has had having then now again
even well much such some stay stays remain remains and or plus both via into onto from 是 为 等于 变成 成为 会 就 还 再 又 把 被 让
使 使得 令 给 对 在 从 到 于 与 和 跟 及 以及 而 则 便 可 可以 能 能够 可能 大约 大概 约 差不多 正好 刚好 恰好 左右 保持 维持 有 这 那 它 它们 我们 你 我 他 其 这个 那个 这样 那样 进行
做 因 以 所 即 也就是 就是 也就是说 比如 例如 得 得到 上 中 内 来 去 起 下 变 变得 变为 一个 个 种 一种 时的 已 仍 仍然 依然 依旧 还是 都会   呢 吧 啊 嘛 其中 并 并且 且 而且
等等  较 更 很 太 非常 十分  特别 still fairly rather somehow somewhat um uh er hmm too also 也 都 as 完全 根本 本来 本身 其实就 大致 基本
基本上   当然 首要 确实 只不过 那种 这种 每一种 一下 一些 有些 有的 某 了吗 里面 里边 时刻 any like 会不会  是指 指 说 自然 就会 才会 则会 便会 都是 也是 不过是 变得很
 通过
"""
"""Words that may stand anywhere inside a phrase."""

BARE = frozenset(
    "is are was were be been being am become becomes became equal equals it this that these those they we you i our your my do does did "
    "would will can could may might have has had a and or = is 是 为 等于 变成 成为 会 就 变 变得 变为 与 和 及 也就是 就是 有 让 使 得 "
    "very really quite 很 非常 十分 give gives make makes get gets 给".split()
)
"""Glue that says nothing: a phrase of one name and bare glue is the name alone, ("is diagonal"); of a phrase like "still
trains" some of the glue must stand beside the name."""

STILL = frozenset("still 还是 仍 仍然 依然 依旧".split())
"""Glue without which a phrase says less: "still two gigabytes" is wrong where "two gigabytes" is right."""

DROPPED = frozenset("the a an of 的 了 地 嗯 呃 啦 哦".split())
"""Words that are read over altogether."""

JOINTS = frozenset("and or 和 与 及 以及 或 跟 both".split())

OPPOSITES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "grows": (frozenset({"increase", "large", "more"}), frozenset({"reduce", "small", "less"})),
    "shrinks": (frozenset({"reduce", "small", "less"}), frozenset({"increase", "large", "more"})),
    "unchanged": (frozenset({"same"}), frozenset({"increase", "large", "more", "reduce", "small", "less"})),
    "before": (frozenset({"before", "first"}), frozenset({"after"})),
    "after": (frozenset({"after"}), frozenset({"before", "first"})),
}
"""For each direction that has names of its own, those that say it and those that say the contrary."""

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

MOVABLE = frozenset({"increase", "reduce", "large", "small", "more", "less", "same", "nodepend", "quadratic", "linear"})
"""Names that may stand on either side of what they are said of: "fewer FLOPs", "FLOPs are reduced"."""

RIVALS: tuple[frozenset[str], ...] = tuple(
    frozenset(line.split())
    for line in (
        "memory flops traffic complexity speed kvcache parameter score",
        "variance mean std",
        "train inference",
        "prefill decode",
        "causal padding",
        "row column",
        "flash gqa mqa mla ring window performer linformer",
        "sdpa mha flash",
        "topleft bottomright",
        "overflow saturate",
    )
)
"""Names that compete for a statement: in "memory is linear, FLOPs are quadratic" nothing is said of linear FLOPs."""

RIVALS_OF: dict[str, frozenset[str]] = {}
"""For each name those that compete with it for a statement."""
for _rivals in RIVALS:
    for _name in _rivals:
        RIVALS_OF[_name] = RIVALS_OF.get(_name, frozenset()) | (_rivals - {_name})

NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS = {
    word: 10 * number
    for number, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}

SAYING = frozenset(
    "increase reduce large small more less same nodepend before after without first only all each mask save head".split()
)
"""Names that rows of keywords may have too, but sentences more often."""

_VERBS = """
leave start fill hold take put run keep read write look see want return add split join change move come set call count
share allow show tell know think work matter cost happen follow lead cause produce yield bring drive use let say mean
stop begin end find check calculate belong apply compete collapse depend shrink widen learn contain mix store sit pass
lose trade serve act differ require hide point
not need should depends attend ignore prevent help harmless fit notfit change guarantee
剩 留 落 算 做 加 填 管 靠 看 取 存 带 放 给 返回 得到 变成 成为 说明 表示 影响 解决 控制 保持 产生 导致 引起 出 过 省 查
换 拿 走 收 增 叫 怕 像 由 比 越 能 决 定 共 正 成 拷 才 请 凑 只能 就行 enough harmless useless same change help
"""
VERBS = frozenset(stem(verb) for verb in _VERBS.split()) | frozenset(_VERBS.split())
"""Verbs, under the names that they are read by: a row of keywords has none."""
