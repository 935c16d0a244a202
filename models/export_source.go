package models

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Go writes a Go source file that compiles alone: a package with the features'
// names and weights, Eval over a dense vector and EvalSparse over pairs.
func (e *Export) Go(w io.Writer) error {
	if err := e.check(sourceWeights); err != nil {
		return err
	}
	m := e.Model
	var b strings.Builder
	fmt.Fprintf(&b, "// Package %s is made by plyfit; do not edit.\n//\n", e.name())
	for _, line := range append(e.about(), exact()) {
		fmt.Fprintf(&b, "// %s\n", line)
	}
	fmt.Fprintf(&b, "package %s\n\n", e.name())
	if m.Link.kind() != Identity {
		b.WriteString("import \"math\"\n\n")
	}
	fmt.Fprintf(&b, "// Leaves are the positions that the model judges: decision or afterstate.\nconst Leaves = %s\n\n", strconv.Quote(e.leaves()))
	fmt.Fprintf(&b, "// Bias is the sum at a position without features.\nconst Bias float64 = %s\n\n", number(m.Bias))
	b.WriteString("// Features are the features' names and weights, in the order of x.\n")
	fmt.Fprintf(&b, "var Features = [%d]struct {\n\tName   string\n\tWeight float64\n}{\n", m.Len())
	m.features(true, func(_ int32, name string, weight, _ float64) {
		fmt.Fprintf(&b, "\t{%s, %s},\n", strconv.QuoteToASCII(name), number(weight))
	})
	b.WriteString(`}

// Link is the value that the sum z, the bias included, stands for.
func Link(z float64) float64 {
`)
	scale, lo, hi := number(m.Link.scale()), number(e.Min), number(e.Max)
	switch m.Link.kind() {
	case Logistic:
		fmt.Fprintf(&b, "\tconst scale, lo, hi float64 = %s, %s, %s\n\treturn lo + (hi-lo)/(1+math.Exp(-scale*z))\n", scale, lo, hi)
	case Tanh:
		fmt.Fprintf(&b, "\tconst scale, lo, hi float64 = %s, %s, %s\n\treturn (lo+hi)/2 + (hi-lo)/2*math.Tanh(scale*z)\n", scale, lo, hi)
	default:
		b.WriteString("\treturn z\n")
	}
	b.WriteString(`}

// Eval is the value of the position with features x, len(Features) of them.
func Eval(x []float64) float64 {
	if len(x) != len(Features) {
		panic("` + e.name() + `: vector of another length than Features")
	}
	z := Bias
	for i, v := range x {
		z += Features[i].Weight * v
	}
	return Link(z)
}

// EvalSparse is Eval of the vector that holds value[k] at index[k] and 0
// elsewhere; the values of equal indices add up.
func EvalSparse(index []int32, value []float64) float64 {
	z := Bias
	for k, i := range index {
		z += Features[i].Weight * value[k]
	}
	return Link(z)
}
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// C writes a C header (C99 or C++) without dependencies but math.h: arrays of
// names and weights, NAME_eval over a dense vector, NAME_eval_sparse over pairs.
func (e *Export) C(w io.Writer) error {
	if err := e.check(sourceWeights); err != nil {
		return err
	}
	m, name := e.Model, e.name()
	upper := strings.ToUpper(name)
	var b strings.Builder
	b.WriteString("/* Made by plyfit; do not edit.\n *\n")
	for _, line := range append(e.about(), exact()) {
		fmt.Fprintf(&b, " * %s\n", strings.ReplaceAll(line, "*/", "* /"))
	}
	fmt.Fprintf(&b, " */\n#ifndef %s_H\n#define %s_H\n\n#include <math.h>\n\n", upper, upper)
	// An array needs a member, even where there is no feature.
	length := max(m.Len(), 1)
	fmt.Fprintf(&b, "enum { %s_length = %d };\n\nstatic const double %s_bias = %s;\n\n", name, m.Len(), name, number(m.Bias))
	fmt.Fprintf(&b, "/* The positions that the model judges: decision or afterstate. */\nstatic const char %s_leaves[] = %s;\n\n", name, strconv.Quote(e.leaves()))
	fmt.Fprintf(&b, "static const char *const %s_names[%d] = {\n", name, length)
	m.features(true, func(_ int32, feature string, _, _ float64) { fmt.Fprintf(&b, "  %s,\n", quoteC(feature)) })
	if m.Len() == 0 {
		b.WriteString("  \"\",\n")
	}
	fmt.Fprintf(&b, "};\n\nstatic const double %s_weights[%d] = {\n", name, length)
	m.features(true, func(_ int32, _ string, weight, _ float64) { fmt.Fprintf(&b, "  %s,\n", number(weight)) })
	if m.Len() == 0 {
		b.WriteString("  0,\n")
	}
	scale, lo, hi := numberC(m.Link.scale()), numberC(e.Min), numberC(e.Max)
	link := "z"
	switch m.Link.kind() {
	case Logistic:
		link = fmt.Sprintf("%s + (%s - %s) / (1 + exp(-(%s) * z))", lo, hi, lo, scale)
	case Tanh:
		link = fmt.Sprintf("(%s + %s) / 2 + (%s - %s) / 2 * tanh(%s * z)", lo, hi, hi, lo, scale)
	}
	fmt.Fprintf(&b, `};

/* The value that the sum z, the bias included, stands for. */
static inline double %[1]s_link(double z) { return %[2]s; }

/* The value of the position with features x[0..%[1]s_length-1]. */
static inline double %[1]s_eval(const double *x) {
  double z = %[1]s_bias;
  for (int i = 0; i < %[1]s_length; i++)
    z += %[1]s_weights[i] * x[i];
  return %[1]s_link(z);
}

/* The same for value[k] at index[k], k = 0..n-1, and 0 elsewhere. */
static inline double %[1]s_eval_sparse(int n, const int *index, const double *value) {
  double z = %[1]s_bias;
  for (int k = 0; k < n; k++)
    z += %[1]s_weights[index[k]] * value[k];
  return %[1]s_link(z);
}

#endif
`, name, link)
	_, err := io.WriteString(w, b.String())
	return err
}

// numberC is a literal of C's type double.
func numberC(x float64) string {
	s := number(x)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if x < 0 {
		s = "(" + s + ")"
	}
	return s
}

// quoteC is a string literal of C: what is not plain ASCII, and the question
// mark that could begin a trigraph, by three octal digits a byte.
func quoteC(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~' || c == '?':
			fmt.Fprintf(&b, "\\%03o", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
