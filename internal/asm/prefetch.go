package asm

import "unsafe"

// Prefetch asks the caches for weights of a table, by their places there, which
// lookups will want some hundred nanoseconds later. It waits for nothing and
// changes nothing. Its twin leaves the caches to themselves.
func Prefetch(table []float32, at []int32) { prefetch(&table[0], &at[0], len(at)) }

// PrefetchLine is Prefetch of the line of memory that p points into.
func PrefetchLine(p unsafe.Pointer) { prefetchLine(p) }
