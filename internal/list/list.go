// Package list provides functions that package slices lacks.
package list

import "slices"

// Map returns the results of f for the items of a list, in order. It returns nil for an empty list.
func Map[T, R any](items []T, f func(T) R) (out []R) {
	for _, x := range items {
		out = append(out, f(x))
	}
	return out
}

// Order returns the numbers from 0 to n-1, sorted by cmp. The sort is stable.
func Order(n int, cmp func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, cmp)
	return order
}
