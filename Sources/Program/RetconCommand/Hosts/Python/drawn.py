"""The clock, random numbers and new ids, as nodes read them: known by the node, the super-step, and
how many the node has drawn before. Libraries read the real ones."""

import datetime
import functools
import os
import random
import sys
import time
import uuid

from questions import asker, asking
from values import Codec

DRAWN = ("time.", "random.", "datetime.", "uuid.")  # how such questions begin
__all__ = ["DRAWN", "watch_clocks", "watch_imported"]


def from_user_code(depth=2):
    """Whether the function around is called by code that no library holds."""
    frame = sys._getframe(depth)
    while frame.f_globals.get("__name__") == "random":
        frame = frame.f_back
    return not frame.f_globals.get("__file__", "").startswith(library_folders)


library_folders = ()


def drawn(name, real, *given):
    who = asker() if from_user_code(3) else None
    if who is None:
        return real(*given)
    codec = Codec()
    count = who.draws[who.node, name] = who.draws.get((who.node, name), -1) + 1
    with asking(who, name, [who.node, who.step, count]) as asked:
        if asked.is_known:
            return codec.decode(asked.answer())
        result = real(*given)
        asked.answered(codec.encode(result))
        return result


def tape_function(name, real):
    return functools.wraps(real)(lambda *given: drawn(name, real, *given))


class TapeRandom(random.Random):
    """The module's own generator, draw by draw."""

    def random(self):
        return drawn("random.random", real_random.random)

    def getrandbits(self, count):
        return drawn("random.getrandbits", real_random.getrandbits, count)

    def seed(self, *given, **options):
        pass


real_random = random._inst
real_datetime = datetime.datetime


class TapeDatetimeType(type):
    def __instancecheck__(cls, value):
        return isinstance(value, real_datetime)

    def __subclasscheck__(cls, kind):
        return issubclass(kind, real_datetime)


class TapeDatetime(real_datetime, metaclass=TapeDatetimeType):
    """datetime.datetime, whose present time is on the tape. It makes ordinary ones."""

    def __new__(cls, *given, **options):
        return real_datetime(*given, **options)

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        return handler.generate_schema(real_datetime)

    @classmethod
    def now(cls, tz=None):
        return drawn("datetime.now", real_datetime.now, tz)

    @classmethod
    def utcnow(cls):
        return drawn("datetime.utcnow", real_datetime.utcnow)

    @classmethod
    def today(cls):
        return drawn("datetime.today", real_datetime.today)


replaced = {id(real_datetime): (real_datetime, TapeDatetime)}  # by the id of the real one


def watch_clocks():
    global library_folders
    if library_folders:
        return
    import langgraph.graph as library
    folders = (os.path.dirname(os.path.dirname(os.path.dirname(library.__file__))),
               os.path.dirname(os.__file__), __file__, "<")
    for name in ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter"):
        replace(time, name, tape_function(f"time.{name}", getattr(time, name)))
    replace(uuid, "uuid4", tape_function("uuid.uuid4", uuid.uuid4))
    inst = TapeRandom()
    for name in dir(random):
        if getattr(getattr(random, name), "__self__", None) is real_random \
                and name not in ("seed", "getstate", "setstate"):
            replace(random, name, getattr(inst, name))
    library_folders = folders


def replace(module, name, made):
    real = getattr(module, name)
    replaced[id(real)] = (real, made)
    setattr(module, name, made)


def watch_imported():
    """If a module outside of the libraries has imported one of these, it gets the one on the
    tape."""
    for module in list(sys.modules.values()):
        file = getattr(module, "__file__", None) or "<"
        if file.startswith(library_folders):
            continue
        for name, value in list(vars(module).items()):
            if id(value) in replaced:
                setattr(module, name, replaced[id(value)][1])
            elif value is datetime:
                stand_in = type(sys)("datetime")
                vars(stand_in).update(vars(datetime), datetime=TapeDatetime)
                setattr(module, name, stand_in)
