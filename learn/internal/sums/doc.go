// Package sums adds up what least squares and Newton's method need of the training
// rows, in an order that does not depend on who adds.
//
// Rows fill blocks of a fixed size, in their order. Each block has its own
// sums ([Question.Of]), and these are the leaves of a binary tree over the blocks
// ([Tree]). One goroutine and several ([Passes]) add the same numbers in the same order:
// equal rows give equal bits.
package sums
