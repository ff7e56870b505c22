"""The Mersenne Twister. Where the host's policy gives a seed, generators without one of their own begin with it."""
from _native_random import Random, is_seeded, urandom

if is_seeded():
    class Random(Random):
        def seed(self, a=None, /):
            super().seed(int.from_bytes(urandom(32), "big") if a is None else a)

del is_seeded
