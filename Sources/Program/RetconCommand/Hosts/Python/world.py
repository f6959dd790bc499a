"""Runs a graph of LangGraph for Retcon: super-steps as values, nodes on the tape.

Written beside retcon_host.py, which loads it for a compiled graph: agent.py#graph. LangGraph's own
code applies writes and finds the next nodes. A model or tool answers from the recording, or the
node stops. Network, programs and files are refused while a node runs. This prevents accidents,
but it is not a sandbox.
"""

import os
import queue
import retcon_recorder as retcon
import sys
import threading
import time
import traceback

__all__ = ["Body", "Reducing", "NoStore", "prepare"]

NO_KEY = "no-key-in-retcon"
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
    """A question of a node by another way than models and tools."""


class Running:
    """The work that runs just now: the loading of the user's file, a reducer, or the body of an
    effect."""

    now = None
    is_live = "RETCON_LIVE" in os.environ  # in the process that asks one question for real


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
            (sys.prefix, sys.base_prefix, *retcon.library_folders))
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


class Known:
    """A recorded answer."""

    is_known = True

    def __init__(self, value=None, error=None):
        self.value, self.error = value, error

    def answer(self):
        if self.error is None:
            return self.value
        raise made_error(self.error)


class Live:
    """A question that is asked for real. Its answer ends the body."""

    is_known, is_live = False, True

    def __init__(self, body):
        self.body = body

    def answered(self, value):
        self.body.tell({"value": value})
        raise Stopped

    def failed(self, error):
        if not isinstance(error, Stopped):
            self.body.tell({"error": retcon.written_error(error)})
            raise Stopped


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
        self.node, self.step, self.draws = "an edge", step, {}

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
        self.answers = []

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
        if "live" in answer:
            return Live(self)
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
            self.answers.append(request)
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


def wait_on_the_tape(sleep):
    def slept(seconds):
        body = Running.now
        if isinstance(body, Body) and not retcon.inside.get():
            by_library = sys._getframe(1).f_globals.get("__name__", "").startswith("langgraph")
            return None if by_library else body.wait({"waits": seconds}) and None
        return sleep(seconds)
    return slept


def prepare():
    """Before the user's file is loaded: what it finds, and what it may not do."""
    retcon.is_hosted = True
    for key in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY"):
        if not Running.is_live:
            os.environ.setdefault(key, NO_KEY)
    os.environ.update(LANGSMITH_TRACING="false", LANGCHAIN_TRACING_V2="false")
    time.sleep = wait_on_the_tape(time.sleep)
    retcon.watch_clocks()
    sys.dont_write_bytecode = True
    sys.addaudithook(watch_the_world)
    Running.now = Loading()
