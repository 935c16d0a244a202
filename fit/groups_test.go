package fit

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

// written is a data set of games of tic-tac-toe, each a list of squares played
// from its first recorded position on.
func written(t *testing.T, change func(r *datasets.Plan), games ...[]string) *datasets.Set {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	recipe := datasets.Plan{Game: "tictactoe", Agents: []string{"somebody"}, Episodes: len(games), EpisodesPerShard: len(games)}
	if change != nil {
		change(&recipe)
	}
	w := world(t, "tictactoe")
	var records []datasets.Record
	for e, game := range games {
		s, err := w.Parse(game[0])
		if err != nil {
			t.Fatal(err)
		}
		for ply, move := range game[1:] {
			m, err := w.ParseMove(s, move)
			if err != nil {
				t.Fatal(err)
			}
			records = append(records, datasets.Record{Episode: uint64(e), Ply: int32(ply), Position: s.String(), Mover: s.Turn(), Move: move, Made: move, Outcome: []float64{0, 0}})
			s.Play(m)
		}
	}
	_, err := datasets.Fill(context.Background(), dir, recipe, func(context.Context, *datasets.Missing) error {
		return datasets.WriteShard(filepath.Join(dir, datasets.ShardName(0)), records)
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := datasets.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func world(t testing.TB, spec string) *catalog.World {
	t.Helper()
	w, err := catalog.All().World(spec)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// lonely are n episodes of one record each that meet nobody.
func lonely(n int) (out [][]string) {
	w := world(&testing.T{}, "tictactoe")
	s := w.New()
	var walk func(depth int)
	seen := map[string]bool{}
	walk = func(depth int) {
		if s.Turn() < 0 || len(out) == n {
			return
		}
		if text := s.String(); depth == 5 && !seen[text] {
			seen[text] = true
			out = append(out, []string{text, s.MoveString(s.Moves(nil)[0])})
		}
		if depth < 5 {
			for _, m := range s.Moves(nil) {
				s.Play(m)
				walk(depth + 1)
				s.Undo()
			}
		}
	}
	walk(0)
	return out
}

// TestGroups: games that meet beyond the opening are one group, replays count
// once, and where all games meet, those that are alike throughout are one.
func TestGroups(t *testing.T) {
	w := world(t, "tictactoe")
	s := w.New()
	line, positions := []string{s.String()}, []string{s.String()}
	for range 5 {
		m := s.Moves(nil)[0]
		line = append(line, s.MoveString(m))
		s.Play(m)
		positions = append(positions, s.String())
	}
	joins := append([]string{positions[1]}, line[2:]...) // from the line's second position on
	games := append(lonely(40), line, joins, line)
	g, err := newGroups(w.Game, materialOf(written(t, nil, games...)))
	if err != nil {
		t.Fatal(err)
	}
	if !g.joined || g.replays != 1 || !g.replay[42] || g.many != 1 {
		t.Errorf("met %v, %d replays, %d groups of several, want one each", g.joined, g.replays, g.many)
	}
	a, alone := g.group(40)
	if b, _ := g.group(41); a != b || alone {
		t.Errorf("games that meet are of groups %d and %d", a, b)
	}
	if id, alone := g.group(7); id != 7 || !alone {
		t.Errorf("episode 7 is of group %d, alone %v", id, alone)
	}
	// What is before the opening's end joins nothing.
	g, err = newGroups(w.Game, materialOf(written(t, func(r *datasets.Plan) { r.Openings = 9 }, games...)))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := g.group(41); b != 41 {
		t.Errorf("positions of the opening join episode 41 to %d", b)
	}
	// A line that parts from another one of the same beginning: nothing is a replay.
	s.Undo()
	moves := s.Moves(nil)
	parts := append(append([]string(nil), line[:5]...), s.MoveString(moves[len(moves)-1]))
	g, err = newGroups(w.Game, materialOf(written(t, nil, line, line, parts, line)))
	if err != nil {
		t.Fatal(err)
	}
	if g.replays != 0 || g.joined {
		t.Errorf("%d replays, met %v, want none where lines part, all of which meet", g.replays, g.joined)
	}
	if id, alone := g.group(3); id != 0 || alone {
		t.Errorf("a game that is another's twin is of group %d, alone %v", id, alone)
	}
	if id, alone := g.group(2); id != 2 || !alone {
		t.Errorf("a game unlike others is of group %d, alone %v", id, alone)
	}
	// Games that end within the opening meet nothing; the same one twice is one still.
	g, err = newGroups(w.Game, materialOf(written(t, func(r *datasets.Plan) { r.Openings = 9 }, append(lonely(40), line, parts, line)...)))
	if err != nil {
		t.Fatal(err)
	}
	if id, alone := g.group(42); !g.joined || g.replays != 0 || id != 40 || alone {
		t.Errorf("met %v, %d replays; the same short game again is of group %d, alone %v", g.joined, g.replays, id, alone)
	}
	if id, alone := g.group(41); id != 41 || !alone {
		t.Errorf("a short game unlike others is of group %d, alone %v", id, alone)
	}
}

// TestHeldOutIsNotSeen: no held-out row that counts has a position which stands
// in training, whether games can be kept apart or not; seen ones are told.
func TestHeldOutIsNotSeen(t *testing.T) {
	for _, c := range []struct {
		spec, agent string
		openings    int
		explore     float64
		met         bool
	}{
		{"connect4", "alphabeta:depth=2", 6, 0, true},
		{"connect4:rows=4,columns=5", "alphabeta:depth=1,eval=zero,ties=random", 1, 0.2, false},
	} {
		w := world(t, c.spec)
		p, err := w.Agent(c.agent, catalog.AgentOptions{})
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "data")
		_, err = selfplay.Run(context.Background(), selfplay.Config{Game: w.Game, Agents: []search.Factory{p.Factory},
			Episodes: 400, Seed: 3, Openings: c.openings, Explore: c.explore, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		data, err := datasets.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Run(context.Background(), w, data, Options{Method: Ridge, Penalty: 1e-3, Leaves: models.Decision})
		if err != nil {
			t.Fatal(err)
		}
		trained, rows, seen := map[uint64]bool{}, 0, 0
		for s, err := range f.Samples.All() {
			if err != nil {
				t.Fatal(err)
			}
			if !f.data.sides.held(s.Episode) {
				trained[s.Position] = true
			}
		}
		for s, err := range f.Samples.All() {
			if err != nil {
				t.Fatal(err)
			}
			if f.data.sides.held(s.Episode) {
				rows++
				if trained[s.Position] {
					seen++
				}
				if trained[s.Position] == f.counts(s) {
					t.Fatalf("%s: position of episode %d: in training %v, counts %v", c.spec, s.Episode, trained[s.Position], f.counts(s))
				}
			}
		}
		o := f.Report.Overlap
		if f.Joined != c.met || o.Rows != int64(seen) || f.Report.HeldOutRows != int64(rows) || c.met != (seen == 0) {
			t.Errorf("%s: met %v, %d of %d held-out rows seen: %+v", c.spec, f.Joined, seen, rows, o)
		}
		if o.Apart && f.Report.HeldOutLoss != o.RestLoss {
			t.Errorf("%s: held-out loss %v: %+v", c.spec, f.Report.HeldOutLoss, o)
		}
	}
}

func TestPlaces(t *testing.T) {
	p := newPositionTable[uint32](10)
	for i := range uint64(5000) {
		v, had := p.at(i * 0x9e3779b97f4a7c15)
		if had {
			t.Fatalf("%d is there", i)
		}
		*v = uint32(i + 1)
	}
	for i := range uint64(5000) {
		if v, had := p.at(i * 0x9e3779b97f4a7c15); !had || *v != uint32(i+1) || p.find(i*0x9e3779b97f4a7c15) != uint32(i+1) {
			t.Fatal(fmt.Sprint(i, had, *v))
		}
	}
	if p.find(12345) != 0 {
		t.Error("something is there")
	}
}
