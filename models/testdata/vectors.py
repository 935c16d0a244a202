"""Evaluate vectors from standard input with exported modules, the arguments after the length."""
import importlib.util
import struct
import sys

n, modules = int(sys.argv[1]), []
for path in sys.argv[2:]:
    spec = importlib.util.spec_from_file_location("evaluation", path)
    modules.append(importlib.util.module_from_spec(spec))
    spec.loader.exec_module(modules[-1])
    assert modules[-1].TERMS[9][0] == 'say "x"', modules[-1].TERMS
for (*x,) in struct.iter_unpack("<%dd" % n, sys.stdin.buffer.read()):
    sparse = {i: v for i, v in enumerate(x) if v}
    for m in modules:
        sys.stdout.buffer.write(struct.pack("<2d", m.evaluate(x), m.evaluate_sparse(sparse)))
