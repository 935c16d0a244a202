package backgammon

import (
	"math"
	"strings"
	"testing"
	"testing/fstest"
)

// FuzzPubeval: whatever files of weights hold, what is taken are 122 numbers.
func FuzzPubeval(f *testing.F) {
	f.Add(strings.Repeat("1.5\n", perPhase), strings.Repeat("-2e-3 ", perPhase))
	f.Add(strings.Repeat("NaN ", perPhase), "")
	f.Fuzz(func(t *testing.T, race, contact string) {
		p, err := readPubeval(fstest.MapFS{"WT.race": {Data: []byte(race)}, "WT.cntc": {Data: []byte(contact)}}, "x")
		if err != nil {
			if !strings.Contains(err.Error(), "x") {
				t.Errorf("error %q does not name the folder", err)
			}
			return
		}
		for _, w := range append(p.race[:], p.contact[:]...) {
			if math.IsNaN(w) || math.IsInf(w, 0) {
				t.Errorf("took the weight %v", w)
			}
		}
	})
}
