"""The session of one thread of a graph, as LangGraph runs it."""

import dataclasses
import re

from graph import Names, halted, label, ordered, resumed, super_step
from graph import written_output, written_state
from session import Recorder
from values import Codec, hidden, named, undicted

__all__ = ["GraphThread"]

UNFINISHED = {"__interrupt__", "__error__", "__error_source_node__", "__resume__"}


def own_config(loop):
    """The caller's values for the nodes beside the state."""
    conf = loop.config["configurable"]
    told = {key: part for key, part in conf.items() if not key.startswith("__")
            and key not in ("thread_id", "checkpoint_id", "checkpoint_ns", "checkpoint_map")}
    context = getattr(conf.get("__pregel_runtime"), "context", None)
    if context is not None:
        told["context"] = context
    return told


def written_error(error):
    kind = type(error)
    given = [part for part in error.args if isinstance(part, (str, int, float))]
    value = {"class": f"{kind.__module__}:{kind.__qualname__}",
             "arguments": given if len(given) == len(error.args) else None}
    return {"type": kind.__name__, "description": str(error), "value": value}


class Asked:
    """A question while it is answered for real."""

    is_known = False

    def __init__(self, thread, key, arguments):
        self.thread, self.began = thread, thread.time()
        self.told = {"key": key, "arguments": hidden(arguments, thread.redact)}

    def answered(self, value):
        self.told["value"] = hidden(value, self.thread.redact)
        self.ended = self.thread.time()

    def failed(self, error):
        self.told["error"] = written_error(error)
        self.ended = self.thread.time()


class Asker:
    def __init__(self, thread, questions, node):
        self.thread, self.questions, self.node = thread, questions, node
        self.draws, self.step = thread.draws, thread.at

    def begin(self, key, arguments):
        asked = Asked(self.thread, key, arguments)
        self.questions.append(asked)
        return asked


class GraphThread(Recorder):
    """The session of one thread of a graph."""

    def __init__(self, file, graph, redact):
        super().__init__(file, redact=redact)
        self.graph, self.names = graph, Names()
        self.pending = self.effect = self.run = None
        self.tasks, self.halt, self.known = {}, [], {}

    def written(self, loop, next, step=None, **more):
        return written_state(loop.channels, self.names, self.redact, self.known, next=next,
                             step=loop.step if step is None else step, stop=loop.stop,
                             given=self.run, **more)

    def returned(self, task, output):
        """The result of a node, before an edge or a stream gives ids to its messages."""
        self.outputs[task] = written_output(output, Codec(redact=self.redact))

    def codec_of_action(self):
        return Codec(self.names.in_action(), self.redact)

    def begins(self, loop):
        """A run of the graph: with an input, with the user's answer, or from where it stopped."""
        self.ran = loop.checkpointer is not None or self.output is None
        codec, config = self.codec_of_action(), own_config(loop)
        is_first = self.output is None
        if is_first or loop.checkpointer and loop.checkpoint["id"] != self.checkpoint:
            has_state = bool(loop.checkpoint["channel_versions"])
            nodes = [task.name for task in waiting(loop)] if has_state else []
            self.halt = halted_before(loop, codec) if has_state else []
            state = self.written(loop, nodes, tasks=self.halt or None,
                                 stopped="stopped" if nodes else None)
            if is_first:
                state["__graph"]["stop"] = loop.step - 1
                self.start(state, encoded=True, middleware="none")
            else:  # the program has gone to another checkpoint, or has changed the state
                self.moved = state
        given, action = loop.input, {"type": "input"}
        if given is None:
            action = {"type": "continue"}
        elif type(given).__name__ == "Command":
            action = {"type": "resume"}
            if is_resume_map(given.resume):
                places = interrupts_of(loop)
                action["answers"] = [[places[id], codec.encode(value)]
                                     for id, value in given.resume.items() if id in places]
            elif given.resume is not None:
                action["value"] = codec.encode(given.resume)
            if given.update or given.goto:
                action.update(written_output(dataclasses.replace(given, resume=None), codec))
        else:
            action["input"] = codec.encode(given)
            if not self.ran:
                action["fresh"] = True
        if loop.config["recursion_limit"] != usual_limit():
            action["limit"] = loop.config["recursion_limit"]
        if config:
            action["given"] = undicted(codec.encode(config))
        self.run = action.get("given")
        self.pending, self.cause, self.questions = action, "user", {}
        if action["type"] == "resume":
            self.halt = resumed(self.halt, action)
        elif action["type"] == "input":
            self.halt = []
        else:
            self.halt = [{k: part for k, part in task.items() if k != "error"}
                         for task in self.halt]

    def begun(self, loop):
        """LangGraph has found out where the run begins: a time travel begins one step later."""
        limit, action = loop.stop - loop.step - 1, self.pending
        if action["type"] != "input":
            if limit != usual_limit():
                action["limit"] = limit
            if self.moved is not None:
                self.moved["__graph"]["step"] = loop.step
        if self.moved is not None:
            place, self.moved = {"pointer": "", "value": self.moved}, None
            self.step(place, place["value"], "user", encoded=True, label="state set by hand",
                      set=place)

    def asker(self, conf):
        task = conf.get("checkpoint_ns", "").split("|")[0].rpartition(":")[2]
        index = self.tasks.get(task)
        if index is None:
            return None
        place = -1 if task in self.outputs else index  # what an edge asks, its step reads
        node = "an edge" if place < 0 else f"{conf['checkpoint_ns'].partition(':')[0]} {index}"
        return Asker(self, self.questions.setdefault(place, []), node)

    def ticked(self, loop, goes):
        nodes = [task.name for task in ordered(loop.tasks.values())]
        is_limited = loop.status == "out_of_steps"
        if not (goes and nodes == ["__start__"]):
            stopped = "limit" if is_limited else None if goes or not nodes else "stopped"
            self.flush(loop, nodes, stopped, flushes=not goes)  # what starts is written at once
            if goes:
                self.effect = self.started(label(nodes), cancel="graph")
                self.end_before()
        self.draws, self.at = {}, loop.step
        self.tasks = {task.id: index for index, task in enumerate(ordered(loop.tasks.values()))}
        self.outputs = {} if goes else getattr(self, "outputs", {})
        self.questions = {}

    old = moved = None

    def end_before(self):
        if self.old is not None:
            self.ended(self.old)
        self.old = None

    def flush(self, loop, nodes, stopped, flushes=True):
        if self.pending is None:
            return
        after, reads, cursor = self.number, [], 0
        for place in sorted(self.questions):
            for asked in self.questions[place]:
                if not hasattr(asked, "ended"):
                    continue
                if place < 0:
                    reads.append(asked.told)
                    continue
                # Parallel nodes ask at once. The time that each adds is what a fork waits for.
                told = dict(asked.told)
                begun, cursor = max(cursor, asked.began), max(cursor, asked.ended)
                self.line({"read": told.pop("key"), "effect": self.effect, "after": after,
                           "time": asked.ended, "took": round(cursor - begun, 6), **told})
        self.questions = {}
        state = self.written(loop, nodes, tasks=self.halt or None, stopped=stopped)
        more = {"reads": reads} if reads else {}
        self.step(self.pending, state, self.cause, encoded=True, flushes=flushes, **more)
        self.checkpoint = loop.checkpoint["id"]
        if self.cause != "user":
            self.old = self.effect
        self.pending = None
        if stopped or not nodes:
            self.end_before()

    def entries(self, loop, codec):
        interrupts = {tid: [codec.encode(part.value) for part in parts]
                      for tid, key, parts in loop.checkpoint_pending_writes
                      if key == "__interrupt__"}
        told = []
        for index, task in enumerate(ordered(loop.tasks.values())):
            is_done = any(key not in UNFINISHED for key, _ in task.writes)
            if task.id in self.outputs:
                entry = named(self.outputs[task.id], codec.names)
            elif task.id in interrupts and not is_done:
                entry = {"asks": interrupts[task.id]}
            elif index < len(self.halt) and is_done:
                entry = {key: part for key, part in self.halt[index].items() if key != "node"}
            elif is_done:
                entry = written_output({key: part for key, part in task.writes
                                        if key in self.graph.output_channels}, codec)
            else:
                entry = {}
            told.append({"node": task.name, **entry})
        return told

    def after_tick(self, loop):
        nodes = [task.name for task in ordered(loop.tasks.values())]
        if nodes == ["__start__"]:
            self.outputs = {}
            return
        self.pending = super_step(self.entries(loop, self.codec_of_action()))
        self.cause, self.halt = {"effect": self.effect}, []

    def over(self, loop, error):
        nodes = [task.name for task in ordered(getattr(loop, "tasks", {}).values())]
        kind = type(error).__name__
        if error is None or not nodes or nodes == ["__start__"]:
            return
        if loop.status in ("interrupt_before", "interrupt_after"):
            return self.flush(loop, nodes, loop.status[10:])
        if not isinstance(error, Exception) or kind == "CancelledError":
            self.pending, self.cause = {"type": "cancelled"}, "user"
            stopped = "cancelled"
            self.halt = []
            self.ended(self.effect, "cancelled")
        else:
            stopped = "interrupt" if kind == "GraphInterrupt" else "failed"
            entries = self.entries(loop, self.codec_of_action())
            if stopped == "failed":
                words = f"{kind}: {error}"
                entries = [{**entry, "error": words} if entry.keys() == {"node"} else entry
                           for entry in entries]
            verb = {"interrupt": "interrupts", "failed": "failed"}[stopped]
            self.pending = {"type": f"{label(nodes)} {verb}", "halts": stopped, "tasks": entries}
            self.cause, self.halt = {"effect": self.effect}, halted(self.halt, entries)
        self.flush(loop, nodes, stopped)


def usual_limit():
    from langgraph._internal._config import DEFAULT_RECURSION_LIMIT
    return DEFAULT_RECURSION_LIMIT


def waiting(loop):
    """The tasks that come next, by LangGraph's own rules."""
    from langgraph.pregel._algo import prepare_next_tasks
    return ordered(prepare_next_tasks(
        loop.checkpoint, loop.checkpoint_pending_writes, loop.nodes, loop.channels, loop.managed,
        loop.config, loop.step, loop.stop, for_execution=False).values())


def halted_before(loop, codec):
    """Nodes that wait since before the recording, and what they asked the user or wrote."""
    told = []
    for task in waiting(loop):
        entry, writes = {"node": task.name}, {}
        for owner, key, value in loop.checkpoint_pending_writes:
            if owner != task.id:
                continue
            if key == "__interrupt__":
                entry["asks"] = [codec.encode(part.value) for part in value]
            elif key == "__resume__":
                entry["resume"] = [codec.encode(part) for part in value]
            elif not key.startswith(("__", "branch:", "join:")):
                writes[key] = codec.encode(value)
        told.append({**entry, **({"writes": writes} if writes else {})})
    return told if any(len(entry) > 1 for entry in told) else []


def is_resume_map(resume):
    return isinstance(resume, dict) and bool(resume) \
        and all(re.fullmatch("[0-9a-f]{32}", str(key)) for key in resume)


def interrupts_of(loop):
    """The number of the task that asks, by the id of its interrupt."""
    asking = {part.id: task for task, key, parts in loop.checkpoint_pending_writes
              if key == "__interrupt__" for part in parts}
    ids = [task.id for task in waiting(loop)]
    return {id: ids.index(task) for id, task in asking.items() if task in ids}
