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

// Probe asks an engine for scores with one option changed after another, and keeps them.
type Probe struct {
	Config         // of the engine as it is; its limit should be a depth of 1
	Engine  string // for messages
	Dir     string // of the scores
	Workers int    // engines at the same time; 0: one. Never changes the scores
	Log     func(format string, values ...any)
}

// Setting is a change of an option; the zero value is none.
type Setting struct {
	Name     string
	Value    int
	Backward bool // positions are asked for from the last to the first
}

// Score is in hundredths of a pawn for player 0, a whole number, or a word that says why there is none.
type Score string

// mostProbed is the largest score that is one: beyond it the game is decided.
const mostProbed = 3000

// Number is the score; ok is false where there is none.
func (s Score) Number() (cp int, ok bool) {
	cp, err := strconv.Atoi(string(s))
	return cp, err == nil
}

// probed is how many positions a new engine is asked for, and so how many a killed run asks for again.
const probed = 250

// Scores are those of positions by setting. Each begins with ucinewgame.
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

// probeFile is a file of scores.
type probeFile struct {
	Scores []Score `json:"scores"`
}

// ask asks a new engine for the scores of positions.
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
