package models

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is a decoded field of a protocol buffer's message.
type field struct {
	number  protowire.Number
	varint  uint64
	payload []byte
}

func decode(t *testing.T, data []byte) (fields []field) {
	t.Helper()
	for len(data) > 0 {
		number, kind, n := protowire.ConsumeTag(data)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		data = data[n:]
		f := field{number: number}
		switch kind {
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(data)
		case protowire.BytesType:
			f.payload, n = protowire.ConsumeBytes(data)
		default:
			t.Fatalf("field %d has wire type %d", number, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		data = data[n:]
		fields = append(fields, f)
	}
	return fields
}

func all(fields []field, number protowire.Number) (out [][]byte) {
	for _, f := range fields {
		if f.number == number {
			out = append(out, f.payload)
		}
	}
	return out
}

func first(fields []field, number protowire.Number) string {
	if found := all(fields, number); len(found) > 0 {
		return string(found[0])
	}
	return ""
}

func number1(fields []field, number protowire.Number) uint64 {
	for _, f := range fields {
		if f.number == number {
			return f.varint
		}
	}
	return 0
}

func float32s(t *testing.T, packed []byte) (out []float32) {
	for len(packed) > 0 {
		bits, n := protowire.ConsumeFixed32(packed)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		out, packed = append(out, math.Float32frombits(bits)), packed[n:]
	}
	return out
}

// runtime is as much of an ONNX runtime as these models need, in single
// precision.
func runtime(t *testing.T, model []byte) func(x []float64) float64 {
	m := decode(t, model)
	if v := number1(m, 1); v != 8 {
		t.Fatalf("ir_version %d", v)
	}
	sets := map[string]uint64{}
	for _, o := range all(m, 8) {
		f := decode(t, o)
		sets[first(f, 1)] = number1(f, 2)
	}
	if sets[""] != 13 || sets["ai.onnx.ml"] != 1 {
		t.Fatalf("operator sets %v", sets)
	}
	graph := decode(t, []byte(first(m, 7)))
	constants := map[string]float32{}
	for _, c := range all(graph, 5) {
		f := decode(t, c)
		if number1(f, 2) != 1 || len(all(f, 1)) != 0 {
			t.Fatal("a constant that is no float scalar")
		}
		constants[first(f, 8)] = float32s(t, all(f, 9)[0])[0]
	}
	for name, info := range map[string][]byte{"x": all(graph, 11)[0], "value": all(graph, 12)[0]} {
		if got := first(decode(t, info), 1); got != name {
			t.Fatalf("input or output %q, want %q", got, name)
		}
	}
	return func(x []float64) float64 {
		values := map[string]float32{}
		for k, v := range constants {
			values[k] = v
		}
		for _, n := range all(graph, 1) {
			f := decode(t, n)
			var in []string
			for _, name := range all(f, 1) {
				in = append(in, string(name))
			}
			var y float32
			switch op := first(f, 4); op {
			case "LinearRegressor":
				if first(f, 7) != "ai.onnx.ml" || in[0] != "x" {
					t.Fatalf("LinearRegressor of %q on %v", first(f, 7), in)
				}
				for _, a := range all(f, 5) {
					a := decode(t, a)
					switch name := first(a, 1); name {
					case "coefficients":
						w := float32s(t, all(a, 7)[0])
						if number1(a, 20) != 6 || len(w) != len(x) {
							t.Fatalf("%d coefficients", len(w))
						}
						for i, v := range x {
							y += w[i] * float32(v)
						}
					case "intercepts":
						y += float32s(t, all(a, 7)[0])[0]
					case "targets":
						if number1(a, 3) != 1 || number1(a, 20) != 2 {
							t.Fatal("targets")
						}
					default:
						t.Fatalf("attribute %q", name)
					}
				}
			case "Mul":
				y = values[in[0]] * values[in[1]]
			case "Add":
				y = values[in[0]] + values[in[1]]
			case "Sigmoid":
				y = float32(1 / (1 + math.Exp(-float64(values[in[0]]))))
			case "Tanh":
				y = float32(math.Tanh(float64(values[in[0]])))
			default:
				t.Fatalf("operator %q", op)
			}
			values[first(f, 2)] = y
		}
		return float64(values["value"])
	}
}

func TestONNXAgrees(t *testing.T) {
	for _, e := range exported() {
		var b bytes.Buffer
		if err := e.ONNX(&b); err != nil {
			t.Fatal(err)
		}
		eval := runtime(t, b.Bytes())
		m := decode(t, b.Bytes())
		if doc := first(m, 6); !strings.Contains(doc, "to 1e-05*(|bias| + sum of |weight*x|) in z") {
			t.Errorf("no tolerance in %q", doc)
		}
		xs := vectors(e.Model.Len())
		for i, x := range xs {
			size := math.Abs(e.Model.Bias)
			for k, v := range x {
				size += math.Abs(v * e.Model.Weight(int32(k)))
			}
			z := e.Model.Bias + e.Model.Dot(sparse(x))
			slack := toleranceONNX * size
			lo, hi := e.Model.Link.Apply(z-slack, e.Min, e.Max), e.Model.Link.Apply(z+slack, e.Min, e.Max)
			// The link itself is in single precision, too.
			rounding := 4e-7 * 4
			if got := eval(x); !(got >= lo-rounding && got <= hi+rounding) {
				t.Fatalf("%s, vector %d: %v, want %v, between %v and %v", e.Name, i, got, e.value(x), lo, hi)
			}
		}
	}
}

// The file is the same every time.
func TestONNXRepeats(t *testing.T) {
	m := New("pig", "pig/basic", []Block{{Name: "score", Len: 1}})
	var a, b bytes.Buffer
	e := &Export{Model: m}
	if err := errors.Join(e.ONNX(&a), e.ONNX(&b)); err != nil {
		t.Fatal(err)
	}
	if a.Len() == 0 || !bytes.Equal(a.Bytes(), b.Bytes()) {
		t.Errorf("%d bytes, then %d others", a.Len(), b.Len())
	}
}
