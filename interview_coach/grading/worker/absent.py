"""Modules that a submission imports and that are not here: they may be mentioned while it loads, never used after.

Attention in a file of a repository seldom needs all that the file imports. What is missing is replaced by a
placeholder, so that the rest can be graded; code that does use it raises what the import would have raised.
"""

from __future__ import annotations

import ast
import importlib.machinery
import importlib.util
import sys
from collections.abc import Iterator, Sequence
from types import FunctionType, ModuleType
from typing import Any, NoReturn

_COMMON = """
    accelerate addict albumentations altair anthropic apex attr attrs beartype bitsandbytes botorch clearml
    click colorama comet_ml cv2 dask datasets deepspeed dgl diffusers easydict fairscale fairseq fastapi fire
    flash_attn ftfy fvcore gdown gensim GPUtil gpytorch gradio gym gymnasium h5py huggingface_hub hydra imageio
    ipdb IPython ipywidgets jaxtyping joblib jsonlines keras_preprocessing kornia librosa lightning
    lightning_fabric lmdb loguru lpips matplotlib ml_collections mlflow mmcls mmcv mmdet mmengine mmpretrain
    mmseg monai more_itertools msgpack neptune nibabel nltk omegaconf onnx onnxruntime open_clip openai openvino
    optuna orjson pandas peft PIL plotly polars prettytable psutil ptflops pyarrow pydantic pynvml pytest
    pytorch_lightning pytorch_msssim ray regex requests rich sacrebleu sacremoses safetensors scipy seaborn
    sentencepiece SimpleITK skimage sklearn soundfile spacy streamlit tabulate tensorboard tensorboard_logger
    tensorboardX tensorflow_datasets termcolor thop tifffile tiktoken timm tokenizers toolz torch_cluster
    torch_geometric torch_scatter torch_sparse torchaudio torchdata torchinfo torchmetrics torchsummary
    torchtext torchtyping torchvision tqdm transformers typeguard ujson visdom wandb warmup_scheduler xformers
    yacs yaml zarr
"""
"""Packages whose import is ordinary in such a file, also where nothing in it uses them."""

_REPORTERS = frozenset({"labml", "loguru", "tensorboardX", "wandb"})
"""Packages that only tell of what goes on: calling them changes nothing."""

SIBLINGS = "submission_package"
"""The package that a submission's own folder is to it."""

_loading: list[str] = []
"""Holds something while a file is being loaded."""


class Absent:
    """What stands for a missing module and everything in it."""

    def __init__(self, module: str) -> None:
        self._module = module

    def _miss(self, *_: object, **__: object) -> NoReturn:
        root = self._module.partition(".")[0]
        name = self._module if root == SIBLINGS else root
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    def _mention(self) -> Absent:
        return Absent(self._module) if _loading or self._module.partition(".")[0] in _REPORTERS else self._miss()

    def __getattr__(self, name: str) -> Any:
        if name == "_module":
            raise AttributeError(name)  # of a copy that is being made
        return _attribute(self._module, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(()) if _loading else self._miss()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _loading and len(args) == 1 and not kwargs and isinstance(args[0], type | FunctionType):
            return args[0]  # a decorator
        return self._mention()

    def __getitem__(self, _: object) -> Absent:
        return self._mention()

    def __or__(self, _: object) -> Absent:
        return self._mention()

    __ror__ = __or__

    def __mro_entries__(self, bases: tuple[object, ...]) -> tuple[type, ...]:
        return (type("Absent", (), {"__new__": lambda *_, **__: self._miss(), "__init_subclass__": _any_keywords}),)

    def __instancecheck__(self, _: object) -> bool:
        return False


for _operation in ("bool", "len", "next", "enter", "float", "int", "index", "add", "sub", "mul", "matmul", "lt", "ge"):
    setattr(Absent, f"__{_operation}__", Absent._miss)


@classmethod  # type: ignore[misc]
def _any_keywords(cls: type, **_: object) -> None:
    """Take the keywords of a class statement."""


def _attribute(module: str, name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    torch = sys.modules.get("torch")
    if torch is not None and name in _SUPPLIED:
        return _SUPPLIED[name](torch)
    return Absent(module)._mention()


def _drop_path(torch: Any) -> type:
    class DropPath(torch.nn.Identity):  # type: ignore[misc]
        """Stochastic depth, which does nothing in eval mode."""

    return DropPath


_SUPPLIED: dict[str, Any] = {
    "trunc_normal_": lambda torch: torch.nn.init.trunc_normal_,
    "DropPath": _drop_path,
    "LightningModule": lambda torch: torch.nn.Module,
    "to_2tuple": lambda torch: lambda x: tuple(x) if isinstance(x, list | tuple) else (x, x),
}
"""Names that mean one thing wherever they come from."""


class _AbsentModule(ModuleType):
    def __getattr__(self, name: str) -> Any:
        return _attribute(self.__name__, name)


class Finder:
    """Finds placeholders for the modules of ``names``, and for all within them."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Find ``fullname``, which nothing else found."""
        if any(fullname == name or fullname.startswith(f"{name}.") for name in self.names):
            loader: Any = self  # importlib.abc, whose loaders are named so, takes long to import
            return importlib.machinery.ModuleSpec(fullname, loader, is_package=True)
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """An empty module."""
        return _AbsentModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing to run."""


class Placeholders:
    """Placeholders for what ``tree`` imports and lacks; they may be mentioned within the ``with`` statement."""

    def __init__(self, tree: ast.Module, package: str) -> None:
        self.names = list(_missing(tree, package))

    def __enter__(self) -> None:
        _loading.append("")
        if self.names:
            sys.meta_path.append(Finder(self.names))

    def __exit__(self, *_: object) -> None:
        _loading.clear()


def _missing(tree: ast.Module, package: str) -> Iterator[str]:
    """Modules that cannot be found, of imports that nothing guards but an exit.

    A package that nobody knows, imported as a whole and never used, is rather a mistake of the file.
    """
    used: set[str] | None = None
    for node in _imports(tree.body):
        for name, bound in _modules(node, package):
            if _is_there(name):
                continue
            if used is None:
                used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
            if isinstance(node, ast.ImportFrom) or name in _COMMON.split() or used & bound:
                yield name


def _imports(body: Sequence[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    for node in body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If):
            yield from _imports([*node.body, *node.orelse])
        elif isinstance(node, ast.Try) and any(_gives_up(handler.body[-1]) for handler in node.handlers):
            yield from _imports(node.body)


def _gives_up(node: ast.stmt) -> bool:
    """Whether a statement ends the program: ``raise``, or a call of ``exit``."""
    call = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    name = call.id if isinstance(call, ast.Name) else call.attr if isinstance(call, ast.Attribute) else ""
    return isinstance(node, ast.Raise) or name in ("exit", "quit", "_exit")


def _modules(node: ast.Import | ast.ImportFrom, package: str) -> Iterator[tuple[str, set[str]]]:
    """Modules that a statement needs, with the names that it binds: packages by their root, siblings by their path."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            root = alias.name.partition(".")[0]
            yield root, {alias.asname or root}
        return
    bound = {alias.asname or alias.name for alias in node.names}
    if not node.level:
        yield (node.module or "").partition(".")[0], bound
    elif package and node.level <= package.count(".") + 1:
        base = package.rsplit(".", node.level - 1)[0]
        if node.module:
            yield f"{base}.{node.module}", bound
        else:
            yield from ((f"{base}.{alias.name}", {alias.asname or alias.name}) for alias in node.names)


def _is_there(name: str) -> bool:
    if name in sys.modules or name in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError, AttributeError):
        return False
