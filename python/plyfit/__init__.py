"""Games, evaluations, searches and data files of plyfit.

A ``Server`` runs ``plyfit serve --stdio`` and communicates with it. A ``State`` is a game
in progress on a server. ``plyfit.agent`` turns functions into a player. These need only
Python's standard library.

- ``plyfit.data``: data sets, tables of samples and models. Rows of a data set, records of
  games and a model's weights need only the standard library. Arrays need numpy, and data
  frames need pandas

The following modules need numpy:

- ``plyfit.solo``: a game as an environment of Gymnasium
- ``plyfit.aec``: a game as an environment of PettingZoo (AEC)
- ``plyfit.parquet``: a reader of Parquet files
"""

from .server import Outcome, PlyfitError, Server, State

__all__ = ["Outcome", "PlyfitError", "Server", "State"]

__version__ = "0.3.0"
