package solved

import (
	"context"
	"io"
	"strconv"
	"testing"

	"plyfit/catalog"
	"plyfit/study"
)

// Regret in pig against perfect play is never below 0, and a strong noise has
// much of it.
func TestPigRegrets(t *testing.T) {
	var err error
	s := &study.Session{Catalog: catalog.All(), Seed: 1, Workers: 2, Log: io.Discard, Quiet: true, Dir: t.TempDir()}
	if s.Store, err = study.OpenStore(s.Dir + "/cells/pig.jsonl"); err != nil {
		t.Fatal(err)
	}
	f := &study.Results{}
	if err := pigRegrets(context.Background(), s, f, "pig:target=30"); err != nil {
		t.Fatal(err)
	}
	var clean, noise float64
	for _, row := range f.Data[0].Rows {
		regret, err := strconv.ParseFloat(row[5], 64)
		if err != nil || regret < -1e-9 || regret > 0.5 {
			t.Errorf("%v: %v", row, err)
		}
		switch {
		case row[1] == "clean":
			clean = regret
		case row[2] != "0":
			noise = regret
		}
	}
	t.Logf("clean %v, noise %v", clean, noise)
	if !(noise > clean) {
		t.Errorf("noise loses %v, the clean evaluation %v", noise, clean)
	}
}
