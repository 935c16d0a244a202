// Package elementary holds the elementary functions with the same bits on every
// machine: exponentials, logarithms, powers, tanh and its inverse, the error function and the
// cosine.
//
// Those of package math are assembly on some processors, with fused
// multiplication where a processor has it, and Go code on others, in which the
// compiler may fuse a product and a sum or not. What is learned, searched and
// written with them hangs on the build in its last digits; then so do choices
// between moves that are nearly equal, and all that comes of them. Here every
// product that is added is rounded first, and tables are written out.
// Arguments are rounded on entry: where a call is inlined, a product that a caller
// passes would otherwise be fused with a sum in here.
//
// All are within three units in the last place of the truth, most within one (the
// tests hold them against math/big), but for Pow with large exponents. Special
// cases are those of package math.
package elementary
