package selfplay

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"plyfit/datasets"
	"plyfit/game"
	g2048 "plyfit/game/2048"
	"plyfit/game/connect4"
	"plyfit/game/doudizhu"
	"plyfit/game/pig"
	"plyfit/game/poker"
	"plyfit/internal/vectors"
	"plyfit/search"
	"plyfit/search/policy"
)

func newGame(t testing.TB, text string) *game.Game {
	t.Helper()
	s := vectors.Must(game.ParseSpec(text))
	makers := map[string]func(*game.Options) (*game.Game, error){"2048": g2048.New, "connect4": connect4.New, "doudizhu": doudizhu.New, "kuhn": poker.NewKuhn, "leduc": poker.NewLeduc, "pig": pig.New}
	g := vectors.Must(makers[s.Name](s.Options))
	return vectors.Must(s.Wrap(g))
}

func random(g *game.Game) search.Factory {
	return search.Factory{Identity: "random", New: func() (search.Agent, error) { return policy.NewRandom(), nil }}
}

func expectimax(g *game.Game, depth int) search.Factory {
	return search.Factory{Identity: fmt.Sprintf("expectimax:depth=%d", depth), New: func() (search.Agent, error) {
		return search.NewExpectimax(search.Options{Game: g, Eval: search.Zero(g), Depth: depth, Ties: search.Random})
	}}
}

func config(t testing.TB, spec string, episodes int) Config {
	g := newGame(t, spec)
	return Config{Game: g, Agents: []search.Factory{expectimax(g, 2)}, Episodes: episodes, Seed: 7, Openings: 4, Explore: 0.1,
		Workers: 2, EpisodesPerShard: 8, Dir: filepath.Join(t.TempDir(), "data")}
}

func run(t testing.TB, cfg Config) *datasets.Manifest {
	t.Helper()
	return vectors.Must(Run(context.Background(), cfg))
}

func records(t testing.TB, dir string) (out []datasets.Record) {
	t.Helper()
	set := vectors.Must(datasets.Open(dir))
	for r, err := range set.Records() {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, *r)
	}
	return out
}

var worlds = []string{"connect4", "connect4+slip=0.25", "pig:target=20", "pig:target=20,players=3", "pig:target=20+adversary"}

// TestRecords checks that every record is a legal decision by a player, not by nature, and that all
// records of an episode have increasing plies and the same outcome.
func TestRecords(t *testing.T) {
	for _, world := range worlds {
		cfg := config(t, world, 40)
		if strings.Contains(world, "players=3") {
			cfg.Agents = []search.Factory{random(cfg.Game)}
		}
		m := run(t, cfg)
		rs := records(t, cfg.Dir)
		// In pig, an adversary that rolls a 1 each time prevents the game from ending.
		if int64(len(rs)) != m.Records || m.Distinct < 30 || m.Truncated != 0 && !strings.Contains(world, "adversary") {
			t.Errorf("%s: %d records read, manifest %+v", world, len(rs), m)
		}
		explored := 0
		for i, r := range rs {
			s, err := cfg.Game.Parse(r.Position)
			if err != nil {
				t.Fatalf("%s: %+v: %v", world, r, err)
			}
			_, err = cfg.Game.ParseMove(s, r.Move)
			if err != nil || s.Turn() != r.Mover || game.NatureToMove(s) {
				t.Fatalf("%s: %+v: %v, turn %d", world, r, err, s.Turn())
			}
			if r.Explored {
				explored++
			}
			if want := !r.Explored && cfg.Agents[0].Identity != "random"; r.HasValue != want {
				t.Fatalf("%s: %+v: HasValue, want %v", world, r, want)
			}
			if r.HasValue && r.Depth < 1 {
				t.Fatalf("%s: %+v: depth 0", world, r)
			}
			if next := i + 1; next < len(rs) && rs[next].Episode == r.Episode {
				if rs[next].Ply <= r.Ply || !reflect.DeepEqual(rs[next].Outcome, r.Outcome) {
					t.Fatalf("%s: %+v follows %+v", world, rs[next], r)
				}
			}
		}
		if share := float64(explored) / float64(len(rs)); share < 0.03 || share > 0.25 {
			t.Errorf("%s: %v of the moves explored, want about 0.1", world, share)
		}
	}
}

// TestOpeningThatEnds checks that another opening is drawn if a slip after the last decision of an
// opening ends the game.
func TestOpeningThatEnds(t *testing.T) {
	cfg := config(t, "connect4+slip=0.2", 100)
	cfg.Openings = 40
	run(t, cfg)
	episodes := map[uint64]bool{}
	for _, r := range records(t, cfg.Dir) {
		episodes[r.Episode] = true
	}
	if len(episodes) != 100 {
		t.Errorf("%d episodes with decisions, want 100", len(episodes))
	}
}

// hasty cancels the context during its search but still returns the first move without an error.
type hasty struct{ stop func() }

func (*hasty) Begin(uint64) {}
func (h *hasty) Search(_ context.Context, s game.State) (search.Result, error) {
	h.stop()
	return search.Result{Move: s.Moves(nil)[0], Nodes: 1}, nil
}

// TestStoppedSearch checks that the result of a cancelled search is not recorded.
func TestStoppedSearch(t *testing.T) {
	cfg := config(t, "connect4", 1)
	ctx, stop := context.WithCancel(context.Background())
	cfg.Agents, cfg.Explore = []search.Factory{{Identity: "hasty", New: func() (search.Agent, error) { return &hasty{stop}, nil }}}, 0
	if _, err := Run(ctx, cfg); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(cfg.Dir, "*.parquet")); len(left) > 0 {
		t.Errorf("%v was written", left)
	}
}

// TestTruncated checks that truncated episodes are marked and have no outcome, even in a game whose
// points could serve as one.
func TestTruncated(t *testing.T) {
	for _, name := range []string{"connect4", "2048"} {
		cfg := config(t, name, 9)
		short := *cfg.Game
		short.MaxPlies = 20
		cfg.Game, cfg.Openings = &short, 0
		if name == "connect4" {
			short.MaxPlies = 6
		}
		if m := run(t, cfg); m.Truncated != 9 {
			t.Errorf("%s: %d truncated, want 9", name, m.Truncated)
		}
		for _, r := range records(t, cfg.Dir) {
			if !r.Truncated || int(r.Ply) >= short.MaxPlies || slices.ContainsFunc(r.Outcome, func(x float64) bool { return x != 0 }) {
				t.Errorf("%s: %+v, want a truncated one before ply %d, without outcome", name, r, short.MaxPlies)
			}
		}
	}
}

// TestRefused checks that invalid input is rejected and that no directory is created.
func TestRefused(t *testing.T) {
	for want, change := range map[string]func(*Config){
		"games=0":     func(c *Config) { c.Episodes = 0 },
		"openings=-1": func(c *Config) { c.Openings = -1 },
		"explore=1.5": func(c *Config) { c.Explore = 1.5 },
		"3 agents":    func(c *Config) { c.Agents = []search.Factory{c.Agents[0], c.Agents[0], c.Agents[0]} },
		"run to run":  func(c *Config) { c.Agents[0].Unrepeatable = true },
		"limit of some": func(c *Config) {
			c.Agents[0].New = func() (search.Agent, error) { return nil, errors.New("want a limit of some kind") }
		},
	} {
		cfg := config(t, "connect4", 3)
		change(&cfg)
		if _, err := Run(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
		if _, err := os.Stat(cfg.Dir); err == nil {
			t.Errorf("%s: the folder was made", want)
		}
	}
}

func TestRelabel(t *testing.T) {
	cfg := config(t, "connect4", 20)
	from := run(t, cfg)
	re := RelabelConfig{Game: cfg.Game, Agent: expectimax(cfg.Game, 3), From: cfg.Dir, To: filepath.Join(t.TempDir(), "to"), Workers: 2}
	m := vectors.Must(Relabel(context.Background(), re))
	if m.Source != from.Digest || m.Records != from.Records || m.Digest == from.Digest {
		t.Errorf("relabelled %+v, from %+v", m, from)
	}
	agent, _ := re.Agent.New()
	agent.Begin(0)
	before, after := records(t, cfg.Dir), records(t, re.To)
	for i, r := range after {
		s, _ := cfg.Game.Parse(r.Position)
		found, err := agent.Search(context.Background(), s)
		if err != nil || !r.HasValue || r.Value != found.Value || int(r.Depth) != found.Depth {
			t.Fatalf("%+v: search says %v at depth %d, %v", r, found.Value, found.Depth, err)
		}
		r.Value, r.HasValue, r.Depth, r.Proven = before[i].Value, before[i].HasValue, before[i].Depth, before[i].Proven
		if !reflect.DeepEqual(r, before[i]) {
			t.Fatalf("%+v became %+v", before[i], after[i])
		}
	}
	other := re
	other.Agent = expectimax(cfg.Game, 4)
	if _, err := Relabel(context.Background(), other); err == nil || !strings.Contains(err.Error(), "agents") {
		t.Errorf("another agent into the same folder: %v", err)
	}
	other.Agent, other.Game = re.Agent, newGame(t, "pig")
	if _, err := Relabel(context.Background(), other); err == nil || !strings.Contains(err.Error(), "want pig") {
		t.Errorf("another game: %v", err)
	}
}
