"""Random guest programs made from a seed by plain `random`: classes, generators, exceptions, coroutines and match.

The same seed gives the same program, so that a seed that failed can be kept as a test. A program is a list of definitions and
of guarded statements; it always ends (loops have constant bounds, calls are counted), and shows nothing that differs from run
to run. `make_program` puts the parts together; the parts are in seeded_parts.py.
"""

from __future__ import annotations

import random

from seeded_parts import Parts
from seeded_wide import QuickRandom, WideParts

PRELUDE = '''
class Stop(Exception): pass
class Custom(Exception):
    def __init__(self, *args, **extra):
        super().__init__(*args)
        self.extra = extra
class Fatal(BaseException): pass
calls = ticks = 0
def enter():
    global calls
    calls += 1
    return calls < 300
def tick():
    global ticks
    ticks += 1
    return ticks < 400
def text(v, depth=0):
    if v is None or v is NotImplemented or v is Ellipsis or isinstance(v, bool): return repr(v)
    if isinstance(v, int): return type(v).__name__ * (type(v) is not int) + (str(int.__add__(v, 0)) if -10**40 < int.__add__(v, 0) < 10**40 else 'big')
    if isinstance(v, (float, complex, bytes)): return repr(v)[:200]
    if isinstance(v, str): return type(v).__name__ * (type(v) is not str) + repr(str.__getitem__(v, slice(0, 200)))
    if depth > 3: return '...'
    if isinstance(v, list): return type(v).__name__ + str([text(i, depth + 1) for i in list.__iter__(v)])[:400]
    if isinstance(v, tuple): return type(v).__name__ + str([text(i, depth + 1) for i in tuple.__iter__(v)])[:400]
    if isinstance(v, (set, frozenset)): return type(v).__name__ + str(sorted(text(i, depth + 1) for i in v))[:400]
    if isinstance(v, dict): return type(v).__name__ + str([(text(k, depth + 1), text(dict.__getitem__(v, k), depth + 1)) for k in dict.keys(v)])[:400]
    if isinstance(v, BaseException): return error(v, depth + 1)
    if isinstance(v, type): return 'class ' + v.__name__
    return '<' + type(v).__name__ + '>'
def error(e, depth=0):
    found = type(e).__name__ + ': ' + '|'.join(text(a, 2) for a in e.args)[:300]
    if isinstance(e, BaseExceptionGroup):
        found += ' {' + ', '.join(error(inner, depth + 1) for inner in e.exceptions) + '}'
    if depth < 3:
        if e.__cause__ is not None: found += ' from ' + error(e.__cause__, depth + 1)
        elif e.__context__ is not None and not e.__suppress_context__: found += ' after ' + error(e.__context__, depth + 1)
    return found + ' '.join(getattr(e, '__notes__', ()))
def forget(e, depth=0):
    """Drop tracebacks: CPython's keep the frames' locals alive, and when generators in them are closed can be seen."""
    if depth > 6 or not isinstance(e, BaseException): return
    try: e.__traceback__ = None
    except Exception: pass
    forget(e.__context__, depth + 1)
    forget(e.__cause__, depth + 1)
    if isinstance(e, BaseExceptionGroup):
        for inner in e.exceptions: forget(inner, depth + 1)
def show(*values):
    for v in values: forget(v)
    print(*[text(v) for v in values])
def small(v):
    if isinstance(v, bool): return v
    if isinstance(v, int): return v if -2**90 < v < 2**90 else 7
    if isinstance(v, (str, bytes, list, tuple)): return v[:40] if len(v) > 40 else v
    return v
def whole(v): return int(v) if isinstance(v, (int, float)) and abs(v) < 1e15 else 3
kept = []
def keep(v):
    """Keep what the frame that an exception leaves holds: CPython's traceback does so, and when the rest of it runs can be seen."""
    kept.append(v)
    return v
def take(v, n=4):
    try:
        for i, item in enumerate(v):
            if i == n: return
            yield item
    except (Exception, Fatal):
        keep(v)
        raise
class Manager:
    def __init__(self, name='m', swallow=False, fail=None): self.name, self.swallow, self.fail = name, swallow, fail
    def __enter__(self):
        print('enter', self.name)
        if self.fail == 'enter': raise Custom('enter')
        return self
    def __exit__(self, kind, value, traceback):
        print('exit', self.name, kind and kind.__name__, value and text(value))
        if self.fail == 'exit': raise Stop('exit')
        return self.swallow
class Source:
    """An iterator with the methods of a generator, written by hand."""
    def __init__(self, items): self.items = list(items)
    def __iter__(self): return self
    def __next__(self): return self.send(None)
    def send(self, value):
        if not self.items: raise StopIteration(value)
        return (self.items.pop(0), value)
    def throw(self, *error):
        print('throw into source')
        if len(self.items) > 2: return 'caught'
        raise error[0]
    def close(self): print('source closed')
class Pause:
    def __init__(self, value): self.value = value
    def __await__(self):
        got = yield ('pause', self.value)
        return got
class AsyncManager:
    def __init__(self, swallow=False): self.swallow = swallow
    async def __aenter__(self):
        show('aenter', await Pause('in'))
        return [1, 2]
    async def __aexit__(self, kind, value, traceback):
        show('aexit', kind and kind.__name__, await Pause('out'))
        return self.swallow
class AsyncItems:
    def __init__(self, items): self.items = list(items)
    def __aiter__(self): return self
    async def __anext__(self):
        if not self.items: raise StopAsyncIteration
        await Pause('next')
        return self.items.pop(0)
def drive(thing, actions):
    """Drive a generator or a coroutine by send, throw and close, and show what happens."""
    for action, value in actions:
        try:
            if action == 'next': show('next', thing.send(None))
            elif action == 'send': show('sent', thing.send(value))
            elif action == 'throw': show('thrown', thing.throw(value))
            else: show('closed', thing.close())
        except StopIteration as stop:
            show('stop', stop.value)
        except (Fatal, GeneratorExit) as err:
            show('fatal', err)
        except Exception as err:
            show('error', err)
async def drain(thing, actions):
    """Drive an asynchronous generator."""
    for action, value in actions:
        try:
            if action == 'next': show('anext', await thing.__anext__())
            elif action == 'send': show('asent', await thing.asend(value))
            elif action == 'throw': show('athrown', await thing.athrow(value))
            else: show('aclosed', await thing.aclose())
        except StopAsyncIteration:
            show('astop')
        except Exception as err:
            show('aerror', err)
        except BaseException:
            keep(thing)
            raise
def complete(coroutine, limit=60):
    """Run a coroutine to its end, sending it numbers."""
    value = None
    for step in range(limit):
        try:
            show('step', coroutine.send(value))
        except StopIteration as stop:
            return stop.value
        value = step
    try: coroutine.close()
    except RuntimeError as err: show('ignored', err)
    return 'unfinished'
def release():
    """Close what was kept: a frame may still hold it."""
    for thing in kept:
        try:
            if hasattr(thing, 'aclose'): show('kept', complete(thing.aclose()))
            elif hasattr(thing, 'close'): thing.close()
        except BaseException as err:
            show('kept', err)
    kept.clear()
def listed(v):
    """Guests are not shown one of the names."""
    return [n for n in dir(v) if n != '__subclasshook__']
def same(v):
    """What `is` may tell apart: which numbers are one object is up to the implementation."""
    return type(v) if isinstance(v, (int, float, complex, str, bytes, tuple)) and not isinstance(v, bool) else v
'''

EPILOGUE = '''
release()
for _name in ('i', 'j', 'n', 'u', 's', 't', 'l', 'm', 'k', 'x'):
    show(_name, globals().get(_name, 'unbound'))
'''

OLD_FEATURES = ("classes", "generators", "exceptions", "async", "match")
ALL_FEATURES = (*OLD_FEATURES, "wide")


def make_program(seed: int, features: tuple[str, ...] = ALL_FEATURES, prelude: str = PRELUDE) -> str:
    """Return the program of a seed.

    Args:
        seed: any integer.
        features: which of `ALL_FEATURES` the program may use.
        prelude: what defines the helpers: `PRELUDE`, or an import of a module that holds them.
    """
    wide = "wide" in features
    rng = QuickRandom(seed) if wide else random.Random(seed)
    parts = (WideParts if wide else Parts)(rng, features)
    blocks = ["i, j, n, u, s, t, l, m, k, x = 3, -2, 2**62, 1.5, 'text', 'é', [4, 1], [2**63 - 1, 0, 7], {'a': 1, 'b': 2}, None"]
    makers = [(4, parts.function), (6, parts.guarded)]
    if "classes" in features:
        makers += [(4, parts.class_definition), (3, parts.use_class)]
    if "generators" in features:
        makers += [(3, parts.generator_function), (3, parts.drive_generator)]
    if "async" in features:
        makers += [(2, parts.async_function), (1, parts.async_generator), (2, parts.drive_async)]
    if "match" in features:
        makers.append((2, parts.match_program))
    if wide:
        makers.append((14, parts.wide))
    choices, weights = [maker for _, maker in makers], [weight for weight, _ in makers]
    for maker in rng.choices(choices, weights, k=rng.randint(4, 14)):
        blocks.append(maker())
    return prelude + "\n".join(blocks) + EPILOGUE
