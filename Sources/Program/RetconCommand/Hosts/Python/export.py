"""Steps of a graph from the checkpoints that it left."""

import argparse
import datetime
import importlib.util
import os
import sys

from graph import Names, label, super_step, written_output
from session import Recorder, in_utc
from values import Codec

__all__ = ["export", "loaded"]


def export(graph, thread, file):
    """Writes a thread's checkpoints as a session to look at. It has no answers of models."""
    config = {"configurable": {"thread_id": thread}}
    history = list(graph.get_state_history(config))[::-1]
    if not history:
        raise ValueError(f"the checkpointer has no thread {thread}")
    recorder, names, before = Recorder(file), Names(), None
    codec, began = Codec(names.in_state), made_at(history[0])
    for snapshot in history:
        seconds = (made_at(snapshot) - began).total_seconds()
        recorder.time = lambda seconds=seconds: seconds
        state = {**codec.encode(snapshot.values), "__graph": {"next": list(snapshot.next)}}
        if before is None:
            recorder.start(state, encoded=True, started=in_utc(began), can="browse",
                           because="it was made from checkpoints, which lack answers of models")
        elif snapshot.next != ("__start__",):  # an input is a step once its channels are written
            recorder.step(action_before(snapshot, before, codec), state, encoded=True)
        if any(task.error for task in snapshot.tasks):
            recorder.step(failure(snapshot.tasks), state, encoded=True)
        before = snapshot
    recorder.end()
    return recorder.number


def made_at(snapshot):
    return datetime.datetime.fromisoformat(snapshot.created_at.replace("Z", "+00:00"))


def action_before(snapshot, before, codec):
    """The way from one checkpoint to the next, as a recording writes it."""
    if snapshot.metadata.get("source") in ("update", "fork"):
        return {"type": snapshot.metadata["source"]}
    entries = [{"node": task.name, **({} if task.result is None else written_output(
        task.result, codec))} for task in before.tasks]
    action = super_step(entries) if entries else {"type": "continue"}
    if action["type"] == "__start__":
        return {"type": "input", "input": action.get("writes")}
    return action


def failure(tasks):
    entries = [{"node": task.name, **({"error": words(task.error)} if task.error else {})}
               for task in tasks]
    kind = label([task.name for task in tasks])
    return {"type": f"{kind} failed", "halts": "failed", "tasks": entries}


def words(error):
    return f"{type(error).__name__}: {error}" if isinstance(error, Exception) else str(error)


def loaded(words):
    """The graph that agent.py#graph names."""
    file, _, name = words.partition("#")
    stem = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(stem, file)
    module = sys.modules[stem] = importlib.util.module_from_spec(spec)
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec.loader.exec_module(module)
    return getattr(module, name or "graph")


def main():
    options = argparse.ArgumentParser(prog="retcon_recorder.py")
    options.add_argument("command", choices=["export"])
    options.add_argument("graph", help="agent.py#graph: a graph with its checkpointer")
    options.add_argument("thread")
    options.add_argument("-o", "--output", default="agent.retcon")
    given = options.parse_args()
    steps = export(loaded(given.graph), given.thread, given.output)
    print(f"{given.output}: {steps} steps")


if __name__ == "__main__":
    main()
