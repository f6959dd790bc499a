"""Runs a graph of LangGraph for Retcon: super-steps as values, nodes on the tape.

Written beside retcon_host.py, which loads it for a compiled graph: agent.py#graph. LangGraph's own
code applies writes and finds the next nodes. A model or tool answers from the recording, or the
node stops. Network, programs and files are refused while a node runs, which prevents accidents
and is no sandbox.
"""

import asyncio
import dataclasses
import datetime
import functools
import hashlib
import json
import os
import queue
import sys
import threading
import time
import traceback
from collections import OrderedDict

import retcon_recorder as retcon
from langgraph._internal import _constants as constants
from langgraph._internal._runnable import RunnableCallable, RunnableSeq
from langgraph.errors import GraphInterrupt
from langgraph.pregel import _algo as algo
from langgraph.pregel import _retry as retry
from langgraph.pregel._checkpoint import channels_from_checkpoint
from langgraph.pregel._io import map_input
from langgraph.runtime import Runtime

KEPT_STATES = 4096
NO_PROGRAM = ("subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork",
              "pty.spawn")
NO_NETWORK = ("socket.connect", "socket.getaddrinfo", "socket.gethostby", "socket.bind",
              "socket.sendto", "socket.sendmsg", "urllib.", "http.", "ftplib.", "smtplib.",
              "imaplib.", "poplib.", "telnetlib.")
NO_CHANGE = ("os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate", "os.link",
             "os.symlink", "os.chmod", "os.chown", "shutil.", "sqlite3.connect", "tempfile.")


class Stopped(BaseException):
    """Ends a node that cannot go on here."""


class Refused(OSError):
    """What a node asked by another way than models and tools."""


class Running:
    """What runs just now: the loading of the user's file, a reducer, or the body of an effect."""

    now = None


def watch_the_world(event, given):
    """An audit hook: what user code does beside computing."""
    now = Running.now
    if now is None or retcon.inside.get():
        return
    words = None
    if event == "open":
        path, mode, flags = (list(given) + [None] * 3)[:3]
        writes = any(c in (mode or "") for c in "wax+") or isinstance(flags, int) and flags & (
            os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if isinstance(path, int) or path == os.devnull:
            return
        path = os.path.abspath(os.fsdecode(path))
        is_code = path.endswith((".py", ".pyc", ".so", ".pyi")) or path.startswith(
            (sys.prefix, sys.base_prefix, os.path.dirname(os.path.dirname(retcon_home))))
        if writes:
            words = f"writes the file {path}"
        elif now.reads_nothing and not is_code and not path.startswith("/proc/"):
            words = f"reads the file {path}, which is not in the recording"
    elif event.startswith(NO_PROGRAM):
        words = f"starts a program ({event})"
    elif event.startswith(NO_NETWORK):
        words = f"asks the network ({event})"
    elif now.reads_nothing and event.startswith(NO_CHANGE):
        words = f"reaches outside ({event})"
    if words:
        now.refused = now.refused or words
        raise Refused(f"retcon: {words}")


retcon_home = os.path.abspath(json.__file__)


class Known:
    """A recorded answer."""

    is_known = True

    def __init__(self, value=None, error=None):
        self.value, self.error = value, error

    def answer(self):
        if self.error is None:
            return self.value
        raise made_error(self.error)


def made_error(told):
    value = told.get("value") if isinstance(told, dict) else None
    if isinstance(value, dict) and isinstance(value.get("arguments"), list):
        module, _, path = value["class"].partition(":")
        kind = getattr(sys.modules.get(module), path, None)
        if isinstance(kind, type) and issubclass(kind, Exception):
            try:
                return kind(*value["arguments"])
            except Exception:
                pass
    elif isinstance(told, str):
        return RuntimeError(told)
    name = told.get("type") if isinstance(told, dict) else told
    return Running.now.stop(f"the recorded error {name} cannot be made again")


class Reducing:
    """A step: its questions are answered with it."""

    reads_nothing = True

    def __init__(self, reads, step):
        self.reads, self.asked, self.open, self.refused = list(reads), [], None, None
        self.step, self.draws = step, {}

    def place(self, name):
        return retcon.place_of(self.draws, name, "an edge", self.step)

    def begin(self, key, arguments):
        question = {"key": key, "arguments": arguments}
        for read in self.reads:
            if read["key"] == key and read.get("arguments", []) == arguments:
                self.reads.remove(read)
                self.asked.append(question)
                return Known(read.get("value"), read.get("error"))
        self.open = question
        raise Stopped

    def stop(self, words):
        self.refused = self.refused or words
        raise Stopped


class Loading:
    reads_nothing, refused = False, None


class Body(threading.Thread):
    """The nodes of one super-step, on a thread that waits for each answer."""

    reads_nothing = True

    def __init__(self, agent, work):
        super().__init__(daemon=True)
        self.agent, self.work, self.refused, self.is_over = agent, work, None, False
        self.told, self.heard = queue.SimpleQueue(), queue.SimpleQueue()
        self.lock, self.draws, self.node, self.step = threading.Lock(), {}, None, None

    def place(self, name):
        return retcon.place_of(self.draws, name, self.node, self.step)

    def run(self):
        try:
            action = self.agent.super_step(self, self.work)
            self.tell({"sends": [action], "ends": True})
        except Stopped:
            self.tell({})
        except BaseException:
            self.refused = self.refused or "Retcon's host fails: " + traceback.format_exc()[-600:]
            self.tell({})

    def tell(self, told):
        refused = self.refused
        self.told.put({"error": f"a node {refused}"} if refused else told)

    def begin(self, key, arguments):
        answer = self.wait({"asks": {"key": key, "arguments": arguments}})
        return Known(answer.get("value"), answer.get("error"))

    def wait(self, told):
        with self.lock:
            if self.is_over or self.refused:
                raise Stopped
            self.tell(told)
            answer = self.heard.get()
            if answer is None:
                self.is_over = True
                raise Stopped
            return answer

    def stop(self, words):
        self.refused = self.refused or words
        raise Stopped

    def resume(self, request):
        Running.now = self
        if self.ident is None:
            self.start()
        else:
            self.heard.put(request)
        told = self.told.get()
        Running.now = None
        return told

    def abandon(self):
        self.is_over = True
        self.heard.put(None)
        self.join(1)


class NoStore:
    """A graph's store is outside of its state."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Running.now.stop("uses the graph's store, which is not in the recording")


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
        self.names.known = Numbered()

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
        return list(algo.prepare_next_tasks(
            self.checkpoint, [], self.graph.nodes, self.channels, self.managed, config,
            self.step, self.stop, for_execution=executes, retry_policy=self.graph.retry_policy,
            trigger_to_nodes=self.graph.trigger_to_nodes, updated_channels=self.updated,
            **more).values())

    def apply(self, tasks):
        self.updated = algo.apply_writes(self.checkpoint, self.channels, tasks, algo.increment,
                                         self.graph.trigger_to_nodes)

    def run_writers(self, entries, executes=True):
        """What edges and reducers make of the results of nodes."""
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
        """What follows a super-step: the next nodes, or where and why the run stops."""
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

    def start(self, action):
        self.given, limit = action.get("given"), action.get("limit", 10007)
        self.stop = self.step + limit + 1


class Numbered(dict):
    """Ids that have a number already keep it."""

    def __contains__(self, id):
        return id.startswith("#") or super().__contains__(id)

    def __missing__(self, id):
        return id if id.startswith("#") else None

    def get(self, id, otherwise=None):
        return id if id.startswith("#") else super().get(id, otherwise)


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


def needs_await(runnable, depth=0):
    nodes = getattr(runnable, "nodes", None)
    if isinstance(nodes, dict):
        return any(needs_await(node.bound, depth + 1) for node in nodes.values())
    return isinstance(runnable, RunnableCallable) and runnable.func is None


class Agent:
    """The graph as reducer and bodies."""

    def __init__(self, graph):
        self.graph, self.states, self.body = graph, OrderedDict(), None
        retcon.watch_models_and_tools()
        retcon.host_asker = lambda: Running.now if isinstance(
            Running.now, (Body, Reducing)) else None

    def first_state(self):
        return Moment(self, {}).written()

    def effect(self, state):
        """The next super-step. A body finds its state by the hash of it."""
        text = json.dumps(state, sort_keys=True, separators=(",", ":"))
        key = hashlib.sha256(text.encode()).hexdigest()[:32]
        self.states[key] = state
        self.states.move_to_end(key)
        while len(self.states) > KEPT_STATES:
            self.states.popitem(last=False)
        nodes = state["__graph"]["next"]
        return {"name": retcon.label(nodes), "cancel": "graph", "work": [nodes, key]}

    def reduce(self, state, action):
        kind, moment = action["type"], Moment(self, state)
        ran, effects = moment.runs, []
        if kind == "cancelled":
            moment.stopped, moment.tasks = "cancelled", []
            effects = [{"cancel": "graph"}]
        elif kind == "update":
            moment.run_writers([{"node": action["as"], **without(action, "type", "as")}], False)
            moment.goes_on([])
            effects = [{"cancel": "graph"}] if ran else []
            ran = False
        elif kind in ("input", "resume", "continue"):
            if ran:
                moment.waiting = moment.waiting + [action]
            else:
                moment.take(action)
        elif "halts" in action:
            moment.tasks = retcon.halted(moment.tasks, action["tasks"])
            moment.stopped, ran = action["halts"], False
        else:
            entries = action.get("tasks") or [{"node": kind, **without(action, "type")}]
            moment.run_writers(entries)
            moment.goes_on([entry["node"] for entry in entries])
            ran = False
        while moment.waiting and not moment.runs:
            next, moment.waiting = moment.waiting[0], moment.waiting[1:]
            moment.take(next)
        after = moment.written()
        if moment.runs and not ran:
            effects.append(self.effect(after))
        return after, effects

    def resume(self, request):
        if "work" in request:
            if self.body is not None:
                self.body.abandon()
            self.body = Body(self, request["work"])
        return self.body.resume(request)

    # On the body's thread.

    def super_step(self, body, work):
        if work[1] not in self.states:
            body.stop("begins in a state that this host has forgotten")
        moment = Moment(self, self.states[work[1]])
        codec, entries, halts = retcon.Codec(moment.names.in_action()), [], set()
        tasks = moment.prepared()
        before = moment.tasks if len(moment.tasks) == len(tasks) else [{}] * len(tasks)
        body.step = moment.step
        for index, (task, old) in enumerate(zip(tasks, before)):
            body.node = f"{task.name} {index}"
            if old.keys() - {"node", "resume"}:
                entries.append(old)
                continue
            entry = {"node": task.name}
            try:
                entry.update(retcon.written_output(self.run_node(task, old), codec))
            except GraphInterrupt as interrupt:
                entry["asks"] = [codec.encode(part.value) for part in interrupt.args[0]]
                halts.add("interrupt")
            except Exception as error:
                if body.refused:
                    raise Stopped
                if len(tasks) > 1 or self.graph.nodes[task.name].error_handler_node:
                    body.stop(f"fails beside others: {error}")
                entry["error"] = f"{type(error).__name__}: {error}"
                halts.add("failed")
            entries.append(entry)
        if not halts:
            return retcon.super_step(entries)
        kind = halts.pop()
        verb = {"interrupt": "interrupts", "failed": "failed"}[kind]
        return {"type": f"{retcon.label([task.name for task in tasks])} {verb}", "halts": kind,
                "tasks": entries}

    def run_node(self, task, old):
        node, outputs = self.graph.nodes[task.name], []
        note = RunnableCallable(lambda output: outputs.append(output) or output, trace=False)
        answers = [retcon.Codec().decode(part) for part in old.get("resume", [])]

        def answer(consumes=False):
            return None if not answers else answers.pop(0) if consumes else answers[0]

        conf = task.config["configurable"]
        pad = dataclasses.replace(conf[constants.CONFIG_KEY_SCRATCHPAD], get_null_resume=answer)
        config = {**task.config, "configurable": {**conf, constants.CONFIG_KEY_SCRATCHPAD: pad}}
        task = dataclasses.replace(task, proc=RunnableSeq(node.bound, note), writers=[note],
                                   config=config)
        if needs_await(node.bound):
            asyncio.run(retry.arun_with_retry(task, None))
        else:
            retry.run_with_retry(task, None)
        return outputs[-1]


def without(told, *keys):
    return {key: part for key, part in told.items() if key not in keys}


def wait_on_the_tape(sleep):
    def slept(seconds):
        body = Running.now
        if isinstance(body, Body) and not retcon.inside.get():
            by_library = sys._getframe(1).f_globals.get("__name__", "").startswith("langgraph")
            return None if by_library else body.wait({"waits": seconds}) and None
        return sleep(seconds)
    return slept


def answers(agent, request):
    """A whole `reduce`: states, effects and questions of each action."""
    states, told = agent.numbers, {"patches": [], "effects": [], "asked": []}
    if "from" not in request:
        state = states[request["as"]] = agent.first_state()
        return {"states": [state], "effects": [[]], "asked": [[]]}
    state = states[request["from"]]
    for index, action in enumerate(request["actions"]):
        reads = request["reads"][index] if "reads" in request else []
        step = state["__graph"]["step"]
        now = Running.now = Reducing(reads, step)
        try:
            after, effects = agent.reduce(state, action)
        except Stopped:
            if now.open is None:
                return {**told, "error": f"a node {now.refused}"}
            return {**told, "asked": [*told["asked"], now.asked], "asks": now.open}
        except Exception as error:
            return {**told, "error": f"{type(error).__name__}: {error}"}
        finally:
            Running.now = None
        if now.refused:
            return {**told, "error": f"an edge {now.refused}"}
        told["patches"].append(retcon.difference(state, after))
        told["effects"].append(effects)
        told["asked"].append(now.asked)
        states[request["as"] + index] = state = after
    return told


def prepare():
    """Before the user's file is loaded: what it finds, and what it may not do."""
    retcon.is_hosted = True
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY"):
        os.environ.setdefault(key, "no-key-in-retcon")
    os.environ.update(LANGSMITH_TRACING="false", LANGCHAIN_TRACING_V2="false")
    time.sleep = wait_on_the_tape(time.sleep)
    retcon.watch_clocks()
    datetime.datetime = retcon.TapeDatetime
    sys.dont_write_bytecode = True
    sys.addaudithook(watch_the_world)
    Running.now = Loading()


def serve(graph, greeting, say):
    """Answers requests about a compiled graph."""
    Running.now, agent = None, Agent(graph)
    agent.numbers = states = {}
    for line in sys.stdin:
        request = json.loads(line)
        ask, answer = request["ask"], {"error": "unknown"}
        if ask == "greet":
            answer = {**greeting, "version": [2, 2], "reads": True, "effects": True,
                      "bodies": True}
        elif ask == "put" and "state" in request:
            states[request["as"]], answer = request["state"], {}
        elif ask == "reduce":
            answer = answers(agent, request)
        elif ask == "state":
            answer = {"state": states[request["of"]]}
        elif ask == "resume":
            answer = agent.resume(request)
        elif ask == "forget":
            for number in request["states"]:
                states.pop(number, None)
            continue
        elif ask == "quit":
            break
        say({"id": request["id"], **answer})
