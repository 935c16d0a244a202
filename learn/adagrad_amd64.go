package learn

import "plyfit/models"

//go:noescape
func dotTermsAVX(w *adaptiveWeight, x *models.Term, weights, terms int) (sums [4]float32, ok bool)

// dotFours is dotFoursGeneric with the same sums in the same order.
func dotFours(w []adaptiveWeight, x models.Vector) [4]float32 {
	if avx && len(x) >= 4 {
		if sums, ok := dotTermsAVX(&w[0], &x[0], len(w), len(x)&^3); ok {
			return sums
		}
	}
	return dotFoursGeneric(w, x)
}

//go:noescape
func stepTermsAVX(w *adaptiveWeight, x *models.Term, weights, terms int, slope, rate float32) int

// stepTerms makes the steps of the first terms of x, and returns how many it made.
func stepTerms(w []adaptiveWeight, x models.Vector, slope, rate float32) int {
	if !avx || len(x) == 0 {
		return 0
	}
	return stepTermsAVX(&w[0], &x[0], len(w), len(x), slope, rate)
}
