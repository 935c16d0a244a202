package fit

import (
	"context"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/table"
	"plyfit/features"
	"plyfit/game"
	"plyfit/internal/vectors"
	"plyfit/models"
	"plyfit/search"
	"plyfit/selfplay"
)

// writeSet returns a set of tic-tac-toe games. Each is a position and the squares played from
// there.
func writeSet(t *testing.T, change func(r *datasets.Plan), games ...[]string) *datasets.Set {
	t.Helper()
	return writeSetOf(t, "tictactoe", change, func(int) []float64 { return []float64{0, 0} }, games...)
}

// writeSetOf is like writeSet but supports any game, with an outcome for each episode.
func writeSetOf(t *testing.T, spec string, change func(r *datasets.Plan), outcome func(episode int) []float64, games ...[]string) *datasets.Set {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "data")
	recipe := datasets.Plan{Game: spec, Agents: []string{"someone"}, Episodes: len(games), EpisodesPerShard: len(games)}
	if change != nil {
		change(&recipe)
	}
	w := world(t, spec)
	var records []datasets.Record
	for e, game := range games {
		s := vectors.Must(w.Parse(game[0]))
		for ply, move := range game[1:] {
			m := vectors.Must(w.ParseMove(s, move))
			records = append(records, datasets.Record{Episode: uint64(e), Ply: int32(ply), Position: s.String(), Mover: s.Turn(), Move: move, Made: move, Outcome: outcome(e)})
			s.Play(m)
		}
	}
	vectors.Must(datasets.Fill(context.Background(), dir, recipe, func(context.Context, *datasets.Missing) error {
		return datasets.WriteShard(filepath.Join(dir, datasets.ShardName(0)), records)
	}))
	return vectors.Must(datasets.Open(dir))
}

func world(t testing.TB, spec string) *catalog.World {
	t.Helper()
	return vectors.Must(catalog.All().World(spec))
}

// isolated returns up to n episodes of one record, with distinct positions, even under reflection.
func isolated(n int) (out [][]string) {
	w := world(&testing.T{}, "tictactoe")
	s := w.New()
	var walk func(depth int)
	seen, keys := map[uint64]bool{}, features.NewKeys(w.Game, w.Sets()[0])
	walk = func(depth int) {
		if s.Turn() < 0 || len(out) == n {
			return
		}
		if key := keys.Of(s); depth == 5 && !seen[key] {
			seen[key] = true
			out = append(out, []string{s.String(), s.MoveString(s.Moves(nil)[0])})
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

// TestGroups checks that games that share a position beyond the opening form a group, and that
// replays count once. It also checks that only identical games are grouped if all games share
// positions.
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
	joins := append([]string{positions[1]}, line[2:]...) // starts at the second position of the line
	games := append(isolated(40), line, joins, line)
	g := vectors.Must(newGroups(w.Game, w.Sets()[0], newRecordSource(writeSet(t, nil, games...))))
	if !g.joined || g.replays != 1 || !g.replay[42] || g.largeGroups != 1 {
		t.Errorf("met %v, %d replays, %d groups of several, want one each", g.joined, g.replays, g.largeGroups)
	}
	a, alone := g.group(40)
	if b, _ := g.group(41); a != b || alone {
		t.Errorf("games that meet are of groups %d and %d", a, b)
	}
	if id, alone := g.group(7); id != 7 || !alone {
		t.Errorf("episode 7 is of group %d, alone %v", id, alone)
	}
	// Positions before the end of the opening do not join games.
	g = vectors.Must(newGroups(w.Game, w.Sets()[0], newRecordSource(writeSet(t, func(r *datasets.Plan) { r.Openings = 9 }, games...))))
	if b, _ := g.group(41); b != 41 {
		t.Errorf("positions of the opening join episode 41 to %d", b)
	}
	// If two lines with the same beginning diverge, there are no replays.
	s.Undo()
	s.Undo()
	moves := s.Moves(nil)
	other := moves[len(moves)-1]
	parts := append(append([]string(nil), line[:4]...), s.MoveString(other))
	s.Play(other)
	parts = append(parts, s.MoveString(s.Moves(nil)[0]))
	g = vectors.Must(newGroups(w.Game, w.Sets()[0], newRecordSource(writeSet(t, nil, line, line, parts, line))))
	if g.replays != 0 || g.joined {
		t.Errorf("%d replays, met %v, want none where lines part, all of which meet", g.replays, g.joined)
	}
	if id, alone := g.group(3); id != 0 || alone {
		t.Errorf("a game that is another's twin is of group %d, alone %v", id, alone)
	}
	if id, alone := g.group(2); id != 2 || !alone {
		t.Errorf("a game unlike others is of group %d, alone %v", id, alone)
	}
	// Games that end within the opening share no position beyond it. Identical ones are still
	// grouped.
	g = vectors.Must(newGroups(w.Game, w.Sets()[0], newRecordSource(writeSet(t, func(r *datasets.Plan) { r.Openings = 9 }, append(isolated(40), line, parts, line)...))))
	if id, alone := g.group(42); !g.joined || g.replays != 0 || id != 40 || alone {
		t.Errorf("met %v, %d replays; the same short game again is of group %d, alone %v", g.joined, g.replays, id, alone)
	}
	if id, alone := g.group(41); id != 41 || !alone {
		t.Errorf("a short game unlike others is of group %d, alone %v", id, alone)
	}
}

// TestImages checks that losses and errors for random games with random results hardly change if
// the data set also contains every game's mirror image, three copies of every game, or games that
// reach the same boards with two moves exchanged.
func TestImages(t *testing.T) {
	w := world(t, "connect4")
	rng := rand.New(rand.NewPCG(4, 4))
	var games, images, twisted [][]string
	var coins []float64
	line := func(moves []string) (out []string, ok bool) { // returns the position after six plies and the moves from there
		s := w.New()
		for _, name := range moves[:6] {
			m, err := w.ParseMove(s, name)
			if err != nil {
				return nil, false
			}
			s.Play(m)
		}
		return append([]string{s.String()}, moves[6:]...), true
	}
	for len(games) < 120 {
		s := w.New()
		var moves, image []string
		for s.Turn() >= 0 {
			m := s.Moves(nil)[rng.IntN(len(s.Moves(nil)))]
			moves = append(moves, s.MoveString(m))
			image = append(image, fmt.Sprint(8-int(moves[len(moves)-1][0]-'0')))
			s.Play(m)
		}
		if len(moves) < 14 {
			continue
		}
		own, _ := line(moves)
		mirrored, _ := line(image)
		moves[0], moves[2] = moves[2], moves[0]
		other, ok := line(moves)
		if !ok || moves[0] == moves[2] {
			continue
		}
		a, _ := w.Parse(own[0])
		b, _ := w.Parse(other[0])
		if game.BoardHash(a) != game.BoardHash(b) { // exchanging the two moves changed the board
			continue
		}
		games, images, twisted = append(games, own), append(images, mirrored), append(twisted, other)
		coins = append(coins, float64(2*rng.IntN(2)-1))
	}
	run := func(set string, more ...[]string) *Result {
		t.Helper()
		data := writeSetOf(t, "connect4", func(r *datasets.Plan) { r.Openings = 6 }, func(e int) []float64 {
			y := coins[e%len(coins)]
			return []float64{y, -y}
		}, append(slices.Clone(games), more...)...)
		return vectors.Must(Run(context.Background(), w, data, Options{Set: set, Method: LogisticRegression, Penalty: 1e-3, Seed: 2}))
	}
	alone := run("connect4/threats")
	for name, more := range map[string][][]string{"images": images, "four times": slices.Concat(games, games, games), "other ways": twisted} {
		f := run("connect4/threats", more...)
		if math.Abs(f.Report.HeldOutLoss-alone.Report.HeldOutLoss) > 1e-6 || math.Abs(f.Report.Overlap.Share-alone.Report.Overlap.Share) > 1e-9 {
			t.Errorf("%s: held-out loss %v, %v of the rows seen, want %v and %v", name, f.Report.HeldOutLoss, f.Report.Overlap.Share, alone.Report.HeldOutLoss, alone.Report.Overlap.Share)
		}
		for i, w := range f.Report.Weights {
			if want := alone.Report.Weights[i].Error; math.Abs(w.Error-want) > 0.03*want {
				t.Errorf("%s: %s has the error %v, want %v", name, w.Name, w.Error, want)
			}
		}
	}
}

// TestImagesWithoutCells checks that chess games are grouped with their mirror images and not with
// other games, although the game does not describe how its board is reflected.
func TestImagesWithoutCells(t *testing.T) {
	w := world(t, "chess")
	mirror := func(text string) string { // reflects a move, or a board without castling rights
		return strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'h' {
				return 'a' + 'h' - c
			}
			return c
		}, text)
	}
	rng := rand.New(rand.NewPCG(8, 8))
	var games, images [][]string
	for range 30 {
		s := vectors.Must(w.Parse("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"))
		image := vectors.Must(w.Parse("3k4/pppppppp/8/8/8/8/PPPPPPPP/3K4 w - - 0 1"))
		own, other := []string{s.String()}, []string{image.String()}
		for range 40 {
			moves := s.Moves(nil)
			if len(moves) == 0 {
				break
			}
			m := moves[rng.IntN(len(moves))]
			own, other = append(own, s.MoveString(m)), append(other, mirror(s.MoveString(m)[:4])+s.MoveString(m)[4:])
			s.Play(m)
		}
		games, images = append(games, own), append(images, other)
	}
	data := writeSetOf(t, "chess", func(r *datasets.Plan) { r.Openings = 90 }, func(e int) []float64 { return []float64{0, 0} }, append(games, images...)...)
	g := vectors.Must(newGroups(w.Game, w.Sets()[0], newRecordSource(data)))
	for e := range uint64(30) {
		own, alone := g.group(e)
		if id, _ := g.group(e + 30); id != own || alone || own != e {
			t.Errorf("game %d is of group %d, alone %v, its image of group %d", e, own, alone, id)
		}
	}
}

// TestKeys checks that a position and its mirror image count as the same position for a game's
// first feature set, and as different positions for a set that distinguishes the sides. A third
// board, which is not the mirror image, must be a different position.
func TestKeys(t *testing.T) {
	for _, c := range []struct{ game, position, image, other string }{
		{"connect4", "1123", "7765", "2213"},
		{"tictactoe", "XO..X.... O", "....X..OX O", "XO.X..... O"},
		{"2048", "0012/0000/0100/0000 player 0", "2100/0000/0010/0000 player 0", "0021/0000/0100/0000 player 0"},
		{"chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1"},
	} {
		w := world(t, c.game)
		key := func(set features.Set, position string) uint64 {
			t.Helper()
			s := vectors.Must(w.Parse(position))
			return features.NewKeys(w.Game, set).Of(game.Base(s))
		}
		blind := features.With("blind", w.Sets()[0])
		side := features.With("side", blind, features.Feature{Name: "side", Value: func(s game.State, p game.Player) float64 {
			if b, ok := s.(game.Celled); ok {
				cells := b.Cells()
				holds := make([]uint8, cells.Len())
				b.Fill(p, holds)
				return float64(slices.Max(holds[:1]) + 2*slices.Max(holds[cells.Columns-1:cells.Columns]))
			}
			return 0
		}})
		if c.image != "" && key(blind, c.position) != key(blind, c.image) {
			t.Errorf("%s: %s and %s are two positions", c.game, c.position, c.image)
		}
		if c.image != "" && key(side, c.position) == key(side, c.image) {
			t.Errorf("%s: %s and %s are one position to a set that sees sides", c.game, c.position, c.image)
		}
		if key(blind, c.position) == key(blind, c.other) {
			t.Errorf("%s: %s and %s are one position", c.game, c.position, c.other)
		}
	}
}

// TestHeldOutIsNotSeen checks that the held-out losses count exactly the rows whose position does
// not occur in training, and that the number of other held-out rows is reported.
func TestHeldOutIsNotSeen(t *testing.T) {
	for _, c := range []struct {
		spec, agent string
		openings    int
		explore     float64
		joined      bool
	}{
		{"connect4", "alphabeta:depth=2", 6, 0, true},
		{"connect4:rows=4,columns=5", "alphabeta:depth=1,eval=zero,ties=random", 1, 0.2, false},
	} {
		w := world(t, c.spec)
		p := vectors.Must(w.Agent(c.agent, catalog.AgentOptions{}))
		dir := filepath.Join(t.TempDir(), "data")
		vectors.Must(selfplay.Run(context.Background(), selfplay.Config{Game: w.Game, Agents: []search.Factory{p.Factory},
			Episodes: 400, Seed: 3, Openings: c.openings, Explore: c.explore, Dir: dir}))
		data := vectors.Must(datasets.Open(dir))
		f := vectors.Must(Run(context.Background(), w, data, Options{Method: Ridge, Penalty: 1e-3, Leaves: models.Decision}))
		trained, rows, seen, beyond := map[uint64]bool{}, 0, 0, 0
		for s, err := range f.Samples.All() {
			if err != nil {
				t.Fatal(err)
			}
			if !f.data.split.held(s.Episode) {
				trained[s.Position] = true
			}
		}
		for s, err := range f.Samples.All() {
			if err != nil {
				t.Fatal(err)
			}
			if f.data.split.held(s.Episode) {
				rows++
				if trained[s.Position] {
					seen++
					if int(s.Ply) >= c.openings {
						beyond++
					}
				}
				if trained[s.Position] == f.counts(s) {
					t.Fatalf("%s: position of episode %d: in training %v, counts %v", c.spec, s.Episode, trained[s.Position], f.counts(s))
				}
			}
		}
		o := f.Report.Overlap
		if f.Joined != c.joined || o.Rows != int64(seen) || f.Report.HeldOutRows != int64(rows) || c.joined != (beyond == 0) {
			t.Errorf("%s: met %v, %d of %d held-out rows seen: %+v", c.spec, f.Joined, seen, rows, o)
		}
		if o.Apart && f.Report.HeldOutLoss != o.RestLoss {
			t.Errorf("%s: held-out loss %v: %+v", c.spec, f.Report.HeldOutLoss, o)
		}
	}
}

// labelled returns samples with tic-tac-toe features. The labels are reversed in episodes for which
// turned returns true.
func labelled(t *testing.T, turned func(episode uint64) bool) *table.Table {
	t.Helper()
	rng := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	b.WriteString("label,episode,twos,ones,centre,corners,edges\n")
	for e := range 120 {
		for range 3 {
			var x [5]int
			z := rng.NormFloat64()
			for j := range x {
				x[j] = rng.IntN(5) - 2
				z += 0.3 * float64(x[j]) / float64(j+1)
			}
			y := 1
			if z < 0 {
				y = -1
			}
			if turned(uint64(e)) {
				y = -y
			}
			fmt.Fprintf(&b, "%d,%d,%d,%d,%d,%d,%d\n", y, e, x[0], x[1], x[2], x[3], x[4])
		}
	}
	path := filepath.Join(t.TempDir(), "samples.csv")
	vectors.Check(os.WriteFile(path, []byte(b.String()), 0o644))
	return vectors.Must(table.Open(t.Context(), path, table.Layout{Unit: table.Utility}))
}

// TestHeldOutRowsChooseNothing checks, for four methods, that the labels of held-out rows affect
// neither the weights nor the penalty.
func TestHeldOutRowsChooseNothing(t *testing.T) {
	w := vectors.Must(catalog.All().World("tictactoe"))
	ctx := context.Background()
	for _, c := range []Options{
		{Method: Ridge, Auto: true}, {Method: elastic, Auto: true}, {Method: Newton, Auto: true},
		{Method: LBFGS, Auto: true, Steps: 20},
	} {
		t.Run(fmt.Sprintf("%s, auto %v", c.Method, c.Auto), func(t *testing.T) {
			a := vectors.Must(RunTable(ctx, w, labelled(t, func(uint64) bool { return false }), c))
			b := vectors.Must(RunTable(ctx, w, labelled(t, a.Held), c))
			if a.Report.HeldOutLoss == b.Report.HeldOutLoss || a.Report.HeldOutRows == 0 {
				t.Fatalf("held-out losses %v and %v, of %d rows", a.Report.HeldOutLoss, b.Report.HeldOutLoss, a.Report.HeldOutRows)
			}
			if a.Options.Penalty != b.Options.Penalty || !slices.Equal(a.Model.Weights, b.Model.Weights) || a.Model.Bias != b.Model.Bias {
				t.Errorf("held-out labels chose: penalty %v and %v, weights %v and %v", a.Options.Penalty, b.Options.Penalty, a.Model.Weights, b.Model.Weights)
			}
			// Training labels do change the weights, which shows that the test can fail.
			d := vectors.Must(RunTable(ctx, w, labelled(t, func(e uint64) bool { return !a.Held(e) && e%2 == 0 }), c))
			if slices.Equal(a.Model.Weights, d.Model.Weights) {
				t.Error("training labels choose nothing either")
			}
		})
	}
}

func someRecords(ids ...string) func() iter.Seq2[*datasets.Record, error] {
	return func() iter.Seq2[*datasets.Record, error] {
		return func(yield func(*datasets.Record, error) bool) {
			for e, id := range ids {
				for ply := range 3 {
					if !yield(&datasets.Record{Episode: uint64(e), Ply: int32(ply), ID: id}, nil) {
						return
					}
				}
			}
		}
	}
}

// TestHeldOut checks that, with a split by name, an episode is held out by its name if it has one,
// and otherwise by its number. It also checks the fraction held out without names, and that invalid
// options are rejected.
func TestHeldOut(t *testing.T) {
	ids := []string{"g123", "", "g4", "x", "g77"}
	held := vectors.Must(HeldOut{OneIn: 3, ByName: true}.held(9, nil, someRecords(ids...)))
	for e, id := range ids {
		if id == "" {
			id = "1"
		}
		if want := crc32.ChecksumIEEE([]byte(id))%3 == 0; held(uint64(e)) != want {
			t.Errorf("episode %d (%s): held out %v, want %v", e, id, !want, want)
		}
	}
	one := vectors.Must(HeldOut{OneIn: 4}.held(1, func(e uint64) (uint64, bool) { return e, true }, nil))
	n := 0
	for e := range uint64(10000) {
		if one(e) {
			n++
		}
	}
	if n < 2300 || n > 2700 {
		t.Errorf("%d of 10,000 held out, want one in 4", n)
	}
	for _, bad := range []HeldOut{{OneIn: 1}, {OneIn: -3}, {ByName: true}, {OneIn: 1, ByName: true}} {
		if bad.check() == nil {
			t.Errorf("no error for %v", bad)
		}
	}
}
