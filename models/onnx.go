package models

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// toleranceONNX is how far the ONNX export, which computes in single precision,
// may differ in z: toleranceONNX * (|bias| + sum of |w_i x_i|).
const toleranceONNX = 1e-5

// onnxWeights keeps the file below the 2 GiB that a protocol buffer may have.
const onnxWeights = 1 << 28

// ONNX writes the evaluation as an ONNX model of IR version 8: input "x", float
// [positions, features]; output "value", float [positions, 1]. The sum is an
// ai.onnx.ml.LinearRegressor; a link is Mul, Sigmoid or Tanh, Mul and Add. The
// encoding is that of onnx.proto3 (github.com/onnx/onnx), written out by hand,
// since a generated package would be a hundred times as long.
func (e *Export) ONNX(w io.Writer) error {
	if err := e.check(onnxWeights); err != nil {
		return err
	}
	m := e.Model
	coefficients := make([]float32, m.Len())
	for i := range coefficients {
		c := float32(m.Weight(int32(i)))
		if math.IsInf(float64(c), 0) {
			return fmt.Errorf("model of %s: weight of %q: want a number that float32 can hold, found %v", m.Game, m.Name(int32(i)), m.Weight(int32(i)))
		}
		coefficients[i] = c
	}
	var graph message
	sum := "z"
	if m.Link.kind() == Identity {
		sum = "value"
	}
	var regressor message
	regressor.text(1, "x")
	regressor.text(2, sum)
	regressor.text(3, "sum")
	regressor.text(4, "LinearRegressor")
	regressor.message(5, floats("coefficients", coefficients))
	regressor.message(5, floats("intercepts", []float32{float32(m.Bias)}))
	regressor.message(5, integer("targets", 1))
	regressor.text(7, "ai.onnx.ml")
	graph.message(1, regressor)
	if m.Link.kind() != Identity {
		// logistic: lo + (hi-lo) sigmoid(scale z); tanh: (lo+hi)/2 + (hi-lo)/2 tanh(scale z)
		op, factor, offset := "Sigmoid", e.Max-e.Min, e.Min
		if m.Link.Kind == Tanh {
			op, factor, offset = "Tanh", (e.Max-e.Min)/2, (e.Max+e.Min)/2
		}
		graph.message(1, node("Mul", "scaled", "z", "scale"))
		graph.message(1, node(op, "squashed", "scaled"))
		graph.message(1, node("Mul", "stretched", "squashed", "factor"))
		graph.message(1, node("Add", "value", "stretched", "offset"))
		graph.message(5, scalar("scale", m.Link.scale()))
		graph.message(5, scalar("factor", factor))
		graph.message(5, scalar("offset", offset))
	}
	graph.text(2, "evaluation")
	graph.message(11, tensorInfo("x", int64(m.Len())))
	graph.message(12, tensorInfo("value", 1))

	agrees := fmt.Sprintf("Agrees with plyfit's own evaluator to %v*(|bias| + sum of |weight*x|) in z.", toleranceONNX)
	var model message
	model.varint(1, 8) // ir_version
	model.text(2, "plyfit")
	model.text(6, strings.Join(append(e.about(), agrees), " "))
	model.message(7, graph)
	model.message(8, opset("", 13))
	model.message(8, opset("ai.onnx.ml", 1))
	model.message(14, entry("game", m.Game))
	model.message(14, entry("features", m.Features))
	model.message(14, entry("leaves", e.leaves()))
	model.message(14, entry("tolerance", number(toleranceONNX)))
	model.message(14, entry("names", strings.Join(e.denseNames(), "\n")))
	_, err := w.Write(model)
	return err
}

// denseNames are the names of the features that stand in no table, in order.
func (e *Export) denseNames() []string {
	var names []string
	for _, b := range e.Model.Blocks {
		for k := 0; k < b.Len && !b.Table; k++ {
			names = append(names, b.FeatureName(k))
		}
	}
	return names
}

// message is a protocol buffer's message being written: fields with their
// numbers, as protobuf.dev/programming-guides/encoding has it.
type message []byte

const (
	wireVarint = 0
	wireBytes  = 2
)

func (b *message) tag(field, wire uint64) { *b = binary.AppendUvarint(*b, field<<3|wire) }

func (b *message) varint(field, x uint64) {
	b.tag(field, wireVarint)
	*b = binary.AppendUvarint(*b, x)
}

func (b *message) text(field uint64, s string) {
	b.tag(field, wireBytes)
	*b = binary.AppendUvarint(*b, uint64(len(s)))
	*b = append(*b, s...)
}

func (b *message) message(field uint64, m message) {
	b.tag(field, wireBytes)
	*b = binary.AppendUvarint(*b, uint64(len(m)))
	*b = append(*b, m...)
}

// AttributeProto.AttributeType
const (
	attributeInt    = 2
	attributeFloats = 6
)

func floats(name string, values []float32) message {
	packed := make(message, 0, 4*len(values))
	for _, v := range values {
		packed = binary.LittleEndian.AppendUint32(packed, math.Float32bits(v))
	}
	a := make(message, 0, len(packed)+64)
	a.text(1, name)
	a.message(7, packed)
	a.varint(20, attributeFloats)
	return a
}

func integer(name string, x uint64) message {
	var a message
	a.text(1, name)
	a.varint(3, x)
	a.varint(20, attributeInt)
	return a
}

// elemFloat is TensorProto.FLOAT.
const elemFloat = 1

// scalar is a TensorProto of no dimensions.
func scalar(name string, x float64) message {
	var t message
	t.varint(2, elemFloat)
	t.text(8, name)
	t.message(9, binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(x))))
	return t
}

func node(op, output string, inputs ...string) message {
	var n message
	for _, in := range inputs {
		n.text(1, in)
	}
	n.text(2, output)
	n.text(3, output)
	n.text(4, op)
	return n
}

// tensorInfo is a ValueInfoProto of float [positions, columns].
func tensorInfo(name string, columns int64) message {
	var rows, cols, shape, tensor, kind, info message
	rows.text(2, "positions")
	cols.varint(1, uint64(columns))
	shape.message(1, rows)
	shape.message(1, cols)
	tensor.varint(1, elemFloat)
	tensor.message(2, shape)
	kind.message(1, tensor)
	info.text(1, name)
	info.message(2, kind)
	return info
}

func opset(domain string, version uint64) message {
	var o message
	o.text(1, domain)
	o.varint(2, version)
	return o
}

func entry(key, value string) message {
	var e message
	e.text(1, key)
	e.text(2, value)
	return e
}
