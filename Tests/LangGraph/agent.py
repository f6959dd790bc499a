"""The graph that GRAPH names, as a user's file: retcon --reducer agent.py#NAME."""

from graphs import GRAPHS
from langgraph.checkpoint.memory import InMemorySaver


def compiled(name):
    return GRAPHS[name]()[0].compile(checkpointer=InMemorySaver())


globals().update({name: compiled(name) for name in GRAPHS})
