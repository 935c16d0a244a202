//go:build !amd64

package learn

import "plyfit/models"

func dotFours(w []adaptiveWeight, x models.Vector) [4]float32 { return dotFoursGeneric(w, x) }

func stepTerms(w []adaptiveWeight, x models.Vector, slope, rate float32) int { return 0 }
