package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/search"
)

func (a *app) playCommand() *cobra.Command {
	var agent, position, model string
	var as int
	var seed uint64
	cmd := &cobra.Command{
		Use:   "play GAME",
		Short: "Play against an agent in the terminal, with hints and the reasons for them",
		Long: `Play against an agent in the terminal, or alone in a game of one. Moves are typed
in the game's notation, or as much of it as one move alone begins with. Dice and
tiles fall by the seed, the same after a move was taken back.

` + playHelp,
		Example: `  plyfit play connect4
  plyfit play chess --agent alphabeta:depth=3,eval=learned --as 1
  plyfit play 2048 --agent expectimax:depth=2`,
		Args: exactly("GAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := a.catalog.World(args[0])
			if err != nil {
				return err
			}
			t := &table{world: w, out: a.stdout, seed: seed, agent: agent, begun: position}
			if t.agent == "" {
				t.agent = defaultPlanner(w)
			}
			if t.state = w.New(); position != "" {
				if t.state, err = w.Parse(position); err != nil {
					return err
				}
			}
			if n := game.ShapeOf(w.Game, t.state).Players; as < 0 || as >= n {
				return fmt.Errorf("--as %d: want a player of %s from 0 to %d", as, w.Spec, n-1)
			}
			defer t.dismiss()
			if err := t.seat(as); err != nil {
				return err
			}
			if err := t.judgeBy(model); err != nil {
				return err
			}
			if f, ok := a.stdin.(*os.File); ok {
				t.prompts = term.IsTerminal(int(f.Fd()))
			}
			return t.play(cmd.Context(), a.stdin)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&agent, "agent", "a", "", "who plays against you and gives hints; without it the planner that the game is learned with")
	flags.IntVar(&as, "as", 0, "which player you are")
	flags.StringVarP(&position, "position", "p", "", "where the game begins; the start without it")
	flags.StringVarP(&model, "model", "m", "", "the evaluation that eval and explain take apart: handwritten, learned or a model file; without it the agent's")
	seedFlag(cmd, &seed)
	return cmd
}

// table is a game between a person and agents.
type table struct {
	world   *catalog.World
	out     io.Writer
	prompts bool // a person at a terminal is asked; otherwise what was read is repeated
	seed    uint64

	state game.State
	begun string // the position given, "" the game's start
	moves []game.Move
	turns []game.Player // who made each; Chance for nature

	human  game.Player
	agent  string         // as the user names it
	seats  []search.Agent // nil for the person's
	advice search.Agent

	model string
	eval  *features.Evaluator // nil: the evaluation knows nothing
}

// seat puts the person on one seat and agents on all others.
func (t *table) seat(as int) error {
	t.human = game.Player(as)
	p, err := t.world.Agent(t.agent, catalog.AgentOptions{})
	if err != nil {
		return err
	}
	if p.Judge != nil {
		t.model = p.Judge.Name
	}
	if t.advice, err = p.New(); err != nil {
		return err
	}
	t.advice.Begin(game.Seed(t.seed, game.StreamSeat, uint64(as)))
	t.seats = make([]search.Agent, game.ShapeOf(t.world.Game, t.state).Players)
	for i := range t.seats {
		if i == as {
			continue
		}
		if t.seats[i], err = p.New(); err != nil {
			return err
		}
		t.seats[i].Begin(game.Seed(t.seed, game.StreamSeat, uint64(i)))
	}
	return nil
}

// dismiss gives back what the agents hold.
func (t *table) dismiss() {
	for _, a := range append(t.seats, t.advice) {
		search.Close(a)
	}
}

// judgeBy sets the evaluation that is taken apart; "" is the agent's.
func (t *table) judgeBy(model string) error {
	if model != "" {
		t.model = model
	}
	judge, err := t.world.Judge(t.model)
	if err != nil {
		return err
	}
	if t.model = judge.Name; judge.Model != nil {
		t.eval = features.NewEvaluator(t.world.Game, judge.Set, judge.Model)
	}
	return nil
}

// play goes on until the input ends or the person leaves.
func (t *table) play(ctx context.Context, stdin io.Reader) error {
	lines := make(chan string)
	ended := make(chan error, 1)
	left := make(chan struct{})
	defer close(left)
	go func() {
		defer close(lines)
		in := bufio.NewScanner(stdin)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			select {
			case lines <- in.Text():
			case <-left:
				return
			}
		}
		ended <- in.Err()
	}()
	fresh := true // the position has not been drawn since it changed
	for {
		if t.others(ctx) {
			if err := t.answer(ctx); err != nil {
				return err
			}
			fresh = true
			continue
		}
		if fresh {
			if err := t.draw(); err != nil {
				return err
			}
			fresh = false
		}
		if t.prompts {
			t.say("%s> ", t.prompt())
		}
		var line string
		select {
		case <-ctx.Done():
			return ctx.Err()
		case text, ok := <-lines:
			if !ok {
				if err := <-ended; err != nil {
					return failed(err)
				}
				return t.leave()
			}
			line = strings.TrimSpace(text)
		}
		if line == "" {
			continue
		}
		if !t.prompts {
			t.say("%s> %s\n", t.prompt(), line)
		}
		before := len(t.moves)
		word, rest, _ := strings.Cut(line, " ")
		if word == "quit" {
			return t.leave()
		}
		if err := t.obey(ctx, word, strings.TrimSpace(rest), line); err != nil {
			return err
		}
		fresh = fresh || len(t.moves) != before
	}
}

// over tells whether nothing can be played any more.
func (t *table) over() bool {
	return t.state.Turn() == game.Nobody || len(t.moves) >= t.world.MaxPlies
}

// others tells whether somebody else than the person is to move.
func (t *table) others(ctx context.Context) bool {
	return ctx.Err() == nil && !t.over() && t.state.Turn() != t.human
}

func (t *table) prompt() string {
	if t.over() {
		return "over"
	}
	return t.name(t.human)
}

func (t *table) name(p game.Player) string { return t.world.Seat(p) }

// say prints; a full disk or a closed pipe shows when the position is drawn.
func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

func (t *table) make(m game.Move) {
	t.turns = append(t.turns, t.state.Turn())
	t.moves = append(t.moves, m)
	t.state.Play(m)
}

// answer plays for nature or for an agent.
func (t *table) answer(ctx context.Context) error {
	turn := t.state.Turn()
	if turn == game.Chance {
		m := t.luck()
		t.say("%s\n", t.luckTold(m))
		t.make(m)
		return nil
	}
	r, err := t.seats[turn].Search(ctx, t.state)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return failed(err)
	}
	t.say("%s plays %s\n", t.name(turn), t.told(r))
	t.make(r.Move)
	return nil
}

// told is a search's answer in a line.
func (t *table) told(r search.Result) string {
	text := t.state.MoveString(r.Move)
	if len(r.Values) > 0 {
		text += "   value " + number(r.Value)
	}
	if len(r.PV) > 1 {
		text += "   line " + strings.Join(moveStrings(t.state, r.PV), " ")
	}
	return text
}

// luck draws nature's move: by the seed and the number of moves so far, so that
// another try after undo has the same.
func (t *table) luck() game.Move {
	seed := game.Seed(t.seed, game.StreamNature, uint64(len(t.moves)))
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	return game.Drawn(t.state, t.state.Moves(nil), rng.Float64())
}

// luckTold is what nature does, in words.
func (t *table) luckTold(m game.Move) string {
	text := t.state.MoveString(m)
	if slip, ok := game.As[*game.Slip](t.state); ok {
		if intended, pending := slip.Intended(); pending {
			if intended == m {
				return "the hand is steady: " + text
			}
			return fmt.Sprintf("the hand slips: %s instead of %s", text, t.state.MoveString(intended))
		}
	}
	if c, ok := game.As[game.Chancer](t.state); ok && len(t.seats) > 1 {
		return fmt.Sprintf("chance, for %s: %s", t.name(c.For()), text)
	}
	return "chance: " + text
}

// draw shows the position and, where it is over, what came of it.
func (t *table) draw() error {
	picture := t.state.String()
	if d, ok := game.As[game.Drawer](t.state); ok {
		picture = d.Draw(inColour(t.out))
	}
	text := strings.TrimRight(picture, "\n") + "\n"
	switch {
	case t.state.Turn() == game.Nobody:
		var got []string
		for p := range t.seats {
			got = append(got, fmt.Sprintf("%s gets %s", t.name(game.Player(p)), number(t.state.Utility(game.Player(p)))))
		}
		text += "over: " + strings.Join(got, ", ") + "\n"
	case t.over():
		text += "cut off after the game's limit of plies\n"
	}
	_, err := io.WriteString(t.out, text)
	return failed(err)
}

func (t *table) leave() error {
	if t.over() {
		return nil
	}
	_, err := fmt.Fprintf(t.out, "left off at %s\n", t.state)
	return failed(err)
}
