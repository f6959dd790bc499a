"""Ten agents with models that are functions of their question. No key, no network."""

import asyncio
import collections
import operator
import random
import time
import zlib
from datetime import datetime
from typing import Annotated, TypedDict
from uuid import uuid4

from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage, RemoveMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph, add_messages
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, RetryPolicy, Send, interrupt

WORDS = ["tea", "coffee", "salt", "plums", "bread", "cheese"]


def number(text, below):
    return zlib.crc32(text.encode()) % below


class Model(BaseChatModel):
    """Answers by what it is asked: a call of a tool, or a word."""

    tools: list = []

    @property
    def _llm_type(self):
        return "function"

    def bind_tools(self, tools, **options):
        return self.bind(tools=[{"name": made.name} for made in tools])

    def answer(self, messages, tools):
        asked = "|".join(f"{m.type}:{m.content}" for m in messages)
        last, many = messages[-1], len(messages)
        if tools and many < 12 and number(asked, 3) > 0:
            name = tools[number(asked, len(tools))]["name"]
            args = {"item": WORDS[number(asked, 6)]}
            return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{many}"}])
        return AIMessage(f"{WORDS[number(asked, 6)]} for {str(last.content)[:12]}")

    def _generate(self, messages, stop=None, run_manager=None, **options):
        made = self.answer(messages, options.get("tools"))
        return ChatResult(generations=[ChatGeneration(message=made)])


class Streaming(Model):
    def _stream(self, messages, stop=None, run_manager=None, **options):
        for word in self.answer(messages, None).content.split(" "):
            yield ChatGenerationChunk(message=AIMessageChunk(content=word + " "))


@tool
def price(item: str) -> str:
    """The price of an item."""
    return f"{item} costs {len(item)}"


@tool
def stock(item: str) -> str:
    """How many there are."""
    return f"{number(item, 9)} of {item}"


class Chat(TypedDict):
    messages: Annotated[list, add_messages]
    calls: Annotated[int, operator.add]


def loop():
    model = Model().bind_tools([price, stock])

    def agent(state):
        return {"messages": [model.invoke(state["messages"][-3:])], "calls": 1}

    def route(state):
        return "tools" if state["messages"][-1].tool_calls else END

    graph = StateGraph(Chat)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode([price, stock]))
    graph.add_edge(START, "agent")
    graph.add_conditional_edges("agent", route, ["tools", END])
    graph.add_edge("tools", "agent")
    return graph, [talk(word) for word in WORDS[:3]]


def talk(text):
    return {"messages": [HumanMessage(text)]}


class Parallel(TypedDict):
    topic: str
    found: Annotated[list, operator.add]
    best: str


def parallel():
    def side(name):
        def ask(state):
            said = Model().invoke(f"{name} {state['topic']}")
            return {"found": [f"{name}: {said.content}"]}
        return ask

    def judge(state):
        return {"best": max(state["found"], key=len)}

    graph = StateGraph(Parallel)
    for name in ("left", "right"):
        graph.add_node(name, side(name))
        graph.add_edge(START, name)
    graph.add_node("judge", judge)
    graph.add_edge(["left", "right"], "judge")
    graph.add_edge("judge", END)
    return graph, [{"topic": word} for word in WORDS[:4]]


def nested():
    class Inner(TypedDict):
        messages: Annotated[list, add_messages]
        draft: str

    def write(state):
        return {"draft": Model().invoke(state["messages"][-1:]).content}

    def polish(state):
        return {"messages": [Model().invoke(f"polish {state['draft']}")]}

    inner = StateGraph(Inner)
    inner.add_node("write", write)
    inner.add_node("polish", polish)
    inner.add_edge(START, "write")
    inner.add_edge("write", "polish")
    graph = StateGraph(Chat)
    graph.add_node("writer", inner.compile())
    graph.add_node("count", lambda state: {"calls": len(state["messages"])})
    graph.add_edge(START, "writer")
    graph.add_edge("writer", "count")
    return graph, [talk(word) for word in WORDS[:4]]


class Order(TypedDict):
    item: str
    said: Annotated[list, operator.add]


def asking():
    def offer(state):
        return {"said": [Model().invoke(f"offer {state['item']}").content]}

    def confirm(state):
        answer = interrupt({"buy": state["item"]})
        if answer == "no":
            return Command(update={"said": ["refused"]}, goto=END)
        sure = interrupt("sure?")
        return Command(update={"said": [f"{answer} {sure}"]}, goto="buy")

    def buy(state):
        return {"said": [price.invoke({"item": state["item"]})]}

    graph = StateGraph(Order)
    graph.add_node("offer", offer)
    graph.add_node("confirm", confirm, destinations=("buy", END))
    graph.add_node("buy", buy)
    graph.add_edge(START, "offer")
    graph.add_edge("offer", "confirm")
    script = []
    for index, word in enumerate(WORDS[:4]):
        script.append({"item": word})
        script += [Command(resume="no")] if index == 1 else [
            Command(resume="yes"), Command(resume="indeed")]
    return graph, script


class Map(TypedDict):
    items: list
    prices: Annotated[list, operator.add]
    total: int


def sending():
    def fan(state):
        return [Send("ask", {"item": item}) for item in state["items"]]

    def ask(state):
        return {"prices": [price.invoke({"item": state["item"]})]}

    def add(state):
        return {"total": sum(number(text, 99) for text in state["prices"])}

    graph = StateGraph(Map)
    graph.add_node("plan", lambda state: {"items": sorted(state["items"])})
    graph.add_node("ask", ask)
    graph.add_node("add", add)
    graph.add_edge(START, "plan")
    graph.add_conditional_edges("plan", fan, ["ask"])
    graph.add_edge("ask", "add")
    return graph, [{"items": WORDS[:2]}, {"items": WORDS[1:5]}, {"items": WORDS[3:6]}]


attempts = collections.Counter()


@tool
def order(item: str) -> str:
    """Orders it at a shop that is often busy, and out of salt."""
    attempts[item] += 1
    failures = 3 if item.startswith("salt") else number(item, 3)
    if failures == 3 or attempts[item] % (failures + 1):
        raise ConnectionError(f"busy with {item}")
    return f"{item} ordered"


def retrying():
    def choose(state):
        said = Model().invoke(state["messages"][-1:]).content
        return {"messages": [AIMessage(said.split()[0])]}

    def buy(state):
        return {"messages": [HumanMessage(order.invoke({"item": state["messages"][-1].content}))],
                "calls": 1}

    graph = StateGraph(Chat)
    graph.add_node("choose", choose)
    graph.add_node("buy", buy, retry_policy=RetryPolicy(
        max_attempts=3, initial_interval=0.001, jitter=False, retry_on=ConnectionError))
    graph.add_node("thank", lambda state: {"messages": [AIMessage("thank you")]})
    graph.add_edge(START, "choose")
    graph.add_edge("choose", "buy")
    graph.add_conditional_edges(
        "buy", lambda state: "choose" if state["calls"] % 2 else "thank", ["choose", "thank"])
    return graph, [talk(word) for word in WORDS]


class Stamped(TypedDict):
    item: str
    tries: int
    log: Annotated[list, operator.add]


def clocks():
    def draw(state):
        return {"tries": state.get("tries", 0) + 1, "log": [random.randint(0, 9)]}

    def stamp(state):
        day = datetime.now().strftime("%H:%M:%S.%f")
        return {"tries": 0, "log": [f"{state['item']} at {day}, {time.time():.3f}, {uuid4()}",
                                    random.choice(WORDS)]}

    graph = StateGraph(Stamped)
    graph.add_node("draw", draw)
    graph.add_node("stamp", stamp)
    graph.add_edge(START, "draw")
    graph.add_conditional_edges("draw", lambda state: "draw" if state["log"][-1] > 4
                                and state["tries"] < 4 else "stamp", ["draw", "stamp"])
    return graph, [{"item": word} for word in WORDS[:4]]


class Remembered(Chat):
    summary: str


def summaries():
    def agent(state):
        asked = [HumanMessage(state.get("summary", "")), *state["messages"][-2:]]
        return {"messages": [Model().invoke(asked)]}

    def shorten(state):
        said = Model().invoke("sum up " + " ".join(m.content for m in state["messages"]))
        gone = [RemoveMessage(id=m.id) for m in state["messages"][:-2]]
        return {"summary": said.content, "messages": gone}

    graph = StateGraph(Remembered)
    graph.add_node("agent", agent)
    graph.add_node("shorten", shorten)
    graph.add_edge(START, "agent")
    graph.add_conditional_edges(
        "agent", lambda state: "shorten" if len(state["messages"]) > 4 else END)
    return graph, [talk(word) for word in WORDS[:5]]


def handing_over():
    def expert(name, other):
        def work(state):
            said = Model().invoke([HumanMessage(f"{name} {state['messages'][-1].content}")])
            goto = other if number(said.content, 2) and len(state["messages"]) < 9 else END
            return Command(update={"messages": [said], "calls": 1}, goto=goto)
        return work

    graph = StateGraph(Chat)
    graph.add_node("sales", expert("sales", "support"), destinations=("support", END))
    graph.add_node("support", expert("support", "sales"), destinations=("sales", END))
    graph.add_edge(START, "sales")
    return graph, [talk(word) for word in WORDS[:4]]


def streaming():
    def draft(state):
        words = [chunk.content for chunk in Streaming().stream(state["messages"][-1:])]
        return {"messages": [AIMessage("".join(words).strip())], "calls": 1}

    async def review(state):
        text, whole = state["messages"][-1].content, None
        async for chunk in Streaming().astream(f"review {text}"):
            whole = chunk if whole is None else whole + chunk
        both = await asyncio.gather(Model().ainvoke("a " + whole.content),
                                    Model().ainvoke("b " + whole.content))
        return {"messages": [AIMessage(whole.content), *both], "calls": len(both)}

    def route(state):
        return "draft" if number(state["messages"][-1].content, 2) and state["calls"] % 4 else END

    graph = StateGraph(Chat)
    graph.add_node("draft", draft)
    graph.add_node("review", review)
    graph.add_edge(START, "draft")
    graph.add_edge("draft", "review")
    graph.add_conditional_edges("review", route, ["draft", END])
    return graph, [talk(word) for word in WORDS[:4]]


GRAPHS = {made.__name__: made for made in (
    loop, parallel, nested, asking, sending, retrying, clocks, summaries, handing_over, streaming)}
