"""numpy, or an ImportError with instructions to install it."""

from .server import wanted

__all__ = ["np"]

try:
    import numpy as np
except ImportError:
    raise ImportError(wanted("numpy"), name="numpy") from None
