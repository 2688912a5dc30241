"""Labs: what they measure, that they can be repeated, and that they fit the terminal in both languages."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
import time

import pytest

from interview_coach.labs import labs
from interview_coach.page import Page, display_width, wrap
from interview_coach.text import LANGUAGES, Language, Text

REQUIRED = {
    *("entropy", "variance", "jacobian", "gradients", "limits", "overflow", "memory", "flops", "softmax-examples"),
    *("masks", "online-softmax", "backward", "kv-cache", "io", "init", "rank", "smoothing", "mup"),
}

# Value, expected, tolerance: measured independently with 1000 seeds, or exact.
FACTS = {
    "entropy": [
        ("scaled.d16.mean", 4.125, 0.012),
        ("scaled.d64.mean", 4.123, 0.01),
        ("scaled.d256.mean", 4.122, 0.01),
        ("scaled.d1024.mean", 4.122, 0.01),
        ("raw.d16.mean", 1.544, 0.04),
        ("raw.d64.mean", 0.639, 0.025),
        ("raw.d256.mean", 0.284, 0.016),
        ("raw.d1024.mean", 0.137, 0.012),
        ("raw.d16.std", 0.087, 0.03),
        ("inv_d.d64.mean", 4.5974, 0.001),
        ("log_d.d64.mean", 3.094, 0.03),
        ("log_d.d1024.mean", 1.228, 0.04),
        ("scaled.d64.max_weight", 0.081, 0.003),
        ("raw.d64.max_weight", 0.776, 0.02),
    ],
    "variance": [
        ("raw.d16.var", 16, 0.7),
        ("raw.d64.var", 64, 1.6),
        ("raw.d1024.var", 1024, 15),
        ("scaled.d128.var", 1, 0.03),
        ("inv_d.d64.std", 0.125, 0.002),
        ("log_d.d64.var", 3.70, 0.1),
        ("raw.d64.within_three_std", 0.9968, 0.001),
        ("product.mean_half.var", 1.5, 0.02),
        ("correlated.d64.mean", 19.2, 0.4),
        ("correlated.d64.var", 69.76, 5),
    ],
    "jacobian": [
        ("std0.125.mean_norm", 0.100, 0.002),
        ("std1.mean_norm", 0.151, 0.004),
        ("std8.mean_norm", 0.212, 0.015),
        ("std32.mean_norm", 0.074, 0.015),
        ("keys2.saturated", 0.68, 0.03),
        ("keys100.max_weight", 0.777, 0.03),
        ("keys4096.max_weight", 0.668, 0.05),
        ("two_way.max_entry", 0.25, 0),
    ],
    "gradients": [
        ("scaled.d64.dq_norm", 12.2, 0.5),
        ("raw.d64.dq_norm", 172.8, 12),
        ("inv_d.d64.dq_norm", 1.0, 0.03),
        ("log_d.d64.dq_norm", 38.9, 2),
        ("scaled.d64.ds_median", 2.9e-2, 1e-3),
        ("raw.d64.ds_median", 1.2e-8, 5e-9),
        ("raw.d1024.dq_norm", 1612, 250),
        ("raw.d64.top1_share", 0.76, 0.03),
    ],
    "limits": [
        ("fp16.max", 65504, 0),
        ("fp16.exp_overflow", 11.0899, 1e-4),
        ("fp16.exp_last_finite", 11.0859375, 0),
        ("fp16.exp_first_inf", 11.09375, 0),
        ("fp16.exp_at_last_finite", 65248, 0),
        ("fp16.exp_underflow", -17.33, 0.005),
        ("fp16.min_subnormal", 5.96e-8, 1e-10),
        ("bf16.max", 3.3895e38, 1e34),
        ("bf16.exp_overflow", 88.7189, 1e-4),
        ("fp32.exp_overflow", 88.7228, 1e-4),
        ("bf16.step_at_50", 0.25, 0),
        ("fp16.step_at_50", 0.03125, 0),
        ("bf16.256_plus_1", 256, 0),
        ("fp16.2048_plus_1", 2048, 0),
        ("fp32.exp100_is_inf", 1, 0),
    ],
    "overflow": [
        ("inf_share.d64.rms1", 0, 0),
        ("inf_share.d64.rms10", 0, 0),
        ("inf_share.d64.rms45", 1e-4, 1e-4),
        ("inf_share.d64.rms60", 0.0255, 0.005),
        ("nan_rows.d64.rms60", 0.89, 0.05),
        ("inf_share.d128.rms45", 0.0045, 0.0015),
        ("nan_rows.d128.rms45", 0.40, 0.08),
        ("scale_first.d64.rms60", 0, 0),
        ("split_scale.d64.rms60", 0, 0),
        ("bf16.d64.rms60", 0, 0),
        ("cast_back.d64.rms60", 0.0255, 0.005),
        ("error.fp16.d64.rms45", 3.9, 0.5),
        ("error.bf16.d64.rms45", 33, 6),
        ("aligned.d64.rms", 32, 0.05),
        ("aligned.d128.rms", 22.6, 0.05),
    ],
    "memory": [
        ("single.fp16.mib", 128, 0),
        ("scores.b1h32.fp16.gib", 4, 0),
        ("scores.b32h32.fp32.gib", 256, 0),
        ("training.l32h32.p_fp16.gib", 128, 0),
        ("training.l32h32.five_bytes.gib", 320, 0),
        ("lse.per_head.kib", 32, 0),
        ("lse.l32h32.mib", 32, 0),
        ("fill80.n.h1", 207_243, 1),
        ("fill80.n.h32", 36_635, 1),
        ("fill80.batch_without_heads", 640, 0),
    ],
    "flops": [
        ("attention.h1", 134_217_728, 0),
        ("attention.h32", 134_217_728, 0),
        ("score_entries.h32", 2_097_152, 0),
        ("backward_ratio.h8", 2, 0),
        ("backward_recompute_ratio.h8", 2.5, 0),
        ("crossover_n.d512", 1024, 0),
        ("linear_attention.n400d32", 1_638_400, 0),
    ],
    "softmax-examples": [
        ("soft.p0", 0.6285, 1e-4),
        ("soft.p1", 0.2312, 1e-4),
        ("soft.p2", 0.1402, 1e-4),
        ("soft.entropy", 0.906, 1e-3),
        ("soft.jacobian_norm", 0.401, 1e-3),
        ("sharp.p1", 5.603e-9, 1e-12),
        ("sharp.jacobian_max", 9.0e-9, 1e-10),
        ("four.p0", 0.5745, 1e-4),
        ("naive100.nan_count", 2, 0),
        ("stable100.p0", 0.731, 1e-3),
        ("shift1000.max_diff", 0, 1e-15),
    ],
    "masks": [
        ("full_row.neg_inf.nan_share", 1, 0),
        ("full_row.neg_1e9.weight", 0.25, 0),
        ("full_row.v_grad_nan_share", 1, 0),
        ("fp16.neg_1e9_is_inf", 1, 0),
        ("fp16.additive.kept_is_nan", 1, 0),
        ("causal.sq1_sk4.bottom_right_keys", 4, 0),
        ("causal.sq1_sk4.top_left_keys", 1, 0),
    ],
    "online-softmax": [("block32.max_error", 0, 1e-14), ("block1.max_error", 0, 1e-14), ("merge.max_error", 0, 1e-14)],
    "backward": [
        ("dq.max_error", 0, 1e-14),
        ("dk.max_error", 0, 1e-14),
        ("dv.max_error", 0, 1e-14),
        ("ds.max_row_sum", 0, 1e-14),
        ("p_minus_y.cosine", 0, 0.1),
    ],
    "kv-cache": [
        ("llama2_7b.kib_per_token", 512, 0),
        ("llama2_7b.gib_at_4096", 2, 0),
        ("llama2_70b.kib_per_token", 320, 0),
        ("gqa.llama2_70b.ratio", 8, 0),
        ("mla.kib_per_token", 67.5, 0),
        ("mla.ratio", 57, 0.2),
        ("mla.gqa_groups", 2.25, 0),
        ("opt_13b.kib_per_token", 800, 0),
        ("decode.max_error", 0, 1e-14),
    ],
    "io": [("n1024.ratio", 13.3, 0.05), ("n4096.ratio", 12.7, 0.05), ("n16384.ratio", 12.5, 0.05)],
    "init": [
        ("xavier_square.logit_var", 1.0, 0.06),
        ("xavier_per_head.var_q", 1.78, 0.03),
        ("xavier_per_head.logit_var", 3.16, 0.2),
        ("torch_mha.logit_var", 0.25, 0.015),
        ("torch_linear.logit_var", 0.111, 0.008),
        ("normal002.logit_var", 0.042, 0.003),
        ("normal1.logit_std", 515, 20),
        ("t5.unscaled_logit_var", 1.0, 0.08),
        ("cross.memory_std4.raw.logit_std", 4.02, 0.2),
        ("cross.memory_std4.layer_norm.logit_std", 1.0, 0.05),
        ("qk_norm.logit_std", 1.0, 0.01),
        ("qk_norm.bound", 11.31, 0.01),
        ("softcap50.at_100", 48.2, 0.01),
        ("scale_in_w_q.max_diff", 0, 0),
    ],
    "rank": [
        ("scores.rank", 16, 0),
        ("softmax.rank", 200, 0),
        ("linear.reorder_max_error", 0, 1e-14),
        ("linear.vs_softmax_max_diff", 0.5, 0.2),
    ],
    "smoothing": [
        ("cross_entropy.p_minus_y.max_error", 0, 1e-15),
        ("confident_right.grad0", -0.01, 1e-6),
        ("confident_wrong.grad0", 0.99, 1e-6),
        ("attention.slope_at_0.99", 0.0099, 1e-9),
        ("smoothed.optimal_gap.k37000", 12.7, 0.05),
        ("clip.small", 9e-9, 1e-15),
    ],
    "mup": [
        ("correlated.d64.mean", 19.2, 0.4),
        ("correlated.d1024.sqrt_d.mean", 9.6, 0.1),
        ("correlated.d256.inv_d.mean", 0.3, 0.005),
        ("mup_factor.d64", 0.125, 0),
    ],
    "positions": [("rope.same_offset.max_diff", 0, 1e-12), ("rope.norm_ratio", 1, 1e-12), ("alibi.h8.slope1", 0.5, 0)],
}
CASES = [(lab, *fact) for lab, facts in FACTS.items() for fact in facts]


def test_every_required_lab_is_there() -> None:
    assert set(labs()) >= REQUIRED
    assert set(labs()) == set(FACTS)


@pytest.mark.parametrize(("lab", "value", "expected", "tolerance"), CASES, ids=str)
def test_lab_reproduces_the_known_number(lab: str, value: str, expected: float, tolerance: float) -> None:
    assert labs()[lab].values()[value] == pytest.approx(expected, rel=1e-12 if not tolerance else 0, abs=tolerance)


@pytest.mark.parametrize("lab_id", labs())
def test_values_are_finite_named_and_the_same_again(lab_id: str) -> None:
    lab = labs()[lab_id]
    module = importlib.import_module(f"interview_coach.labs.experiments.{lab_id.replace('-', '_')}")
    first = dict(lab.values())
    module.measure.cache_clear()
    started = time.process_time()
    again = dict(lab.values())
    assert time.process_time() - started < 4, "a lab takes under a second on an idle core"
    assert first == again
    assert all(math.isfinite(value) for value in first.values())
    assert all(name == name.strip() and " " not in name for name in first)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lab_id", labs())
def test_page_fits_and_is_complete(lab_id: str, language: Language) -> None:
    lab = labs()[lab_id]
    for width in (80, 50, 40):
        page = lab.render(language, width)
        assert max(display_width(line) for line in page.split("\n")) <= width
        assert page.startswith(lab.title.get(language)[:10])
        assert "\x1b" not in page
    assert lab.summary.en != lab.summary.zh
    assert any("\u4e00" <= char <= "\u9fff" for char in lab.render("zh", 80))
    assert not any("\u4e00" <= char <= "\u9fff" for char in lab.render("en", 80))


def test_color_is_used_unless_no_color_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[1m" in labs()["entropy"].render("en", 80, True)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in labs()["entropy"].render("en", 80, True)


def test_chart_puts_each_mark_on_its_row() -> None:
    page = Page("en", 60)
    page.chart({"a": [0.0, 3.0]}, ["16", "64"], {"a": Text("up", "升")}, height=4)
    lines = page.text().split("\n")
    assert lines[0].startswith("3.0 |") and lines[0].endswith("o")
    assert lines[3].startswith("0.0 |  o")
    assert lines[5].split() == ["16", "64"]
    assert lines[6] == "o up"


def test_table_becomes_records_where_it_is_too_wide() -> None:
    page = Page("zh", 40)
    page.table(["d", Text("mean", "均值"), "x" * 40], [["16", "4.1", "y"]])
    assert page.text().split("\n") == ["d: 16", "  均值: 4.1", "  " + "x" * 36, "    xxxx: y"]


def test_wrap_counts_columns_and_keeps_punctuation_with_its_word() -> None:
    lines = wrap("一二三四五。六七（八）九十", 10)
    assert lines == ["一二三四", "五。六七", "（八）九十"]
    assert wrap("one two three", 7) == ["one two", "three"]
    assert display_width("e\u0301中a") == 4


def test_ids_cost_no_numpy_and_a_lab_imports_alone() -> None:
    code = (
        "import sys; from interview_coach.labs import labs; assert 'entropy' in labs() and 'nope' not in labs();"
        "assert 'numpy' not in sys.modules; labs()['memory'];"
        "assert 'interview_coach.labs.experiments.entropy' not in sys.modules; assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
