package cli

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"plyfit/catalog"
	"plyfit/datasets"
	"plyfit/datasets/intake"
	"plyfit/internal/proc"
	"plyfit/internal/progress"
	"plyfit/internal/report"
	"plyfit/internal/text"
	"plyfit/learn/opponent"
	"plyfit/models"
)

type opponentCommand struct {
	*App
	eval, out, split string
	perGame, bad     int
	workers          int
	seed             uint64
	asJSON, quiet    bool
}

type opponentAnswer struct {
	Game      string         `json:"game"`
	Eval      string         `json:"eval"`
	Split     string         `json:"split"`
	Decisions intake.Account `json:"decisions"`
	Games     intake.Account `json:"games"`
	Rows      intake.Account `json:"rows"`
	Data      []string       `json:"data"` // digests of the data
	Episodes  int            `json:"episodes"`
	*opponent.Learned
}

func (shared *App) opponentCommand() *cobra.Command {
	a := &opponentCommand{App: shared}
	cmd := &cobra.Command{
		Use:   "opponent GAME FILE... -o MODEL",
		Short: "Fit a model of a player to recorded games",
		RunE: a.inWorld(func(cmd *cobra.Command, w *catalog.World, args []string) error {
			return a.run(cmd.Context(), w, args[1:])
		}),
	}
	outModelFlag(cmd, &a.out, "model file to write")
	cmd.Flags().StringVar(&a.eval, "eval", "", "evaluation to start from; default: handwritten")
	cmd.Flags().StringVar(&a.split, "split", "game", "unit of held-out data: game or event")
	wholeFlag(cmd, &a.perGame, "per-game", "", 4, 1, "number of decisions sampled from each game")
	wholeFlag(cmd, &a.bad, "bad-lines", "", 0, 0, "maximum number of unreadable lines or games to skip")
	runFlags(cmd, &a.seed, &a.workers)
	answerFlags(cmd, &a.asJSON, "print one JSON object", &a.quiet)
	return cmd
}

func (a *opponentCommand) run(ctx context.Context, w *catalog.World, files []string) error {
	if err := distinct(append(slices.Clone(files), a.out)...); err != nil {
		return err
	}
	if a.split != "game" && a.split != "event" {
		return fmt.Errorf("--split %s: want game or event", a.split)
	}
	if err := opponent.Check(w.Game); err != nil {
		return err
	}
	e, err := w.Evaluation(a.eval)
	if err != nil {
		return err
	}
	if e.Model == nil {
		return fmt.Errorf("opponent: eval=%s has no weights; use --eval with a model", e.Name)
	}
	stop := progress.Working(a.Stderr, "fitting "+strings.Join(files, ", "), a.quiet)
	defer stop()
	found := &opponentAnswer{Game: w.Spec, Eval: e.Name, Split: a.split}
	list, err := a.read(ctx, w, files, found)
	if err != nil {
		return runFailure(err)
	}
	if found.Learned, err = opponent.Learn(ctx, w.Game, e.Set, e.Model, list, a.seed, a.workers); err != nil {
		return runFailure(err)
	}
	stop()
	found.Measures[1].Name = e.Name
	m := found.Model
	m.Provenance = &models.Provenance{
		Command: fmt.Sprintf("plyfit opponent %s FILE... -o MODEL --eval %s --split %s --per-game %d --bad-lines %d --seed %d", w.Spec, e.Name, a.split, a.perGame, a.bad, a.seed),
		Data:    strings.Join(found.Data, " "), Episodes: found.Episodes, Rows: int64(found.Decisions.Used), Label: "moves", Method: "softmax", Prior: e.Digest, Seed: a.seed,
		Regularisation: map[string]float64{"penalty": found.Penalty},
		HeldOut:        map[string]float64{"match": found.Measures[2].Match.Value, "match of the prior": found.Measures[1].Match.Value, "log likelihood": found.Measures[2].LogLikelihood.Value},
	}
	if err := m.File().Save(a.out); err != nil {
		return runFailure(err)
	}
	if a.asJSON {
		return WriteJSON(a.Stdout, found)
	}
	return a.print(found)
}

// read samples decisions from each game and records how many it used and how many it skipped (in
// found).
func (a *opponentCommand) read(ctx context.Context, w *catalog.World, files []string, found *opponentAnswer) (list []opponent.Decision, err error) {
	type source struct {
		records iter.Seq2[*datasets.Record, error]
		event   func(episode uint64) string
	}
	var sources []source
	var others []string
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			others = append(others, file)
			continue
		}
		data, of, err := a.recorded(file, "")
		if err != nil {
			return nil, err
		}
		if of.Spec != w.Spec {
			return nil, fmt.Errorf("%s: is a data set for %s; want a data set for %s", file, of.Spec, w.Spec)
		}
		found.Data = append(found.Data, data.Digest)
		sources = append(sources, source{data.Records(), func(uint64) string { return "" }})
	}
	if len(others) > 0 {
		unit := map[bool]intake.Score{true: intake.Centipawns, false: intake.Utility}[w.Name == "chess"]
		c, err := intake.Read(ctx, others, intake.Options{Game: w.Game, BadLines: a.bad, Score: unit})
		if err != nil {
			return nil, err
		}
		a.tellIntake(c)
		sources = append(sources, source{c.Records(), c.Event})
		found.Games, found.Rows, found.Data = c.Games, c.Rows, append(found.Data, c.Digest)
	}
	account, groups, games := &found.Decisions, map[string]int{}, map[string]int{}
	account.Skipped = map[string]int{}
	var all []opponent.Decision
	var gameOf []string // game of each decision
	for k, source := range sources {
		for r, err := range source.records {
			if err = cmp.Or(err, ctx.Err()); err != nil {
				return nil, err
			}
			played := fmt.Sprint(k, " ", r.Episode)
			name := played
			if a.split == "event" {
				name = source.event(r.Episode)
			}
			account.Seen++
			switch {
			case r.Move == "":
				account.Skipped["no move"]++
			case r.Explored:
				account.Skipped["drawn at random"]++
			case name == "":
				account.Skipped["no event"]++
			default:
				if _, ok := groups[name]; !ok {
					groups[name] = len(groups)
				}
				all, gameOf = append(all, opponent.Decision{Position: r.Position, Move: r.Move, Group: groups[name]}), append(gameOf, played)
			}
		}
	}
	rand.New(rand.NewPCG(a.seed, 0)).Shuffle(len(all), func(i, j int) { all[i], all[j], gameOf[i], gameOf[j] = all[j], all[i], gameOf[j], gameOf[i] })
	for i, d := range all {
		if games[gameOf[i]] == a.perGame {
			account.Skipped["not drawn"]++
			continue
		}
		s, err := w.Parse(d.Position)
		switch {
		case err != nil:
			return nil, err
		case len(s.Moves(nil)) < 2:
			account.Skipped["no choice"]++
		default:
			games[gameOf[i]]++
			list = append(list, d)
		}
	}
	account.Used, found.Episodes = len(list), len(games)
	return list, nil
}

func (a *opponentCommand) print(found *opponentAnswer) error {
	a.account("decisions", found.Decisions)
	a.account("games", found.Games)
	a.account("rows", found.Rows)
	fmt.Fprintf(a.Stdout, "held out   %s of %d: %s\n", text.Counted(found.HeldOut, found.Split), found.HeldOut+found.Train, text.Counted(found.Moves, "decision"))
	fmt.Fprintf(a.Stdout, "penalty    %v\n\n", found.Penalty)
	t := report.Table{Head: []string{"play", "temperature", "random", "moves matched", "log likelihood per move"}}
	for i, m := range found.Measures {
		row := []string{m.Name, "", "", m.Match.Percent(), m.LogLikelihood.Format("%.3f", 1)}
		if i > 0 {
			f := []opponent.Fitted{found.Start, found.Fitted}[i-1]
			row[1], row[2] = f.Temperature.Format("%.3g", 1), f.Random.Format("%.1f%%", 100)
		}
		t.Rows = append(t.Rows, row)
	}
	if err := t.Print(a.Stdout); err != nil {
		return proc.Failure(err)
	}
	return a.printf("\nThe share of moves that the model predicts is %s percentage points above that of greedy play with %s.\n", found.Gain.Format("%.1f", 100), found.Eval)
}
