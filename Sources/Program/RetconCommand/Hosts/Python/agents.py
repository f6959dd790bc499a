"""A graph as a reducer with effects, and the requests of a thin host about it."""

import asyncio
import dataclasses
import hashlib
import json
import os
import retcon_recorder as retcon
import subprocess
import sys
from collections import OrderedDict
from langgraph._internal import _constants as constants
from langgraph._internal._runnable import RunnableCallable, RunnableSeq
from langgraph.errors import GraphInterrupt
from langgraph.pregel import _retry as retry
from moments import Moment
from world import NO_KEY, Body, Reducing, Running, Stopped

__all__ = ["Agent", "serve"]

KEPT_STATES = 4096


def needs_await(runnable):
    nodes = getattr(runnable, "nodes", None)
    if isinstance(nodes, dict):
        return any(needs_await(node.bound) for node in nodes.values())
    return isinstance(runnable, RunnableCallable) and runnable.func is None


class Agent:
    """The graph as reducer and bodies."""

    def __init__(self, graph):
        self.graph, self.states, self.body = graph, OrderedDict(), None
        Running.now = None
        retcon.watch_models_and_tools()
        retcon.watch_imported()
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
        elif kind == "@@SET":
            effects, ran = [{"cancel": "graph"}] if ran else [], False
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
            if "state" in request:
                self.states[request["work"][1]] = request["state"]
        if "live" in request and not Running.is_live:
            return self.ask_in_another_process(self.body)
        return self.body.resume(request)

    def ask_in_another_process(self, body):
        """It comes to the same question with the same answers, and asks that for real."""
        requests = [{"work": body.work, "state": self.states[body.work[1]]}, *body.answers,
                    {"live": True}]
        lines = [json.dumps({"ask": "resume", "id": 0, **request}) for request in requests]
        env = {key: part for key, part in os.environ.items() if part != NO_KEY}
        told = subprocess.run([sys.executable, *sys.argv], input="\n".join(lines), text=True,
                              stdout=subprocess.PIPE, env={**env, "RETCON_LIVE": "1"}).stdout
        answer = json.loads(told.splitlines()[-1]) if told else {"error": "the process has ended"}
        answer.pop("id", None)  # that of its own request
        return answer

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
        moment.names.last = moment.own.get("named", 0)
        if moment.written() != self.states[work[1]]:
            body.stop("changes the state in place instead of returning what it writes")
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


def serve(graph, greeting, say):
    """Answers requests about a compiled graph."""
    agent = Agent(graph)
    agent.numbers = states = {}
    for line in sys.stdin:
        request = json.loads(line)
        ask, answer = request["ask"], {"error": "unknown"}
        if ask == "greet":
            answer = {**greeting, "version": [2, 2], "reads": True, "effects": True,
                      "bodies": True, "repeats": True, "live": True, "sets": True}
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
