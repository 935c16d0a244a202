package uci

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"

	"plyfit/internal/disk"
	"plyfit/internal/protocol"
	"plyfit/search"
	"plyfit/work"
)

// A Probe gets scores from an engine, changing one option at a time. It stores the scores in files.
type Probe struct {
	Config         // configuration of the unchanged engine; the limit should be a depth of 1
	Engine  string // name of the engine, for messages
	Dir     string // directory of the stored scores
	Workers int    // number of engines running in parallel; 0 means one; does not affect the scores
	Log     func(format string, values ...any)
}

// A Setting is a change to an option. The zero value changes nothing.
type Setting struct {
	Name     string
	Value    int
	Backward bool // whether the positions are scored in reverse order
}

// A Score is a whole number of centipawns for player 0, or a word that says why there is no number.
type Score string

// mostProbed is the largest score that is used. Positions with larger scores are considered
// decided.
const mostProbed = 3000

// Number returns the score as a number. ok is false if there is none.
func (s Score) Number() (cp int, ok bool) {
	cp, err := strconv.Atoi(string(s))
	return cp, err == nil
}

// probed is the number of positions per engine process and file. It limits the amount of work that
// must be repeated after a run is killed.
const probed = 250

// Scores returns the scores of the positions for each setting. The engine receives ucinewgame
// before each position.
func (p *Probe) Scores(ctx context.Context, positions []string, settings []Setting) (scores [][]Score, err error) {
	if err := os.MkdirAll(p.Dir, 0o777); err != nil {
		return nil, err
	}
	chunks := (len(positions) + probed - 1) / probed
	file := func(unit int) string {
		s := settings[unit/chunks]
		return filepath.Join(p.Dir, fmt.Sprintf("%s=%d,%v,%d.json", url.PathEscape(s.Name), s.Value, s.Backward, unit%chunks))
	}
	chunk := func(unit int) []string {
		from := unit % chunks * probed
		return positions[from:min(from+probed, len(positions))]
	}
	var missing []int
	for unit := range len(settings) * chunks {
		if _, err := os.Stat(file(unit)); err != nil {
			missing = append(missing, unit)
		}
	}
	pool := work.Pool[struct{}, probeFile]{Workers: make([]struct{}, max(1, p.Workers)), Task: work.Task[struct{}, probeFile]{
		Parts: func(int) int { return 1 },
		Do: func(ctx context.Context, _ struct{}, unit, _ int) (probeFile, error) {
			scores, err := p.ask(ctx, chunk(unit), settings[unit/chunks])
			return probeFile{scores}, err
		},
		Join: func(_ int, parts []probeFile) ([]byte, error) { return json.Marshal(parts[0]) },
	}}
	err = pool.Run(ctx, work.Run{Units: missing, Put: func(unit int, text []byte) error {
		return disk.WriteSealed(file(unit), json.RawMessage(text))
	}})
	scores = make([][]Score, len(settings))
	for unit := 0; unit < len(settings)*chunks && err == nil; unit++ {
		var had probeFile
		if err = disk.ReadSealed(file(unit), &had); err == nil && len(had.Scores) != len(chunk(unit)) {
			err = disk.Damaged(file(unit), file(unit))
		}
		scores[unit/chunks] = append(scores[unit/chunks], had.Scores...)
	}
	return scores, err
}

// probeFile is the content of a file with scores.
type probeFile struct {
	Scores []Score `json:"scores"`
}

// ask starts a new engine and returns its scores for the positions.
func (p *Probe) ask(ctx context.Context, positions []string, s Setting) ([]Score, error) {
	cfg := p.Config
	if s.Name != "" {
		cfg.Options = append(append([]Option{}, cfg.Options...), Option{s.Name, strconv.Itoa(s.Value)})
	}
	engine, err := New(cfg)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	scores := make([]Score, len(positions))
	for k := range positions {
		if s.Backward {
			k = len(positions) - 1 - k
		}
		at, err := p.Game.Parse(positions[k])
		if err != nil {
			return nil, err
		}
		engine.Begin(0)
		r, err := engine.Search(ctx, at)
		if err != nil {
			return nil, err
		}
		scores[k] = score(r, p.Game.Base().Min, p.Game.Base().Max, at.Turn() == 1)
	}
	return scores, nil
}

func score(r search.Result, lo, hi float64, turned bool) Score {
	cp := protocol.Centipawns(r.Value, lo, hi)
	switch {
	case len(r.Values) == 0:
		return "none"
	case r.Value <= lo || r.Value >= hi:
		return "mate"
	case cp > mostProbed || cp < -mostProbed:
		return "decided"
	case turned:
		cp = -cp
	}
	return Score(strconv.Itoa(cp))
}
