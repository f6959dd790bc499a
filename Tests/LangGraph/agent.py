"""The graph that GRAPH names, as a user's file: retcon --reducer agent.py#NAME."""

from graphs import GRAPHS
from langgraph.checkpoint.memory import InMemorySaver


def compiled(name):
    return GRAPHS[name]()[0].compile(checkpointer=InMemorySaver())


def __getattr__(name):
    if name in GRAPHS:
        return compiled(name)
    raise AttributeError(name)
