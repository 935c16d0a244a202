package models

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"
)

// Provenance is the recipe that makes a learned model again. It holds no path,
// date, machine or number of workers: the same recipe gives the same bytes.
type Provenance struct {
	Command        string             `json:"command"`                  // what a user types to repeat it
	Data           string             `json:"data,omitempty"`           // digest of the data set
	Episodes       int                `json:"episodes,omitempty"`       // used, training and held out
	Rows           int64              `json:"rows,omitempty"`           // used, training and held out
	Label          string             `json:"label,omitempty"`          // "outcome", "search", "mix:0.5", "lstd:0"
	Method         string             `json:"method,omitempty"`         // "least squares", "logistic", "lstd", "td"
	Loss           string             `json:"loss,omitempty"`           // "squared", "logistic"
	Regularisation map[string]float64 `json:"regularisation,omitempty"` // "ridge": 1e-3
	Prior          string             `json:"prior,omitempty"`          // digest or name of the model shrunk to
	Seed           uint64             `json:"seed"`
	HeldOut        map[string]float64 `json:"held_out,omitempty"` // measures on held-out episodes
	Notes          []string           `json:"notes,omitempty"`    // columns dropped, and why
}

// Fingerprint identifies the features of a set by their names: a digest of their block names,
// lengths and labels, in order. Package features' own, which begins with this one, adds what they
// compute. Tables count by name and length alone, to avoid making the names of millions of
// patterns.
func Fingerprint(blocks []Block) string {
	h := sha256.New()
	for _, b := range blocks {
		if b.Table {
			io.WriteString(h, b.Name+"\x01")
			binary.Write(h, binary.LittleEndian, uint32(b.Len))
			continue
		}
		for i := 0; i < b.Len; i++ {
			io.WriteString(h, b.FeatureName(i)+"\x00")
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// SameFeatures reports whether two fingerprints can be of the same features. Each is NAMES, as
// [Fingerprint] and all older files have it, or NAMES-GAME-VALUES of features.Fingerprint: the
// names must agree, and so must the values if both have them, of the same game with the same
// options.
func SameFeatures(a, b string) bool {
	namesA, restA, _ := strings.Cut(a, "-")
	namesB, restB, _ := strings.Cut(b, "-")
	gameA, valuesA, knownA := strings.Cut(restA, "-")
	gameB, valuesB, knownB := strings.Cut(restB, "-")
	return namesA == namesB && (!knownA || !knownB || gameA != gameB || valuesA == valuesB)
}
