"""Readers of plyfit's files: data sets, tables of samples, models and records of games.

    for row in plyfit.data.rows("data"):           # one dict per decision
    frame = plyfit.data.records("data")            # the same as a pandas DataFrame
    x, y = plyfit.data.samples("table.csv")        # numpy arrays, as used by a fit
    model = plyfit.data.Model.load("model.json")   # weights by name

``records`` and ``Model.frame`` need pandas. ``samples``, models with tables and sums of
models need numpy. The rest needs only Python's standard library.
"""

import hashlib
import json
import math
import os
import subprocess
from typing import TYPE_CHECKING, Any, Iterable, Iterator, Optional, Sequence

from .server import PlyfitError, program, wanted

try:
    from . import parquet
    from .arrays import np
except ImportError:
    if TYPE_CHECKING:
        raise
    np = parquet = None

if TYPE_CHECKING:
    import pandas

__all__ = ["Model", "Samples", "games", "manifest", "records", "rows", "samples"]


def _wanted(package: str) -> None:
    """Raise PlyfitError if the package is not installed."""
    if package == "numpy" and np is not None:
        return
    try:
        __import__(package)
    except ImportError:
        raise PlyfitError(wanted(package)) from None


def manifest(folder: str) -> "dict[str, Any]":
    """Return the content of a data set's dataset.json as a dict."""
    path = os.path.join(folder, "dataset.json")
    with open(path, encoding="utf-8") as f:
        m = json.load(f)
    if m.get("format") != "plyfit-dataset/1":
        raise ValueError(f"{path}: format {m.get('format')!r}; want plyfit-dataset/1")
    return m


def rows(folder: str) -> "Iterator[dict[str, Any]]":
    """Yield the decisions of a data set as dicts. docs/datasets.md describes the columns.

    The plyfit program reads the files, so no other package is needed. See
    ``plyfit.server.program``.
    """
    count = manifest(folder)["records"]
    reader = subprocess.Popen([program(), "dataset", "head", folder, "-n", str(count), "--json"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert reader.stdout is not None and reader.stderr is not None
    with reader:
        for line in reader.stdout:
            yield json.loads(line)
        if reader.wait() != 0:
            raise PlyfitError(reader.stderr.read().strip())


def records(folder: str, columns: Optional[Iterable[str]] = None) -> "pandas.DataFrame":
    """Return all decisions of a complete data set as a DataFrame.

    columns: names of the columns to read; if None, all. docs/datasets.md describes them.
        "outcome" contains an array per row. The columns "outcome0", "outcome1" and so on
        contain the same values, one column per player.
    """
    _wanted("numpy")
    _wanted("pandas")
    import pandas
    columns = None if columns is None else list(columns)
    m = manifest(folder)
    if not m["complete"]:
        raise ValueError(f"{folder}: the data set is incomplete; run the command that created it again")
    frames = []
    for shard in m["shards"]:
        path = os.path.join(folder, shard["file"])
        _sealed(path)
        read = parquet.read(path)
        if len(read["episode"]) != shard["records"]:
            raise ValueError(f"{path}: {len(read['episode'])} records, want {shard['records']}")
        for p, utilities in enumerate(np.stack(read["outcome"]).T):
            read[f"outcome{p}"] = utilities
        frames.append(pandas.DataFrame({k: v for k, v in read.items() if columns is None or k in columns}))
    frame = pandas.concat(frames, ignore_index=True)
    return frame if columns is None else frame[columns]


_SEAL = b"plyfit.sha256"


def _sealed(path):
    """Check the seal of a shard: the SHA-256 of the file with zeros in place of the seal."""
    with open(path, "rb") as f:
        data = f.read()
    at = data.rfind(_SEAL)
    if at < 0:
        return  # written by another program
    seal = data[at + len(_SEAL):][:70]
    start = next((i for i in range(len(seal) - 63) if all(c in b"0123456789abcdef" for c in seal[i:i + 64])), None)
    if start is None:
        raise ValueError(f"{path}: damaged: the seal cannot be read")
    begin = at + len(_SEAL) + start
    if hashlib.sha256(data[:begin] + b"0" * 64 + data[begin + 64:]).hexdigest().encode() != data[begin:begin + 64]:
        raise ValueError(f"{path}: damaged: the seal does not match")


class Samples:
    """Samples for a fit. x[i] contains the features of row i, and y[i] is its label.

    names: names of the columns of x
    x: array of rows by features, including the column "bias" if the file has it
    y: labels, in the game's units
    weight, episode, kind: one value per row; if the file lacks the column, these are ones,
        row numbers and zeros
    """

    def __init__(self, columns: "dict[str, Any]", path: str) -> None:
        _wanted("numpy")
        if "label" not in columns:
            raise ValueError(f"{path}: missing column label")
        self.y = np.asarray(columns["label"], float)
        rows = len(self.y)
        self.weight = np.asarray(columns.get("weight", np.ones(rows)), float)
        self.episode = np.asarray(columns.get("episode", np.arange(rows)), np.int64)
        self.kind = np.asarray(columns.get("kind", np.zeros(rows)), np.int64)
        self.names = [c for c in columns if c not in ("label", "weight", "episode", "kind")]
        self.x = np.column_stack([np.asarray(columns[n], float) for n in self.names]) if self.names else np.empty((rows, 0))

    def __iter__(self) -> "Iterator[np.ndarray]":  # x, y = samples(...)
        return iter((self.x, self.y))


def samples(path: str) -> Samples:
    """Read Samples from a table in the format .csv (of ``plyfit dataset export``), .npz or .parquet."""
    _wanted("numpy")
    ending = os.path.splitext(path)[1].lower()
    if ending == ".csv":
        with open(path, encoding="utf-8") as f:
            names = f.readline().rstrip("\r\n").split(",")
            rows = np.loadtxt(f, delimiter=",", ndmin=2)
        if rows.size and rows.shape[1] != len(names):
            raise ValueError(f"{path}: {rows.shape[1]} columns, but {len(names)} names")
        return Samples(dict(zip(names, rows.T.reshape(len(names), -1))), path)
    if ending == ".npz":
        with np.load(path) as f:
            columns = {}
            if {"format", "data", "shape"} <= set(f.files):
                raise ValueError(f"{path}: SciPy sparse matrix; want one array per column")
            for name in f.files:
                a = f[name]
                if a.dtype.names:
                    raise ValueError(f"{path}: array {name!r} is structured; want one array per column")
                columns.update({name: a} if a.ndim == 1 else {f"{name}{i}": c for i, c in enumerate(a.T)})
        return Samples(columns, path)
    if ending == ".parquet":
        return Samples(parquet.read(path), path)
    raise ValueError(f"{path}: want a name that ends in .csv, .npz or .parquet")


class Model:
    """A linear evaluation.

    game, features: game and feature set of the model
    link, scale: function from the weighted sum to the utility
    bias: bias of player 0
    weights, errors: dicts by the name of the term; missing terms have weight 0, and errors
        contains only the standard errors in the file
    tables: float32 arrays of weights, by the name of the table
    provenance: description of how to reproduce the model, as a dict
    """

    def __init__(self, file: "dict[str, Any]", tables: "Optional[dict[str, np.ndarray]]" = None) -> None:
        if file.get("format") != "plyfit-model/1":
            raise ValueError(f"format {file.get('format')!r}; want plyfit-model/1")
        self.game, self.features = file["game"], file["features"]
        self.link, self.scale = file["link"], file.get("scale", 1.0)
        if self.link not in ("identity", "logistic", "tanh"):
            raise ValueError(f"link {self.link!r}; want identity, logistic or tanh")
        self.bias, self.bias_error = file.get("bias", 0.0), file.get("bias_se")
        self.weights = {t["name"]: t["weight"] for t in file["terms"]}
        self.errors = {t["name"]: t["se"] for t in file["terms"] if "se" in t}
        self.tables, self.provenance = tables or {}, file.get("provenance")

    @classmethod
    def load(cls, path: str) -> "Model":
        """Read a model file, and the file of its tables if it has one."""
        with open(path, encoding="utf-8") as f:
            file = json.load(f)
        tables = {}
        try:
            if "table" in file:
                _wanted("numpy")
                t = file["table"]
                beside = os.path.join(os.path.dirname(path), t.get("file") or os.path.splitext(os.path.basename(path))[0] + ".weights")
                tables = _tables(beside, t)
            return cls(file, tables)
        except (KeyError, ValueError) as e:
            raise ValueError(f"{path}: {e}") from e

    def frame(self) -> "pandas.DataFrame":
        """Return the weights as a DataFrame of term, weight, and the 95% interval low to high."""
        _wanted("numpy")
        _wanted("pandas")
        import pandas
        weight = np.array(list(self.weights.values()), float)
        error = np.array([self.errors.get(n, math.nan) for n in self.weights])
        return pandas.DataFrame({"term": list(self.weights), "weight": weight,
                                 "low": weight - 1.96 * error, "high": weight + 1.96 * error})

    def vector(self, names: Sequence[str]) -> "np.ndarray":
        """Return the weights of the named features, in order. The name "bias" gives the bias."""
        _wanted("numpy")
        return np.array([self.bias if n == "bias" else self.weights.get(n, 0.0) for n in names])

    def sum(self, samples: Samples) -> "np.ndarray":
        """Return the weighted sum, before the link, for each row of samples.

        Raises ValueError for a model with tables.
        """
        if self.tables:
            raise ValueError("the model has tables; use Server and State.evaluate")
        return samples.x @ self.vector(samples.names)

    def utility(self, z: Any, low: float, high: float) -> "np.ndarray":
        """Apply the link: convert sums to expected utilities from low to high."""
        _wanted("numpy")
        z = np.asarray(z, float)
        if self.link == "identity":
            return z
        if self.link == "logistic":
            return low + (high - low) / (1 + np.exp(-self.scale * z))
        return (low + high) / 2 + (high - low) / 2 * np.tanh(self.scale * z)


def _tables(path, table):
    with open(path, "rb") as f:
        data = f.read()
    if hashlib.sha256(data).hexdigest() != table["sha256"]:
        raise ValueError(f"{path}: not the tables of this model, because the SHA-256 differs")
    if table.get("bits", 32) == 16:
        return _halves(path, data, table)
    if data[:8] != b"plyfitW1" or len(data) != 16 + 4 * int.from_bytes(data[8:16], "little"):
        raise ValueError(f"{path}: want plyfitW1, the number of weights, and that many weights")
    weights, tables, at = np.frombuffer(data, "<f4", offset=16), {}, 0
    for b in table["blocks"]:
        tables[b["name"]] = weights[at:at + b["len"]]
        at += b["len"]
    if at != len(weights):
        raise ValueError(f"{path}: {len(weights)} weights, want {at}")
    return tables


def _halves(path, data, table):
    """Return tables of 16-bit weights. Each block has a step, then its weights in steps."""
    count = sum(b["len"] for b in table["blocks"])
    size = 16 + 2 * count + 4 * len(table["blocks"])
    if data[:8] != b"plyfitW2" or int.from_bytes(data[8:16], "little") != count or len(data) != size:
        raise ValueError(f"{path}: want plyfitW2, {count} weights, and {size} bytes")
    tables, at = {}, 16
    for b in table["blocks"]:
        step = np.frombuffer(data, "<f4", 1, at)[0]
        tables[b["name"]] = step * np.frombuffer(data, "<i2", b["len"], at + 4).astype("<f4")
        at += 4 + 2 * b["len"]
    return tables


def games(path: str) -> "Iterator[dict[str, Any]]":
    """Yield the games in a file of ``plyfit match --records FILE.jsonl`` as dicts."""
    with open(path, encoding="utf-8") as f:
        for line in f:
            yield json.loads(line)
