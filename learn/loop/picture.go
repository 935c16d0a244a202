package loop

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"plyfit/arena"
	"plyfit/arena/stats"
	"plyfit/game"
	"plyfit/internal/report"
)

// moments is the number of positions of the game that the report shows.
const moments = 4

// gameFile is the name of the file with the records of the game shown in the report.
const gameFile = "game"

// playGame replays the first pair of the learned evaluation's first match in the run's world and
// records the moves. The pair is fixed in advance, so the game is not hand-picked. playGame does
// nothing if the game cannot draw boards or hides information, or if no such match was played.
func (o *Result) playGame(ctx context.Context) error {
	w := o.Options.World
	if !pictured(w) {
		return nil
	}
	for _, c := range o.Contests {
		if c.Planners() || c.A != "learned" || c.Game != w.Spec {
			continue
		}
		c.Pairs, c.file, c.sprt, c.moves = 1, gameFile, nil, true
		if err := o.Options.play(ctx, &c, o.Model); err != nil {
			return err
		}
		o.shown = &c
		return nil
	}
	return nil
}

// gamePicture returns a figure of the game that playGame recorded. The result ok is false if there
// is none.
func (o *Result) gamePicture() (f report.Figure, ok bool, err error) {
	if o.shown == nil {
		return f, false, nil
	}
	c := o.shown
	t, err := firstGame(filepath.Join(o.Options.Dir, "matches", gameFile+".jsonl"), c.World.Game)
	if err != nil || t == nil {
		return f, false, err
	}
	panels, err := boards(c.World.Game, t)
	if err != nil {
		return f, false, err
	}
	caption := fmt.Sprintf("The learned evaluation's first game, in which it moves first, against the %s evaluation under %s.", map[string]string{"handwritten": "hand-written", "zero": "empty"}[c.B], c.Planner)
	if len(t.Utility) == 1 {
		caption = fmt.Sprintf("The learned evaluation's first game under %s. The learned evaluation scores %v.", c.Planner, t.Utility[0])
	}
	f, err = report.NewFigure("game", "A game", caption, panels...)
	return f, err == nil, err
}

// firstGame returns the first game in a record file in which A has the first seat, or nil if there
// is none.
func firstGame(path string, g *game.Game) (first *game.Transcript, err error) {
	_, err = arena.EachRecord(path, func(r *arena.PairRecord) error {
		games, err := r.Transcripts(g, "learned", "the other")
		for _, t := range games {
			if first == nil && t.Sides[0] == 0 {
				first = t
			}
		}
		return err
	})
	return first, err
}

// boards returns evenly spaced positions from a game, of which the last is the final position.
func boards(g *game.Game, t *game.Transcript) (panels []report.Plot, err error) {
	ply := 0
	show := func(s game.State, _ game.Move) error {
		if ply*(moments-1) >= len(panels)*len(t.Moves) {
			title := fmt.Sprintf("after %d plies", ply)
			if ply == len(t.Moves) {
				title = "at the end, " + title
			}
			d, _ := game.As[game.Illustrator](s)
			panels = append(panels, report.Board{Title: title, SVG: d.SVG(0)})
		}
		ply++
		return nil
	}
	last, err := t.Replay(g, show)
	if err != nil {
		return nil, err
	}
	return panels, show(last, game.NoMove)
}

// strengthPicture draws the results of evaluations, with a panel for each world and planner. In a
// single-player game it shows mean utilities, and otherwise their scores against each other. The
// result ok is false if no evaluations were compared.
func strengthPicture(contests []Contest) (f report.Figure, ok bool, err error) {
	var panels []report.Plot
	for _, here := range grouped(contests, func(c *Contest) string { return c.Game + " " + c.Planner }) {
		rows := strengthRows(here)
		rows.Title = fmt.Sprintf("in %s, %s", here[0].Game, strings.ReplaceAll(here[0].Planner, ",", ", ")) // spaces allow the title to wrap
		panels = append(panels, rows)
	}
	if len(panels) == 0 {
		return f, false, nil
	}
	f, err = report.NewFigure("strength", "Learned, hand-written and zero", "The results from the tables below, with their 95% intervals.", panels...)
	return f, true, err
}

// strengthRows returns the rows for one world and planner.
func strengthRows(contests []Contest) report.Rows {
	colors := map[string]int{"learned": 1, "handwritten": 2, "zero": 7}
	rows := report.Rows{}
	drawn := map[string]bool{}
	add := func(label, evaluation, text string, e stats.Estimate, factor float64) {
		if drawn[label] || !e.Known {
			return
		}
		drawn[label] = true
		low, high := e.Ends()
		rows.Rows = append(rows.Rows, report.Row{Name: label, Value: factor * e.Value, Low: factor * low, High: factor * high, Text: text, Color: colors[evaluation]})
	}
	for _, c := range contests {
		r := &c.Result
		switch {
		case r.Mode == arena.Solo:
			rows.XLabel = "mean utility per game"
			add(shortName[c.A], c.A, plusMinus(r.UtilityA), r.UtilityA, 1)
			add(shortName[c.B], c.B, plusMinus(r.UtilityB), r.UtilityB, 1)
		default:
			factor, even := 100.0, 50.0
			rows.XLabel = "percent of the points; 50 is even"
			if r.Measure == arena.Utility {
				factor, even, rows.XLabel = 1, 0, "gain in utility per game over the other evaluation; 0 is even"
			}
			rows.Level = &even
			add(fmt.Sprintf("%s against %s", shortName[c.A], shortName[c.B]), c.A, shareText(r), r.Score, factor)
		}
	}
	return rows
}
