"""Gymnasium's spaces, or replacements with the methods that the environments need."""

from .arrays import np

try:
    from gymnasium.spaces import Box, Dict, Discrete
except ImportError:
    class _Space:
        def __init__(self, seed=None):
            self.seed(seed)

        def seed(self, seed=None):
            self._rng = np.random.default_rng(seed)

        def __contains__(self, x):
            return self.contains(x)

    class Discrete(_Space):
        """The whole numbers from 0 to n-1."""

        def __init__(self, n, seed=None):
            super().__init__(seed)
            self.n, self.shape, self.dtype = np.int64(n), (), np.dtype(np.int64)

        def contains(self, x):
            return isinstance(x, (int, np.integer)) and 0 <= x < self.n

        def sample(self, mask=None):
            """Return a random number, chosen uniformly among the numbers whose mask is 1."""
            return np.int64(self._rng.choice(self.n if mask is None else np.flatnonzero(mask)))

    class Box(_Space):
        """Arrays of a given shape with numbers from low to high."""

        def __init__(self, low, high, shape, dtype, seed=None):
            super().__init__(seed)
            self.shape, self.dtype = shape, np.dtype(dtype)
            self.low, self.high = np.full(shape, low, dtype), np.full(shape, high, dtype)

        def contains(self, x):
            return (isinstance(x, np.ndarray) and x.shape == self.shape and np.can_cast(x.dtype, self.dtype)
                    and bool(np.all(x >= self.low) and np.all(x <= self.high)))

    class Dict(_Space):
        """Dicts with one item from each of the spaces."""

        def __init__(self, spaces, seed=None):
            super().__init__(seed)
            self.spaces = dict(spaces)

        def __getitem__(self, key):
            return self.spaces[key]

        def contains(self, x):
            return isinstance(x, dict) and x.keys() == self.spaces.keys() and all(x[k] in s for k, s in self.spaces.items())

__all__ = ["Box", "Dict", "Discrete"]
