"""The process that runs one submission: it answers the parent's frames until the parent is gone."""

from __future__ import annotations

import contextlib
import importlib
import itertools
import os
import socket
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from interview_coach.grading import wire
from interview_coach.grading.protocol import BESIDE, ModuleState, Ref, Tensor, counted
from interview_coach.grading.worker import confine, instruments, library, loading, objects, poison, values
from interview_coach.grading.worker.faults import Fault, describe
from interview_coach.grading.worker.state import GlobalState, take_turn

FILE_BYTES = 256 * 2**20
JOINED = 2**17


def settle(request: dict[str, Any]) -> None:
    """Confine this process as ``request`` says: folder, environment, resources, privileges."""
    folder = request["folder"]
    os.chdir(folder)
    os.environ |= {"HOME": folder, "TMPDIR": folder, "TEMP": folder, "TMP": folder, "PWD": folder}
    confine.limit_resources(request["memory_bytes"], request["cpu_s"], FILE_BYTES)
    confine.drop_privileges()


class Guest:
    """A submission, the results kept of it, and the frames that ask for more."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._kept: dict[int, Any] = {}
        self._module = self._beside = ModuleType("submission")
        self._filename = ""
        self._result_bytes = 0
        self._state: GlobalState | None = None
        self._without: list[str] = []
        self._kernels: Any = None
        if hasattr(os, "register_at_fork"):
            # A copy that the submission makes of itself must not answer in its place.
            os.register_at_fork(after_in_child=channel.close)

    def serve(self) -> None:
        """Answer until the channel closes, then end this process at once, whatever still runs in it."""
        try:
            while True:
                header, body = self._receive()
                self._answer(header, body)
        except OSError:
            pass
        os._exit(0)

    def _answer(self, header: dict[str, Any], body: bytearray) -> None:
        encoder = wire.Encoder()
        answer: dict[str, Any]
        try:
            answer = _OPERATIONS[header["op"]](self, header, wire.Decoder(body), encoder)
        except Fault as fault:
            answer = {"failure": fault.form()}
        except BaseException as error:  # the submission may raise anything
            answer = {"failure": describe(error, self._filename, "raised").form()}
            del error
        if encoder.size > self._result_bytes:
            answer = {"failure": Fault("huge", size=encoder.size >> 20, limit=self._result_bytes >> 20).form()}
        if "failure" in answer:
            encoder.buffers = []
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(BaseException):
                stream.flush()
        answer["seq"] = header["seq"]
        pieces = wire.pack(answer, encoder.buffers)
        for piece in [b"".join(pieces)] if encoder.size <= JOINED else pieces:
            self._channel.sendall(piece)

    def _receive(self) -> tuple[dict[str, Any], bytearray]:
        header, body = wire.unpack_prefix(self._read(wire.PREFIX.size), 2**40)
        return wire.unpack_header(self._read(header)), self._read(body)

    def _read(self, size: int) -> bytearray:
        data = bytearray(size)
        view, got = memoryview(data), 0
        while got < size:
            count = self._channel.recv_into(view[got:])
            if count == 0:
                os._exit(0)
            got += count
        return data

    def _load(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        source = header["source"]
        self._filename, self._result_bytes = source["filename"], header["result_bytes"]
        values.use_device(source["device"])
        if "triton" in header["modules"] and source["device"] == "cpu":
            from interview_coach.grading.worker import triton_cpu

            self._kernels = triton_cpu.prepare(self._filename)
        poison.fill_new_arrays("torch" in header["modules"])
        if "torch" in header["modules"] and source["device"] == "cpu":
            from interview_coach.grading.worker import torch_state

            torch_state.run_uncompiled()
        if "random" in source["text"]:
            # Loaded now, so that its generator can be seeded before the first call.
            importlib.import_module("numpy.random")
        self._state = GlobalState()
        self._state.restore()
        last = next(reversed(sys.modules))
        try:
            self._module, left_out = loading.load(source["text"], self._filename, source["folder"])
        finally:
            self._state.restore()
        self._without = source["without"]
        imported = {name for name in ("torch", "triton") if name in header["modules"] or self._imports(name, last)}
        return {"info": loading.describe_module(self._module, source["text"], imported, left_out)}

    def _load_beside(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        """Load a second module, to be called in turn with the submission once all that decides has been asked."""
        self._beside = loading.load_beside(header["text"], header["filename"])
        return {"info": loading.describe_module(self._beside, header["text"], set())}

    def _imports(self, name: str, last: str) -> bool:
        """Whether loading imported a package, or modules that had imported it earlier; ``last`` came before.

        The modules of before are not looked at: each one touched is a page that this process must copy.
        """
        package = sys.modules.get(name)
        names = list(itertools.takewhile(lambda key: key != last, reversed(sys.modules)))
        new = [sys.modules[key] for key in names if key in sys.modules]
        return package is not None and any(
            module is package or any(value is package for value in list(vars(module).values()))
            for module in new
            if isinstance(module, ModuleType)
        )

    def _call(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        assert self._state is not None
        given = values.Arguments(decoder, header, self._resolve)
        owner, target = self._target(header)
        take_turn(header["turn"])
        self._state.restore()
        if self._without:
            library.withhold(self._without)
        if header["eval_mode"]:
            values.to_eval(owner)
            values.to_eval(target)
        watch = instruments.attach(header["watch"], header["framework"])
        values.synchronize()
        started, busy = time.perf_counter(), values.processor_time()
        try:
            with watch:
                for _ in range(header["times"]):
                    result = target(*watch.handed_over(given.args), **watch.handed_over(given.kwargs))
                values.synchronize()
        except BaseException as error:  # the submission may raise anything
            given.release()
            failed = {"failure": describe(error, self._filename, "raised").form(), "mutated": given.mutated()}
            del error
            return failed | self._seen(watch)
        seconds = counted(time.perf_counter() - started, values.processor_time() - busy)
        answer: dict[str, Any] = {
            "mutated": given.mutated(),
            "seconds": seconds,
            **self._seen(watch),
        }
        if header["eval_mode"]:
            values.to_eval(result)
        if header["keep"]:
            self._kept[header["seq"]] = result
        answer["value"] = values.encode_result(result, encoder)
        if header["cotangent"] is not None:
            answer |= self._gradients(header, decoder, encoder, given, result)
        return answer

    def _seen(self, watch: instruments.Watch) -> dict[str, Any]:
        """What the instruments and Triton's interpreter saw during the call, as fields of the answer."""
        kernels = {}
        if self._kernels is not None:
            kernels["kernels"] = self._kernels.report()
            watch.count(kernels["kernels"].pop("flops"))
        return watch.report() | kernels

    def _gradients(
        self,
        header: dict[str, Any],
        decoder: wire.Decoder,
        encoder: wire.Encoder,
        given: values.Arguments,
        result: Any,
    ) -> dict[str, Any]:
        cotangent = decoder.tensor(header["cotangent"])
        from interview_coach.grading.worker import tensors

        try:
            output = values.item(result, header["output_path"])
            gradients = tensors.gradients(output, cotangent, given.differentiable)
        except BaseException as error:  # backward runs the submission's code as well
            return {"gradient_failure": describe(error, self._filename, "raised").form()}
        return {"gradients": [None if grad is None else encoder.tensor(grad) for grad in gradients]}

    def _target(self, header: dict[str, Any]) -> tuple[Any, Any]:
        """The object that is called, and the one whose attribute it is."""
        target = header["target"]
        owner: Any = self._module
        if isinstance(target, str):
            names = target.split(".")
            if names[0] == BESIDE:
                owner, names = self._beside, names[1:]
        else:
            owner, names = self._resolve(Ref(target["ref"][0], tuple(target["ref"][1:]))), []
        found = owner
        for name in [*names, *([header["method"]] if header["method"] else [])]:
            owner = found
            try:
                found = getattr(owner, name)
            except AttributeError:
                raise Fault("no-target", name=name) from None
        return owner, found

    def _resolve(self, ref: Ref) -> Any:
        if ref.call not in self._kept:
            raise Fault("lost")
        return values.item(self._kept[ref.call], ref.path)

    def _kept_object(self, header: dict[str, Any]) -> Any:
        return self._resolve(Ref(header["ref"][0], tuple(header["ref"][1:])))

    def _read_state(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        state: ModuleState = objects.read_state(self._kept_object(header))
        return {
            "parameters": [[name, encoder.tensor(tensor)] for name, tensor in state.parameters.items()],
            "buffers": [[name, encoder.tensor(tensor)] for name, tensor in state.buffers.items()],
            "submodules": state.submodules,
            "attributes": state.attributes,
        }

    def _assign(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        tensors: dict[str, Tensor] = {name: decoder.tensor(fields) for name, fields in header["values"]}
        objects.assign(self._kept_object(header), tensors)
        return {}

    def _place(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        """Keep a value that came in, so that calls can be given the same object again and again."""
        arguments = {"framework": header["framework"], "args": [header["value"]], "kwargs": []}
        self._kept[header["seq"]] = values.Arguments(decoder, arguments, self._resolve).args[0]
        return {}

    def _convert(self, header: dict[str, Any], decoder: wire.Decoder, encoder: wire.Encoder) -> dict[str, Any]:
        objects.convert(self._kept_object(header), header["dtype"])
        return {}


Operation = Callable[[Guest, dict[str, Any], wire.Decoder, wire.Encoder], dict[str, Any]]
_OPERATIONS: dict[str, Operation] = {
    "load": Guest._load,
    "beside": Guest._load_beside,
    "call": Guest._call,
    "state": Guest._read_state,
    "assign": Guest._assign,
    "convert": Guest._convert,
    "place": Guest._place,
}
