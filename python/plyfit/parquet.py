"""Read Parquet files into numpy arrays. Supports the part of the format that plyfit writes.

A file consists of pages and a footer, which contains the offsets of each column's pages.
The reader supports flat columns and lists of numbers, including decimals, and text. It
supports the encodings plain, dictionary, RLE and the three delta encodings, and the codecs
zstd, gzip and none. Any other content causes an error that names it. The format is
described at https://parquet.apache.org/docs/file-format/.

Before Python 3.14, zstd needs the package ``zstandard`` (Debian: python3-zstandard) or
``pyarrow``.
"""

import os
import struct
import zlib
from typing import Iterable, Optional, Union

from .arrays import np

__all__ = ["ParquetError", "read"]


class ParquetError(ValueError):
    """The file is damaged, or has content that this reader does not support."""


def read(path: "Union[str, os.PathLike[str]]", columns: "Optional[Iterable[str]]" = None) -> "dict[str, np.ndarray]":
    """Return the columns of a file by name, in file order.

    columns: names of the columns to read; if None, all

    Each column is a numpy array with one item per row. A null cell is NaN in a column of
    numbers. Columns of text and lists are arrays of objects, in which a null cell is None.
    Raises ParquetError.
    """
    with open(path, "rb") as f:
        data = f.read()
    try:
        return _File(data, columns if columns is None else set(columns)).columns()
    except ParquetError as e:
        raise ParquetError(f"{path}: {e}") from None
    except (IndexError, KeyError, TypeError, ValueError, OverflowError, struct.error, zlib.error) as e:
        raise ParquetError(f"{path}: damaged ({e})") from e


# The footer and the page headers use Thrift's compact protocol. A struct becomes a dict from
# field numbers to values. The value of a boolean is part of its type.

class _Thrift:
    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def unsigned(self):
        n = shift = 0
        while True:
            b = self.byte()
            n |= (b & 0x7F) << shift
            if b < 0x80:
                return n
            shift += 7

    def signed(self):
        n = self.unsigned()
        return n >> 1 ^ -(n & 1)

    def take(self, size):
        if size < 0 or self.at + size > len(self.data):
            raise ParquetError("truncated")
        self.at += size
        return self.data[self.at - size:self.at]

    def struct(self):
        fields, number = {}, 0
        while (head := self.byte()) != 0:
            number = number + (head >> 4) if head >> 4 else self.signed()
            kind = head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self.value(kind)
        return fields

    def value(self, kind):
        if kind in (1, 2):
            return self.byte() == 1
        if kind == 3:
            return struct.unpack("b", self.take(1))[0]
        if kind in (4, 5, 6):
            return self.signed()
        if kind == 7:
            return struct.unpack("<d", self.take(8))[0]
        if kind == 8:
            return self.take(self.unsigned())
        if kind in (9, 10):
            head = self.byte()
            size = head >> 4 if head >> 4 < 15 else self.unsigned()
            return [self.value(head & 15) for _ in range(size)]
        if kind == 12:
            return self.struct()
        raise ParquetError(f"Thrift type {kind} in the footer")


_TYPES = {0: "bool", 1: "<i4", 2: "<i8", 3: "INT96", 4: "<f4", 5: "<f8", 6: "bytes", 7: "bytes"}
_CODECS = {0: "none", 1: "SNAPPY", 2: "gzip", 3: "LZO", 4: "BROTLI", 5: "LZ4", 6: "zstd", 7: "LZ4_RAW"}
_ENCODINGS = {4: "BIT_PACKED", 9: "BYTE_STREAM_SPLIT"}
# Meaning of values, by LogicalType, and by ConvertedType in files of old writers.
_LOGICAL = {1: "text", 4: "text", 5: "decimal", 6: "DATE", 7: "TIME", 8: "TIMESTAMP", 10: "integer", 11: "NULL", 12: "text", 13: "BSON", 14: "UUID", 15: "FLOAT16"}
_CONVERTED = {0: "text", 4: "text", 5: "decimal", 6: "DATE", 7: "TIME", 8: "TIME", 9: "TIMESTAMP", 10: "TIMESTAMP", 19: "text", 20: "BSON", 21: "INTERVAL",
              **dict.fromkeys(range(11, 19), "integer")}
_REQUIRED, _OPTIONAL, _REPEATED = 0, 1, 2


_OTHERWISE = "not supported; exclude the column with columns=, or use pyarrow"


class _Column:
    """A leaf of the schema, with its type and its definition and repetition levels."""

    def __init__(self, path, element):
        self.name = path[0][4].decode()
        self.type, self.size, self.scale = _TYPES.get(element[1], element[1]), element.get(2, 0) if element[1] == 7 else None, None
        logical, old = element.get(10), element.get(6)
        kind = "number"
        if logical:
            number = next(iter(logical))
            kind = _LOGICAL.get(number, f"LogicalType {number}")
        elif old is not None:
            kind = _CONVERTED.get(old, f"ConvertedType {old}")
        if kind == "integer" and (not logical[10][2] if logical else old < 15):
            self.type = self.type.replace("i", "u")
        if kind == "decimal":
            self.scale = logical[5][1] if logical else element.get(7, 0)
        elif kind == "number" and self.size is not None:
            kind = "FIXED_LEN_BYTE_ARRAY"
        elif self.type == "INT96":
            kind = self.type
        if kind not in ("number", "text", "integer", "decimal"):
            raise ParquetError(f"column {self.name}: {kind}: {_OTHERWISE}")
        repetitions = [e.get(3, _REQUIRED) for e in path]
        self.definition = sum(r != _REQUIRED for r in repetitions)
        self.repetition = sum(r == _REPEATED for r in repetitions)
        self.text = kind == "text"
        if self.repetition > 1 or self.repetition == 0 and len(path) > 1:
            raise ParquetError(f"column {self.name}: nested more deeply than a list")
        # Below this definition level, a row has an empty list or none.
        self.filled = 0
        for r in repetitions:
            self.filled += r != _REQUIRED
            if r == _REPEATED:
                break


class _File:
    def __init__(self, data, wanted):
        if len(data) < 12 or data[:4] != b"PAR1" or data[-4:] != b"PAR1":
            raise ParquetError("not a Parquet file; want PAR1 at both ends")
        size = struct.unpack("<I", data[-8:-4])[0]
        if size > len(data) - 12:
            raise ParquetError("the footer is longer than the file")
        self.data, self.wanted = data, wanted
        self.meta = _Thrift(data, len(data) - 8 - size).struct()
        self.leaves = []
        self._walk(iter(self.meta[2][1:]), self.meta[2][0].get(5, 0), [])

    def _walk(self, elements, children, path):
        for _ in range(children):
            e = next(elements)
            if e.get(5, 0):
                self._walk(elements, e[5], path + [e])
            elif self.wanted is None or (path + [e])[0][4].decode() in self.wanted:
                self.leaves.append(_Column(path + [e], e))
            else:
                self.leaves.append(None)

    def columns(self):
        parts = {c.name: [] for c in self.leaves if c}
        if self.wanted and self.wanted - set(parts):
            raise ParquetError(f"no columns {sorted(self.wanted - set(parts))}")
        for group in self.meta[4]:
            for column, chunk in zip(self.leaves, group[1]):
                if column:
                    parts[column.name].append(self._chunk(column, chunk[3], group[3]))
        return {c.name: _joined(c, parts[c.name]) for c in self.leaves if c}

    def _chunk(self, column, meta, rows):
        codec = _CODECS.get(meta[4], meta[4])
        if codec not in ("none", "gzip", "zstd"):
            raise ParquetError(f"column {column.name}: codec {codec}: {_OTHERWISE}")
        at = min(meta[9], meta.get(11) or meta[9])
        dictionary, left, pages = None, meta[5], []
        while left > 0:
            head = _Thrift(self.data, at)
            page = head.struct()
            body = head.take(page[3])
            at = head.at
            if page[1] == 2:  # dictionary page
                dictionary = _plain(column, _unpacked(codec, body, page[2]), page[7][1])
            elif page[1] == 0:
                left -= page[5][1]
                pages.append(_page1(column, _unpacked(codec, body, page[2]), page[5], dictionary))
            elif page[1] == 3:
                left -= page[8][1]
                pages.append(_page2(column, codec, body, page, dictionary))
            elif page[1] != 1:
                raise ParquetError(f"column {column.name}: page of type {page[1]}")
        return _rows(column, pages, rows)


def _unpacked(codec, body, size):
    if codec == "none":
        return body
    if codec == "gzip":
        return zlib.decompress(body, 31)
    try:
        from compression import zstd  # Python 3.14
        return zstd.decompress(body)
    except ImportError:
        pass
    try:
        import zstandard
        return zstandard.ZstdDecompressor().decompress(body, max_output_size=size)
    except ImportError:
        pass
    try:
        import pyarrow
    except ImportError:
        raise ParquetError("compressed with zstd; install the package zstandard (Debian: python3-zstandard) or pyarrow") from None
    return pyarrow.Codec("zstd").decompress(body, decompressed_size=size, asbytes=True)


def _page1(column, body, head, dictionary):
    """Decode a page of version 1: levels, each preceded by its length, and then values."""
    count, at, levels = head[1], 0, []
    for most in (column.repetition, column.definition):
        if most == 0:
            levels.append(np.zeros(count, int))
            continue
        size = struct.unpack_from("<I", body, at)[0]
        levels.append(_hybrid(body[at + 4:at + 4 + size], most.bit_length(), count))
        at += 4 + size
    present = int(np.count_nonzero(levels[1] == column.definition))
    return levels, _values(column, head[2], body[at:], present, dictionary)


def _page2(column, codec, body, page, dictionary):
    """Decode a page of version 2: uncompressed levels, and then values."""
    head = page[8]
    count, definitions, repetitions = head[1], head[5], head[6]
    levels = [np.zeros(count, int), np.zeros(count, int)]
    if column.repetition:
        levels[0] = _hybrid(body[:repetitions], column.repetition.bit_length(), count)
    if column.definition:
        levels[1] = _hybrid(body[repetitions:repetitions + definitions], column.definition.bit_length(), count)
    rest = body[repetitions + definitions:]
    if head.get(7, True) and rest:
        rest = _unpacked(codec, rest, page[2] - repetitions - definitions)
    present = int(np.count_nonzero(levels[1] == column.definition))
    return levels, _values(column, head[4], rest, present, dictionary)


def _values(column, encoding, body, count, dictionary):
    if encoding == 0:
        return _plain(column, body, count)
    if encoding in (2, 8):  # dictionary indices
        if count == 0:
            return dictionary[:0]
        return dictionary[_hybrid(body[1:], body[0], count)]
    if encoding == 3:  # RLE of booleans
        return _hybrid(body[4:], 1, count).astype(bool)
    if encoding == 5:
        return _deltas(body, count)[0].astype(column.type)
    if encoding == 6:
        return _delta_lengths(column, body, count)
    if encoding == 7:
        prefixes, at = _deltas(body, count)
        suffixes = _delta_lengths(None, body[at:], count)
        out, last = np.empty(count, object), b""
        for i, suffix in enumerate(suffixes):
            out[i] = last = last[:prefixes[i]] + suffix
        return _text(column, out)
    raise ParquetError(f"column {column.name}: encoding {_ENCODINGS.get(encoding, encoding)}: {_OTHERWISE}")


def _plain(column, body, count):
    if column.type == "bool":
        return np.unpackbits(np.frombuffer(body, np.uint8), bitorder="little")[:count].astype(bool)
    if column.type != "bytes":
        return np.frombuffer(body, column.type, count)
    out, at = np.empty(count, object), 0
    for i in range(count):
        size = column.size
        if size is None:
            size, at = struct.unpack_from("<I", body, at)[0], at + 4
        out[i] = body[at:at + size]
        if len(out[i]) != size:
            raise ParquetError("truncated")
        at += size
    return _text(column, out)


def _text(column, cells):
    if column is not None and column.text:
        for i, c in enumerate(cells):
            cells[i] = c.decode()
    return cells


def _hybrid(body, width, count):
    """Decode integers of width bits, stored as runs of one value or in groups of eight."""
    out, filled, reader = np.zeros(count, np.int64), 0, _Thrift(body, 0)
    while filled < count:
        head = reader.unsigned()
        if head & 1:
            n = (head >> 1) * 8
            values = _bits(reader.take((head >> 1) * width), width, n)
        else:
            n = head >> 1
            values = int.from_bytes(reader.take((width + 7) // 8), "little")
        if n == 0:
            raise ParquetError("an empty run")
        out[filled:filled + n] = values if np.isscalar(values) else values[:count - filled]
        filled += n
    return out


def _bits(body, width, count):
    if width == 0:
        return np.zeros(count, np.uint64)
    bits = np.unpackbits(np.frombuffer(body, np.uint8), bitorder="little")[:count * width]
    powers = np.left_shift(np.uint64(1), np.arange(width, dtype=np.uint64))
    return (bits.reshape(count, width).astype(np.uint64) * powers).sum(axis=1, dtype=np.uint64)


def _deltas(body, count):
    """Decode DELTA_BINARY_PACKED: a first value, then blocks of differences.

    Returns the values and the offset of the end.
    """
    reader = _Thrift(body, 0)
    block, miniblocks, total, first = reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.signed()
    size = block // miniblocks
    differences = []
    filled = 1
    while filled < total:
        least = reader.signed()
        for width in reader.take(miniblocks):
            if filled >= total:
                break
            packed = _bits(reader.take(size * width // 8), width, size)
            differences.append((packed + np.uint64(least & 0xFFFFFFFFFFFFFFFF)).astype(np.int64))
            filled += size
    values = np.cumsum(np.concatenate([np.array([first], np.int64)] + differences))[:total]
    if total != count:
        raise ParquetError(f"{total} values, want {count}")
    return values, reader.at


def _delta_lengths(column, body, count):
    lengths, at = _deltas(body, count)
    out = np.empty(count, object)
    for i, n in enumerate(lengths):
        out[i] = body[at:at + n]
        at += n
    return _text(column, out)


def _rows(column, pages, rows):
    """Assemble the rows of a chunk from its levels and values."""
    if not pages:
        raise ParquetError(f"column {column.name}: no pages")
    repetition = np.concatenate([p[0][0] for p in pages])
    definition = np.concatenate([p[0][1] for p in pages])
    values = np.concatenate([p[1] for p in pages])
    if column.scale is not None:
        values = _decimals(values, 10**column.scale)
    if column.repetition:
        return _lists(column, repetition, definition, values, rows)
    if len(definition) != rows:
        raise ParquetError(f"column {column.name}: {len(definition)} rows, want {rows}")
    present = definition == column.definition
    if present.all():
        return values
    numbers = values.dtype != object
    out = np.full(rows, np.nan if numbers else None, float if numbers else object)
    out[present] = values
    return out


def _decimals(values, unit):
    """Convert whole multiples of 1/unit, as numbers or big-endian bytes, to floats."""
    whole = (int.from_bytes(v, "big", signed=True) if isinstance(v, bytes) else int(v) for v in values)
    return np.array([n / unit for n in whole], float)


def _lists(column, repetition, definition, values, rows):
    starts = np.flatnonzero(repetition == 0)
    if len(starts) != rows:
        raise ParquetError(f"column {column.name}: {len(starts)} rows, want {rows}")
    present = definition == column.definition
    if np.any((definition >= column.filled) & ~present):
        raise ParquetError(f"column {column.name}: null in a list")
    before = np.concatenate([[0], np.cumsum(present)])
    ends = np.append(starts[1:], len(repetition))
    out = np.empty(rows, object)
    for i, (a, b) in enumerate(zip(starts, ends)):
        # A row without items is None if the list itself is missing.
        out[i] = values[before[a]:before[b]] if definition[a] >= column.filled - 1 else None
    return out


def _joined(column, parts):
    if parts:
        return np.concatenate(parts)
    if column.scale is not None:
        return np.empty(0)
    return np.empty(0, {"bool": bool, "bytes": object}.get(column.type, column.type))
