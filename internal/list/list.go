// Package list has what package slices lacks.
package list

import "slices"

// Map returns the values of f for the items of a list, in order, and nil for an empty list.
func Map[T, R any](items []T, f func(T) R) (out []R) {
	for _, x := range items {
		out = append(out, f(x))
	}
	return out
}

// Order returns the numbers from 0 to n-1 sorted by cmp. Equal ones keep their order.
func Order(n int, cmp func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, cmp)
	return order
}
