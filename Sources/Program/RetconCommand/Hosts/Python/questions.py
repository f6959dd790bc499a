"""Questions: what a node asks models and tools. The recorder writes the answers down, and Retcon's
host gives them back. Both come through here, so both see the same question."""

import asyncio
import concurrent.futures
import contextlib
import contextvars
import functools
import inspect
import uuid

from values import UUID, Codec, is_message

__all__ = ["watch_models_and_tools"]

host_asker = None
inside = contextvars.ContextVar("retcon_inside", default=False)


def asker():
    """The recipient of a question that is asked here, if it has one."""
    if inside.get():
        return None
    if host_asker is not None:
        return host_asker()
    from langchain_core.runnables.config import var_child_runnable_config
    conf = (var_child_runnable_config.get() or {}).get("configurable") or {}
    session = conf.get("__retcon")
    return session and session.asker(conf)


@contextlib.contextmanager
def asking(who, key, arguments):
    """A question. Questions that are asked meanwhile belong to its answer."""
    question = who.begin(key, arguments)
    if question.is_known:
        yield question
        return
    with answering(question):
        yield question


@contextlib.contextmanager
def answering(question):
    token = inside.set(True)
    try:
        yield
    except BaseException as error:
        question.failed(error)
        raise
    finally:
        inside.reset(token)


def model_question(model, messages, stop=None, run_manager=None, **options):
    codec = Codec(names=lambda id: None)
    settings = {key: part for key, part in
                model._get_invocation_params(stop=stop, **options).items()
                if key in SETTINGS and part is not None}
    told = [codec.message(message) for message in messages]
    asked = [{k: part for k, part in message.items() if k not in ("usage", "metadata", "chunk")}
             for message in told]
    last = str(messages[-1].content)[:60] if messages else ""  # what people recognize it by
    return "model", [last, asked, codec.encode({"type": model._llm_type, **settings})]


def tool_question(tool, given, *rest, **options):
    return tool.name, [Codec(names=lambda id: None).encode(plain_input(given))]


def plain_input(given):
    """The arguments of a tool, without the streams and callbacks that it may be given."""
    if type(given).__name__ == "ToolRuntime":
        return {"state": given.state}
    if isinstance(given, dict):
        return {key: plain_input(part) for key, part in given.items()
                if not (given.get("type") == "tool_call" and key in ("id", "type"))}
    return given


def written_message(message):
    names = lambda id: None if UUID.search(id) else id  # noqa: E731
    return Codec(names).message(message)


def made_message(told, chunk=False):
    message = Codec().decode({**told, "chunk": "last" if chunk else None})
    message.id = message.id or f"run--{uuid.uuid4()}"
    return message


def made_result(model, told, options):
    from langchain_core.outputs import ChatGeneration, ChatResult
    return ChatResult(generations=[ChatGeneration(message=made_message(told))])


def written_result(result):
    """A tool's answer. The id of the call does not belong to it."""
    told = Codec(names=lambda id: None).encode(result)
    if isinstance(told, dict) and is_message(told):
        told.pop("for", None)
    return told


def made_tool_result(tool, told, options):
    result = Codec().decode(told)
    if type(result).__name__ == "ToolMessage":
        result.tool_call_id = options.get("tool_call_id") or result.tool_call_id
    return result


def on_a_loop_of_its_own(answer):
    """Meanwhile the other tasks of the node do nothing."""
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        return pool.submit(contextvars.copy_context().run, asyncio.run, answer).result()


def watch(owner, name, question, written, made):
    """Puts a question before a method of LangChain."""
    original = getattr(owner, name)

    def wrapped(self, *given, **options):
        who = asker()
        if who is None:
            return original(self, *given, **options)
        with asking(who, *question(self, *given, **options)) as asked:
            if asked.is_known:
                return made(self, asked.answer(), options)
            result = original(self, *given, **options)
            asked.answered(written(result))
            return result

    async def awaited(self, *given, **options):
        who = asker()
        if who is None:
            return await original(self, *given, **options)
        with asking(who, *question(self, *given, **options)) as asked:
            if asked.is_known:
                return made(self, asked.answer(), options)
            answer = original(self, *given, **options)
            result = on_a_loop_of_its_own(answer) if host_asker else await answer
            asked.answered(written(result))
            return result

    is_awaited = inspect.iscoroutinefunction(original)
    setattr(owner, name, functools.wraps(original)(awaited if is_awaited else wrapped))


def watch_streams(owner):
    """A node may read a model's answer in pieces; the recording has it whole."""
    stream, astream = owner.stream, owner.astream

    def started(model, given, options, is_async):
        who = asker()
        if who is None or host_asker is None and not model._should_stream(
                async_api=is_async, **{**options, "stream": True}):
            return None  # it invokes the model
        messages = model._convert_input(given).to_messages()
        asked = who.begin(*model_question(model, messages, **options))
        if host_asker and not asked.is_known:
            with answering(asked):
                asked.answered(written_message(model.invoke(messages, **options)))
        return asked

    def streamed(self, input, config=None, **options):
        asked = started(self, input, options, False)
        if asked is not None and asked.is_known:
            yield made_message(asked.answer(), chunk=True)
            return
        total = None
        for chunk in stream(self, input, config, **options):
            total = chunk if total is None else total + chunk
            yield chunk
        if asked is not None and total is not None:
            asked.answered(written_message(total))

    async def astreamed(self, input, config=None, **options):
        asked = started(self, input, options, True)
        if asked is not None and asked.is_known:
            yield made_message(asked.answer(), chunk=True)
            return
        total = None
        async for chunk in astream(self, input, config, **options):
            total = chunk if total is None else total + chunk
            yield chunk
        if asked is not None and total is not None:
            asked.answered(written_message(total))

    owner.stream, owner.astream = streamed, astreamed


def watch_models_and_tools():
    from langchain_core.language_models.chat_models import BaseChatModel
    from langchain_core.tools import BaseTool
    if hasattr(BaseChatModel, "watched_by_retcon"):
        return
    BaseChatModel.watched_by_retcon = True
    for name in ("_generate_with_cache", "_agenerate_with_cache"):
        watch(BaseChatModel, name, model_question,
              lambda result: written_message(result.generations[0].message), made_result)
    for name in ("run", "arun"):
        watch(BaseTool, name, tool_question, written_result, made_tool_result)
    watch_streams(BaseChatModel)
