"""plyfit's games, evaluations and searches, and what it keeps in files.

``Server`` runs ``plyfit serve --stdio`` and speaks to it; a ``State`` of it is a game at
play; ``plyfit.agent`` makes a player of functions. Nothing but Python's own library is
needed for these.

- ``plyfit.data``: data sets, tables of samples and models. Rows of a data set, records
  of games and a model's weights want nothing more, arrays numpy, frames pandas

These want numpy:

- ``plyfit.solo``: a game as an environment of Gymnasium
- ``plyfit.aec``: a game as an environment of PettingZoo (AEC)
- ``plyfit.parquet``: Parquet files
"""

from .server import Outcome, PlyfitError, Server, State

__all__ = ["Outcome", "PlyfitError", "Server", "State"]

__version__ = "0.3.0"
