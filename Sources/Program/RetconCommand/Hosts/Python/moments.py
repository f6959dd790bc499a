"""A state of a graph, made from JSON, and what LangGraph makes of an action in it."""

import dataclasses
import functools
import retcon_recorder as retcon
from langgraph._internal import _constants as constants
from langgraph.pregel import _algo as algo
from langgraph.pregel._checkpoint import channels_from_checkpoint
from langgraph.pregel._io import map_input
from langgraph.runtime import Runtime
from world import NoStore, Running

__all__ = ["Moment"]


class Moment:
    """A state of the graph, made from JSON."""

    def __init__(self, agent, told):
        self.agent, self.graph = agent, agent.graph
        self.own = told.get("__graph", {})
        codec = retcon.Codec()
        values = {key: part for key, part in told.items() if key != "__graph"}
        values = {**values, **self.own.get("hidden", {})}
        values = {key: codec.decode(part) for key, part in values.items()}
        self.checkpoint = {"v": 4, "id": "0" * 32, "ts": "", "channel_values": values,
                           "channel_versions": {}, "versions_seen": {}}
        self.channels, self.managed = channels_from_checkpoint(self.graph.channels,
                                                               self.checkpoint)
        for key, channel in self.channels.items():
            if channel.is_available():
                self.checkpoint["channel_versions"][key] = 1
        self.step, self.stop = self.own.get("step", -1), self.own.get("stop", -2)
        self.given, self.tasks = self.own.get("given"), self.own.get("tasks", [])
        self.stopped, self.waiting = self.own.get("stopped"), self.own.get("waiting", [])
        self.next, self.updated = self.own.get("next", []), None
        self.names = retcon.Names(self.own.get("named", 0))

    def written(self):
        more = {"waiting": self.waiting or None, "tasks": self.tasks or None}
        return retcon.written_state(
            self.channels, self.names, (), next=self.next, step=self.step, stop=self.stop,
            given=self.given, stopped=self.stopped, **more)

    def prepared(self, executes=True):
        given = retcon.Codec().decode(self.given or {})
        context = given.pop("context", None)
        config = {"configurable": {
            **given, constants.CONFIG_KEY_RUNTIME: Runtime(context=context, store=NoStore()),
            constants.CONFIG_KEY_CALL: no_call, "thread_id": "retcon"},
                  "metadata": {}, "tags": [], "callbacks": None, "recursion_limit": self.stop}
        more = {"store": NoStore(), "checkpointer": None, "manager": None} if executes else {}
        return retcon.ordered(algo.prepare_next_tasks(
            self.checkpoint, [], self.graph.nodes, self.channels, self.managed, config,
            self.step, self.stop, for_execution=executes, retry_policy=self.graph.retry_policy,
            trigger_to_nodes=self.graph.trigger_to_nodes, updated_channels=self.updated,
            **more).values())

    def apply(self, tasks):
        self.updated = algo.apply_writes(self.checkpoint, self.channels, tasks, algo.increment,
                                         self.graph.trigger_to_nodes)

    def run_writers(self, entries, executes=True):
        """The values that edges and reducers make of the results of nodes."""
        codec, prepared = retcon.Codec(), self.prepared() if executes else []
        rest, tasks = list(prepared), []
        for entry in entries:
            node = entry["node"]
            if node not in self.graph.nodes:
                raise ValueError(f"the graph has no node {node}")
            task = next((task for task in rest if task.name == node), None)
            if task is None:
                task = self.foreign(node)
            else:
                rest.remove(task)
            output = retcon.made_output(entry, codec)
            for writer in task.writers:
                writer.invoke(output, task.config)
            tasks.append(task)
        self.apply(tasks + rest)
        if not executes:
            self.updated = None  # the changes of an update, a checkpoint, are unknown
        self.step += 1

    def foreign(self, node):
        """A write as one node, though it is not its turn: update_state."""
        proc = self.graph.nodes[node]
        task = algo.PregelTaskWrites(("update", node), node, [], [constants.INTERRUPT])
        read = functools.partial(
            algo.local_read, algo._scratchpad(None, [], "0", "0", None, self.step, self.stop),
            self.channels, self.managed, task)
        config = {"configurable": {constants.CONFIG_KEY_SEND: task.writes.extend,
                                   constants.CONFIG_KEY_READ: read}}
        return Foreign(*task, config, proc.flat_writers)

    def goes_on(self, nodes):
        """The end of a super-step: the next nodes, or where and why the run stops."""
        self.next, self.tasks, self.stopped = [t.name for t in self.prepared(False)], [], None
        if self.step > self.stop:
            self.stopped = "limit"
        elif matches(self.graph.interrupt_after_nodes, nodes):
            self.stopped = "after"
        elif matches(self.graph.interrupt_before_nodes, self.next):
            self.stopped = "before"

    @property
    def runs(self):
        return bool(self.next) and not self.stopped

    def take(self, action):
        """An action of the user."""
        kind, codec = action["type"], retcon.Codec()
        self.reload()
        if kind == "input":
            if action.get("fresh"):
                named = self.names.last
                self.__init__(self.agent, {})
                self.names.last = named
            writes = list(map_input(self.graph.input_channels, codec.decode(action["input"])))
            discarded = self.prepared()
            self.start(action)
            self.apply([*discarded, algo.PregelTaskWrites((), constants.INPUT, writes, [])])
            self.step += 1
            start = self.prepared()
            for task in start:
                task.proc.invoke(task.input, task.config)
            self.apply(start)
            self.step += 1
            return self.goes_on([])
        self.start(action)
        tasks = self.tasks
        if kind == "resume":
            tasks = retcon.resumed(self.tasks, action)
            writes = [(key, part) for key, part in
                      codec.decode(action.get("writes", {})).items()]
            for place in codec.decode(action.get("goto", [])):
                writes.append((f"branch:to:{place}", constants.START) if isinstance(place, str)
                              else (constants.TASKS, place))
            if writes:
                self.apply([algo.PregelTaskWrites((), constants.INPUT, writes, [])])
        self.tasks = [{k: v for k, v in task.items() if k != "error"} for task in tasks]
        self.stopped = "limit" if self.step > self.stop else None
        self.next = [task.name for task in self.prepared(False)]

    def reload(self):
        """A run begins with what the checkpointer has: it makes a list of a tuple."""
        serde = getattr(self.graph.checkpointer, "serde", None)
        if serde is not None:
            values = {key: serde.loads_typed(serde.dumps_typed(channel.checkpoint()))
                      for key, channel in self.channels.items() if channel.is_available()
                      and self.graph.channels[key].__class__.__name__ != "DeltaChannel"}
            self.channels.update({key: self.graph.channels[key].from_checkpoint(value)
                                  for key, value in values.items()})

    def start(self, action):
        self.given, limit = action.get("given"), action.get("limit", retcon.usual_limit())
        self.stop = self.step + limit + 1


@dataclasses.dataclass
class Foreign:
    path: tuple
    name: str
    writes: list
    triggers: list
    config: dict
    writers: list


def matches(chosen, nodes):
    return bool(nodes) if chosen == "*" else any(node in chosen for node in nodes)


def no_call(*given, **options):
    return Running.now.stop("calls a task of the functional API, which Retcon does not run")
