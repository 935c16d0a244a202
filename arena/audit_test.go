package arena

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"plyfit/game"
	"plyfit/search"
	"plyfit/work"
)

// TestAuditRefuses: lines that cannot be those of a unit are found, with the reason, be
// their checksums right: of another seed or unit, with another result, cut, doubled.
func TestAuditRefuses(t *testing.T) {
	ctx := context.Background()
	g := tictactoeGame(t)
	matchOf := func(seed uint64) *match {
		m, err := newMatch(Config{Game: g, A: randomly("a"), B: randomly("b"), Pairs: 8, Seed: seed, Openings: Openings{Plies: 2}})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := matchOf(1)
	played := func(m *match, from, to int) (records []PairRecord) {
		w := newWorker(m)
		defer w.close()
		w.spell = true
		for pair := from; pair < to; pair++ {
			r, err := w.pair(ctx, pair)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, r)
		}
		return records
	}
	lines := func(records []PairRecord) []byte {
		text, err := sealedLines(records)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	change := func(f func(r *PairRecord)) []byte {
		records := played(m, 4, 6)
		f(&records[1])
		return lines(records)
	}
	right := lines(played(m, 4, 6))
	for name, c := range map[string]struct {
		lines []byte
		want  string // "": nothing is wrong
	}{
		"right":          {right, ""},
		"another seed":   {lines(played(matchOf(2), 4, 6)), "pair 4: its opening is not the one that the seed draws"},
		"another unit":   {lines(played(m, 6, 8)), "pair 6 in the place of pair 4"},
		"one pair short": {lines(played(m, 4, 5)), "1 pairs, want 2"},
		"one too many":   {lines(played(m, 4, 7)), "more lines than the 2 pairs"},
		"nothing":        {nil, "0 pairs, want 2"},
		"garbage":        {[]byte("garbage\n"), "pair 4: its checksum"},
		"half a line":    {right[:len(right)-1], "pair 5: "},
		"utilities": {change(func(r *PairRecord) {
			for i := range r.Games {
				r.Games[i].Utility = []float64{1, -1}
			}
		}), "utilities [1 -1], its moves lead to"},
		"no moves":       {change(func(r *PairRecord) { *r = r.withoutMoves() }), "its moves are not those"},
		"an illegal one": {change(func(r *PairRecord) { r.Games[0].Moves[3] = r.Games[0].Moves[2] }), "its moves are not those"},
		"another opening": {change(func(r *PairRecord) {
			r.Games[0].Moves[0], r.Games[0].Moves[1] = r.Games[0].Moves[1], r.Games[0].Moves[0]
		}), "its moves are not those"},
		"one move more": {change(func(r *PairRecord) { r.Games[0].Moves = append(r.Games[0].Moves, "a1") }), "its moves are not those"},
		"the hash":      {change(func(r *PairRecord) { r.Games[1].Hash++ }), "its line is not that"},
		"another start": {change(func(r *PairRecord) { r.From++ }), "its opening is not"},
		"a ruling":      {change(func(r *PairRecord) { r.Games[0].Adjudicated = true }), "its line is not that"},
		"a fault": {change(func(r *PairRecord) {
			r.Games[0].Fault, r.Games[0].Utility = &Fault{sideB, crash, "no luck"}, []float64{1, -1}
		}), "pair 5:"},
	} {
		_, err := m.audited(ctx, 4, 6, c.lines)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// TestAuditFaults: a game that an agent loses by its fault, and one that is ended by
// rule, pass where they are as they would be here.
func TestAuditFaults(t *testing.T) {
	ctx := context.Background()
	g := tictactoeGame(t)
	broken := search.Factory{Name: "broken", New: func() (search.Agent, error) { return nil, errors.New("no luck") }}
	perfect := search.Factory{Name: "perfect", New: func() (search.Agent, error) {
		return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 9})
	}}
	for name, cfg := range map[string]Config{
		"fault": {A: randomly("a"), B: broken},
		"rule":  {A: perfect, B: perfect, Adjudicate: &Adjudication{Draw: 0.1, DrawAfter: 4, Moves: 1}},
	} {
		cfg.Game, cfg.Pairs, cfg.Openings = g, 4, Openings{Plies: 1}
		m, err := newMatch(cfg)
		if err != nil {
			t.Fatal(err)
		}
		w := newWorker(m)
		w.spell = true
		ruled := false
		var records []PairRecord
		for pair := range 4 {
			r, err := w.pair(ctx, pair)
			if err != nil {
				t.Fatal(err)
			}
			ruled = ruled || r.Games[0].Adjudicated || r.Games[0].Fault != nil
			records = append(records, r)
		}
		text, err := sealedLines(records)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.audited(ctx, 0, 4, text); err != nil || !ruled {
			t.Errorf("%s: %v, %v", name, ruled, err)
		}
	}
}

// teller hands in units of pairs as another process would, and then finds that the one
// who did some of them lied.
type teller struct {
	t    *testing.T
	lies []int // units
}

var errLied = errors.New("he lied")

func (e *teller) Run(ctx context.Context, r work.Run) error {
	var rest pairsRest
	job, _, err := work.ParseJob(r.Job.Canonical())
	if err == nil {
		err = job.Decode(&rest)
	}
	if err != nil {
		return err
	}
	g := tictactoeGame(e.t)
	units, err := Kind(func(*work.Job, work.Files) (*game.Game, []search.Factory, error) {
		return g, []search.Factory{randomly("a"), randomly("b")}, nil
	}).Open(job, r.Files, 1)
	if err != nil {
		return err
	}
	for _, unit := range r.Units {
		lines, err := units.Unit(ctx, unit)
		if err == nil {
			err = r.Audit.Check(ctx, unit, lines)
		}
		if err == nil {
			err = r.Put(unit, lines)
		}
		if err != nil {
			return err
		}
	}
	if len(e.lies) == 0 {
		return nil
	}
	if err := r.Audit.Forget(e.lies); err != nil {
		return err
	}
	return errLied
}

// TestForget: what one who lied has handed in is not in the file any more, nor what
// stands behind it, even if all pairs were counted; the match ends with an error, and the
// next one goes on from there, to the same bytes.
func TestForget(t *testing.T) {
	dir := t.TempDir()
	g := tictactoeGame(t)
	lent := func() search.Factory {
		f := randomly("a")
		f.Files = func() (map[string][]byte, error) { return nil, nil }
		return f
	}
	a, b := lent(), lent()
	b.Name = "b"
	cfg := Config{Game: g, A: a, B: b, Pairs: 130, Seed: 3, Openings: Openings{Plies: 2}, Out: filepath.Join(dir, "alone")}
	mustRun(t, cfg)
	want, err := os.ReadFile(cfg.Out)
	if err != nil {
		t.Fatal(err)
	}
	for _, noMoves := range []bool{false, true} {
		if cfg.NoMoves = noMoves; noMoves {
			cfg.Out = filepath.Join(dir, "alone without moves")
			mustRun(t, cfg)
			if want, err = os.ReadFile(cfg.Out); err != nil {
				t.Fatal(err)
			}
		}
		cfg.Out = filepath.Join(t.TempDir(), "m")
		_, err := Run(work.WithExecutor(context.Background(), &teller{t, []int{20, 40}}), cfg)
		if !errors.Is(err, errLied) {
			t.Fatalf("%v, want %v", err, errLied)
		}
		left, err := os.ReadFile(cfg.Out)
		if err != nil || !strings.HasPrefix(string(want), string(left)) || len(left) == len(want) || strings.Count(string(left), "\n") > 41 {
			t.Errorf("%v; %d of %d bytes are left: want those before pair 40", err, len(left), len(want))
		}
		if _, err := Run(work.WithExecutor(context.Background(), &teller{t: t}), cfg); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(cfg.Out); err != nil || string(got) != string(want) {
			t.Errorf("no moves %v: %v; another file than alone", noMoves, err)
		}
	}
}
