// Package terminal shows games, searches and models to a person, on lines of text.
//
//  1. Read a world, as catalog's World does, and name the agents by their specs.
//
//  2. Run a [Play], a game between a person and agents: it reads moves in the
//     game's notation, and the words of [Help]. Or run a [Watch], a game among
//     agents alone.
//
// Both draw the board as the game draws itself (game.Drawer), and print the position
// where it does not.
//
// [PrintModel] prints the weights of a model, and [PrintDifference] how two models
// differ.
//
// An error that is no fault of the input is marked by package failure.
package terminal

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"

	"golang.org/x/term"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/failure"
	"plyfit/search"
)

// Play is a game between a person and agents; with one player the person plays
// alone, and the agent gives hints.
type Play struct {
	World *catalog.World
	// Agent is the spec of who sits in the other seats and gives hints.
	Agent    string
	Seat     int    // the person's, from 0
	Position string // where the game begins; "": the game's start
	// Model names the evaluation that eval and explain take apart: handwritten,
	// learned or a file; "": the agent's, and where it has none the strongest that is
	// shipped.
	Model string
	Seed  uint64 // of nature and of the agents
	// In is what the person types. Where it is a terminal he is asked; otherwise
	// what was read is repeated in Out, so that a script's output reads alike.
	In  io.Reader
	Out io.Writer
}

// Run plays until the input ends or the person leaves. Its error is ctx's, one of
// the configuration, or a failure.
func (p Play) Run(ctx context.Context) error {
	t := &table{world: p.World, out: p.Out, seed: p.Seed, agent: p.Agent, begun: p.Position}
	s := p.World.New()
	if p.Position != "" {
		var err error
		if s, err = p.World.Parse(p.Position); err != nil {
			return err
		}
	}
	players := game.ShapeOf(p.World.Game, s).Players
	if p.Seat < 0 || p.Seat >= players {
		return fmt.Errorf("--as %d: want a player of %s from 0 to %d", p.Seat, p.World.Spec, players-1)
	}
	t.Episode = play.Episode{Luck: play.LuckFunc(t.draw), Chance: t.tellLuck, Keep: true}
	t.Begin(s, 0, p.World.MaxPlies)
	defer t.dismiss()
	if err := t.seat(p.Seat, players); err != nil {
		return err
	}
	if err := t.evaluateBy(p.Model); err != nil {
		return err
	}
	if f, ok := p.In.(*os.File); ok {
		t.prompts = term.IsTerminal(int(f.Fd()))
	}
	return t.play(ctx, p.In)
}

// table is the game in progress.
type table struct {
	play.Episode
	world   *catalog.World
	out     io.Writer
	prompts bool // a person at a terminal is asked; otherwise what was read is repeated
	seed    uint64
	begun   string // the position given, "" the game's start

	human  game.Player
	agent  string         // as the user names it
	seats  []search.Agent // nil for the person's
	advice search.Agent

	model     string
	evaluator *features.Evaluator // nil: the evaluation knows nothing
}

// seat puts the person on one seat and agents on all others.
func (t *table) seat(as, players int) error {
	t.human = game.Player(as)
	options, best, err := strongest(t.world)
	if err != nil {
		return err
	}
	p, err := t.world.Agent(t.agent, options)
	if err != nil {
		return err
	}
	if options.Evaluation != nil {
		t.model = options.Evaluation.Name
	}
	if p.Evaluation != nil {
		t.model = p.Evaluation.Name
		if p.Evaluation == options.Evaluation {
			t.say("%s\n", best)
		}
	}
	if t.advice, err = p.New(); err != nil {
		return err
	}
	t.advice.Begin(game.Seed(t.seed, game.StreamSeat, uint64(as)))
	t.seats = make([]search.Agent, players)
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

// evaluateBy sets the evaluation that is taken apart; "" is the agent's.
func (t *table) evaluateBy(model string) error {
	if model != "" {
		t.model = model
	}
	evaluation, err := t.world.Evaluation(t.model)
	if err != nil {
		return err
	}
	if t.model = evaluation.Name; evaluation.Model != nil {
		t.evaluator = features.NewEvaluator(t.world.Game, evaluation.Set, evaluation.Model)
	}
	return nil
}

// play goes on until the input ends or the person leaves.
func (t *table) play(ctx context.Context, stdin io.Reader) error {
	left := make(chan struct{})
	defer close(left)
	lines, ended := linesOf(stdin, left)
	fresh := true // the position has not been drawn since it changed
	for {
		plies := t.Plies
		if ctx.Err() == nil && t.Next() && t.State.Turn() != t.human {
			if err := t.answer(ctx); err != nil {
				return err
			}
			fresh = true
			continue
		}
		if fresh || t.Plies != plies {
			if err := t.show(); err != nil {
				return err
			}
			fresh = false
		}
		if t.prompts {
			t.say("%s> ", t.prompt())
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case text, ok := <-lines:
			if !ok {
				if err := <-ended; err != nil {
					return failure.Of(err)
				}
				return t.leave()
			}
			plies = t.Plies
			if over, err := t.take(ctx, strings.TrimSpace(text)); over || err != nil {
				return err
			}
			fresh = fresh || t.Plies != plies
		}
	}
}

// linesOf are the lines of the input, as they come, until left is closed; ended then
// has the error that ended them, or nil.
func linesOf(stdin io.Reader, left <-chan struct{}) (lines <-chan string, ended <-chan error) {
	out, end := make(chan string), make(chan error, 1)
	go func() {
		defer close(out)
		in := bufio.NewScanner(stdin)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			select {
			case out <- in.Text():
			case <-left:
				return
			}
		}
		end <- in.Err()
	}()
	return out, end
}

// take obeys a line, and reports whether the person has left.
func (t *table) take(ctx context.Context, line string) (over bool, err error) {
	if line == "" {
		return false, nil
	}
	if !t.prompts {
		t.say("%s> %s\n", t.prompt(), line)
	}
	word, rest, _ := strings.Cut(line, " ")
	if word == "quit" {
		return true, t.leave()
	}
	return false, t.obey(ctx, word, strings.TrimSpace(rest), line)
}

func (t *table) prompt() string {
	if t.Over() {
		return "over"
	}
	return t.name(t.human)
}

func (t *table) name(p game.Player) string { return t.world.Seat(p) }

// say prints; a full disk or a closed pipe shows when the position is drawn.
func (t *table) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// answer has the agent to move play.
func (t *table) answer(ctx context.Context) error {
	turn := t.State.Turn()
	r, err := t.seats[turn].Search(ctx, t.State)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return failure.Of(err)
	}
	t.say("%s plays %s\n", t.name(turn), t.told(r))
	t.Play(r.Move)
	return nil
}

// told is a search's answer in a line.
func (t *table) told(r search.Result) string {
	text := game.Spelled(t.State, r.Move)
	if len(r.Values) > 0 {
		text += "   value " + Value(t.world.Game, r.Value)
	}
	if len(r.PV) > 1 {
		text += "   line " + strings.Join(Spell(t.State, r.PV), " ")
	}
	return text
}

// draw is nature's move: by the seed and the number of moves so far, so that
// another try after undo has the same.
func (t *table) draw(s game.State) game.Move {
	seed := game.Seed(t.seed, game.StreamNature, uint64(t.Plies))
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	return game.Drawn(s, s.Moves(nil), rng.Float64())
}

// tellLuck says what nature is about to do.
func (t *table) tellLuck(m game.Move, slip bool) {
	if t.world.Hidden {
		return // cards are dealt face down; show has what the person knows
	}
	text := game.Spelled(t.State, m)
	chancer, _ := game.As[game.Chancer](t.State)
	switch {
	case slip:
		world, _ := game.As[*game.Slip](t.State)
		if intended, _ := world.Intended(); intended == m {
			t.say("the hand is steady: %s\n", text)
		} else {
			t.say("the hand slips: %s instead of %s\n", text, game.Spelled(t.State, intended))
		}
	case len(t.seats) > 1:
		t.say("chance, for %s: %s\n", t.name(chancer.For()), text)
	default:
		t.say("chance: %s\n", text)
	}
}

// show draws the position and, where it is over, what came of it.
func (t *table) show() error {
	picture := t.State.String()
	if d, ok := game.As[game.Drawer](t.State); ok {
		picture = d.Draw(inColour(t.out))
	}
	if h, ok := game.As[game.HiddenState](t.State); ok && h.Turn() != game.Nobody {
		picture = h.Info(t.human) // not what others hold
	}
	text := strings.TrimRight(picture, "\n") + "\n"
	switch {
	case t.State.Turn() == game.Nobody:
		text += outcome(t.State, t.name, len(t.seats)) + "\n"
	case t.Over():
		text += "cut off after the game's limit of plies\n"
	}
	_, err := io.WriteString(t.out, text)
	return failure.Of(err)
}

func (t *table) leave() error {
	if t.Over() {
		return nil
	}
	_, err := fmt.Fprintf(t.out, "left off at %s\n", t.State)
	return failure.Of(err)
}
