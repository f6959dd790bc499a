"""Sees what a graph does: LangGraph calls the recorder as it runs."""

import os
import re
import sys

from drawn import watch_clocks, watch_imported
from questions import watch_models_and_tools
from threads import GraphThread

__all__ = ["record"]

recorded = {}
is_hosted = False


def record(graph, file="agent.retcon", redact=()):
    """Records each run of a compiled graph, and gives it back."""
    if is_hosted:
        return graph
    from langgraph.pregel._loop import PregelLoop
    watch_models_and_tools()
    watch_clocks()
    watch_imported()
    watch_outputs(graph)
    recorded[id(graph.nodes)] = (graph, file, redact, {})
    if not hasattr(PregelLoop, "watched_by_retcon"):
        PregelLoop.watched_by_retcon = True
        watch_loops(PregelLoop)
    return graph


def watch_outputs(graph):
    """Sees what nodes return, before edges and reducers get it."""
    from langchain_core.runnables import RunnableConfig
    from langgraph._internal._runnable import RunnableCallable

    def note(output, config: RunnableConfig):
        conf = config["configurable"]
        thread = conf.get("__retcon")
        if thread is not None and conf.get("__pregel_task_id") in thread.tasks:
            safely(thread, thread.returned, conf["__pregel_task_id"], output)
        return output

    for name, node in graph.nodes.items():
        if name != "__start__":
            node.writers.insert(0, RunnableCallable(note, trace=False))
            for key in ("flat_writers", "node"):
                node.__dict__.pop(key, None)


def safely(thread, call, *given):
    """A failure of the recorder ends the recording, and not the run."""
    try:
        return call(*given) if thread.output is not None or thread.number == 0 else None
    except Exception as error:
        print(f"retcon: the recording of {thread.file} has ended: {error!r}", file=sys.stderr)
        thread.output = None


def thread_of(loop):
    graph, file, redact, threads = recorded.get(id(loop.nodes), (None,) * 4)
    if graph is None or loop.is_nested:
        return None
    key = loop.config["configurable"].get("thread_id") if loop.checkpointer else None
    if key not in threads:
        base, ending = os.path.splitext(file)
        own = file if not threads else f"{base}-{re.sub('[^A-Za-z0-9_-]', '_', str(key))}{ending}"
        threads[key] = GraphThread(own, graph, redact)
    return threads[key]


def watch_loops(loop_class):
    first, tick, after_tick = loop_class._first, loop_class.tick, loop_class.after_tick
    over = loop_class._suppress_interrupt

    def _first(self, **given):
        thread = self.retcon = thread_of(self)
        if thread is not None:
            self.config["configurable"]["__retcon"] = thread
            safely(thread, thread.begins, self)
        result = first(self, **given)
        if thread is not None:
            safely(thread, thread.begun, self)
        return result

    def _tick(self):
        goes = tick(self)
        if self.retcon is not None:
            safely(self.retcon, self.retcon.ticked, self, goes)
        return goes

    def _after_tick(self):
        if self.retcon is not None:
            safely(self.retcon, self.retcon.after_tick, self)
        after_tick(self)

    def _over(self, kind, error, trace):
        if getattr(self, "retcon", None) is not None:
            safely(self.retcon, self.retcon.over, self, error)
        return over(self, kind, error, trace)

    loop_class._first, loop_class.tick, loop_class.after_tick = _first, _tick, _after_tick
    loop_class._suppress_interrupt = _over
