// Package asm holds the inner loops that have a version in assembly: those of
// products of columns, of othello's discs and of tables of weights. Nothing else in
// this module is written in assembly.
//
// Every kernel follows one convention. The exported function is the kernel: it
// checks lengths and chooses. Its twin in Go has the same name in small letters
// with the ending Go, stands in the same file, and runs where there is no other.
// The version for amd64 stands in the file's namesake _amd64.s, ends in AVX2 and
// gives the same bits: the same sums in the same order, products rounded before
// they are added, never fused. Tests hold each pair against each other. A new
// kernel begins as a twin in Go; it gets a version in assembly when a benchmark
// shows what that buys.
package asm
