package arena

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"plyfit/game"
	"plyfit/internal/checkline"
	"plyfit/search"
	"plyfit/work"
)

// What other processes hand in for a unit of pairs is believed only where it follows
// from the moves: the openings, the luck, the plies, the ends and the utilities are all
// worked out again here, and the lines must be the same to the last byte. What a search
// has cost is spared. So one who lies can only have played otherwise than the agents
// would; that is found where the unit is worked out twice.

// mostGameBytes is how much the lines of a game may take: a game of 2048 by strong
// agents has some 100,000 moves.
const mostGameBytes = 4 << 20

// mostUnitBytes is how much those of a unit may take.
const mostUnitBytes = 1 << 30

// audit is what the units of so many pairs have to pass; forget takes pairs back.
func (m *match) audit(pairs int, forget func(pairs []int) error) *work.Audit {
	return &work.Audit{
		MostBytes: min(int64(pairs)*int64(len(m.layout.seats))*mostGameBytes, mostUnitBytes),
		Check: func(ctx context.Context, unit int, lines []byte) error {
			from, to := m.span(unit, pairs)
			_, err := m.audited(ctx, from, to, lines)
			return err
		},
		Forget: func(units []int) error {
			first := make([]int, len(units))
			for i, unit := range units {
				first[i], _ = m.span(unit, pairs)
			}
			return forget(first)
		},
	}
}

// records reads the lines of the pairs [from, to), and no others.
func (m *match) records(from, to int, lines []byte) ([]PairRecord, error) {
	records := make([]PairRecord, 0, to-from)
	for line := range bytes.Lines(lines) {
		pair := from + len(records)
		var r PairRecord
		switch what := "its checksum tells of another"; {
		case pair == to:
			return nil, fmt.Errorf("more lines than the %d pairs of the unit", to-from)
		case !checkline.Intact(line) || json.Unmarshal(line, &r) != nil:
			return nil, fmt.Errorf("pair %d: %s", pair, what)
		case r.Pair != pair:
			return nil, fmt.Errorf("pair %d in the place of pair %d", r.Pair, pair)
		}
		if what := m.layout.fits(&r); what != "" {
			return nil, fmt.Errorf("pair %d: %s", pair, what)
		}
		records = append(records, r)
	}
	if len(records) != to-from {
		return nil, fmt.Errorf("%d pairs, want %d", len(records), to-from)
	}
	return records, nil
}

// audited are the pairs [from, to) of lines that follow from their moves.
func (m *match) audited(ctx context.Context, from, to int, lines []byte) ([]PairRecord, error) {
	records, err := m.records(from, to, lines)
	if err != nil {
		return nil, err
	}
	again := newFollower(m)
	for i := range records {
		r := &records[i]
		played, err := again.follow(ctx, r)
		if err != nil {
			return nil, err
		}
		want, err := sealedLine(&played)
		if err != nil {
			return nil, err
		}
		line := lines[:bytes.IndexByte(lines, '\n')+1]
		lines = lines[len(line):]
		if !bytes.Equal(line, want) {
			return nil, fmt.Errorf("pair %d: %s", r.Pair, r.differs(&played))
		}
	}
	return records, nil
}

// differs says in what a record is another than the one that its moves lead to.
func (r *PairRecord) differs(played *PairRecord) string {
	if r.Start != played.Start || r.Drawn != played.Drawn || r.From != played.From {
		return "its opening is not the one that the seed draws"
	}
	for i := range r.Games {
		g, p := &r.Games[i], &played.Games[i]
		switch {
		case !slices.Equal(g.Moves, p.Moves):
			return fmt.Sprintf("game %d: its moves are not those of a game by the seed's opening and luck: %d of %d are played", i, len(p.Moves), len(g.Moves))
		case !slices.Equal(g.Utility, p.Utility):
			return fmt.Sprintf("game %d: utilities %v, its moves lead to %v", i, g.Utility, p.Utility)
		}
	}
	return "its line is not that of the games that its moves lead to"
}

// newFollower is a worker whose agents play as a record says.
func newFollower(m *match) *worker {
	w := newWorker(m)
	w.spell = true
	for side := range w.agents {
		w.agents[side] = &follower{w}
	}
	return w
}

// follow plays a pair again as its record says. Whether an agent fails is its own affair:
// it is asked, which is rare.
func (w *worker) follow(ctx context.Context, r *PairRecord) (PairRecord, error) {
	if slices.ContainsFunc(r.Games, func(g GameRecord) bool { return g.Fault != nil }) {
		own := newWorker(w.m)
		defer own.close()
		own.spell = true
		return own.pair(ctx, r.Pair)
	}
	w.told = r
	return w.pair(ctx, r.Pair)
}

// follower makes the moves of a record.
type follower struct{ w *worker }

var _ search.Agent = (*follower)(nil)

// Begin implements [search.Agent].
func (f *follower) Begin(uint64) {}

// errRecordEnds says that a game goes on where its record ends.
var errRecordEnds = errors.New("the record ends before the game")

// Search implements [search.Agent].
func (f *follower) Search(_ context.Context, s game.State) (search.Result, error) {
	moves := f.w.told.Games[f.w.index].Moves
	if f.w.episode.Plies >= len(moves) {
		return search.Result{}, errRecordEnds
	}
	m, err := f.w.m.cfg.Game.ParseMove(s, moves[f.w.episode.Plies])
	return search.Result{Move: m}, err
}

// ruling says after each decision whether the game ends by it, before its end.
type ruling interface {
	note(mover game.Player, found *search.Result, plies int) int
}

// ruling is the referee of a game; of one that is played again, what its record says, as
// far as the rule can have said so: values are not in the record.
func (w *worker) ruling() ruling {
	a := w.m.cfg.Adjudicate
	switch {
	case a == nil:
		return (*referee)(nil)
	case w.told != nil:
		return &told{&w.told.Games[w.index], a, &w.m.layout}
	}
	return &referee{rule: *a, layout: &w.m.layout}
}

type told struct {
	record *GameRecord
	rule   *Adjudication
	layout *layout
}

func (t *told) note(_ game.Player, _ *search.Result, plies int) int {
	if !t.record.Adjudicated || plies != len(t.record.Moves) {
		return playOn
	}
	for _, outcome := range []int{drawn, 0, 1} {
		may := t.rule.Win > 0
		if outcome == drawn {
			may = t.rule.DrawAfter > 0 && plies >= t.rule.DrawAfter
		}
		if may && slices.Equal(t.record.Utility, t.layout.adjudicated(outcome)) {
			return outcome
		}
	}
	return playOn
}
