"""An agent whose every part edits.py changes. Its model says where it was asked for real."""

import asyncio
import operator
import os
from typing import Annotated, TypedDict

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph, add_messages
from langgraph.types import Command, interrupt
from retcon_recorder import record

CALLS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "calls.txt")


class Model(BaseChatModel):
    """Calls files old that were last opened more than 99 days ago."""

    max_tokens: int = 20

    @property
    def _llm_type(self):
        return "clerk"

    @property
    def _identifying_params(self):
        return {"max_tokens": self.max_tokens}

    def _generate(self, messages, stop=None, run_manager=None, **options):
        with open(CALLS, "a", encoding="utf-8") as out:
            out.write(os.environ.get("RETCON_LIVE", "recording") + "\n")
        days = [int(word) for word in str(messages[-1].content).split() if word.isdigit()]
        made = AIMessage("delete" if max(days, default=0) > 99 else "keep")
        return ChatResult(generations=[ChatGeneration(message=made)])


@tool
def age(file: str) -> str:
    """The time since a file was opened last."""
    return {"notes.txt": "3 days"}.get(file, "400 days")


class State(TypedDict):
    messages: Annotated[list, add_messages]
    log: Annotated[list, operator.add]
    age: str
    verdict: str


def look(state):
    return {"age": age.invoke({"file": state["messages"][-1].content}), "log": ["look"]}


def greet(state):
    return {"log": ["greet"]}


async def judge(state):
    said = await Model().ainvoke([HumanMessage(f"Keep or delete? Not opened for {state['age']}")])
    return {"verdict": said.content}


def confirm(state):
    answer = interrupt(f"{state['verdict']}?")
    return Command(update={"log": [answer]}, goto="clean" if answer == "yes" else END)


def clean(state):
    return {"log": ["gone"]}


builder = StateGraph(State)
for node in (look, greet, judge, clean):
    builder.add_node(node)
builder.add_node(confirm, destinations=("clean", END))
builder.add_edge(START, "look")
builder.add_edge(START, "greet")
builder.add_edge(["look", "greet"], "judge")
builder.add_conditional_edges("judge", lambda state: "confirm" if state["verdict"] == "delete"
                              else END, ["confirm", END])
graph = record(builder.compile(checkpointer=InMemorySaver()), file="clerk.retcon")


async def main():
    config = {"configurable": {"thread_id": "1"}}
    for given in ("notes.txt", "taxes.pdf"):
        await graph.ainvoke({"messages": [HumanMessage(given)]}, config)
    await graph.ainvoke(Command(resume="yes"), config)


if __name__ == "__main__":
    asyncio.run(main())
