// Package terminal shows games, searches and models to a person, on lines of text.
//
//  1. Read a world, as catalog's World does, and name the agents by their specs.
//
//  2. Run a [Play], a game between a person and agents: it reads moves in the
//     game's notation, and the words of [Help]. It draws the board as the game draws
//     itself (game.Drawer), and prints the position where it does not.
//
// [PrintModel] prints the weights of a model, and [PrintDifference] how two models differ.
//
// An error that is no fault of the input is marked by package failure.
package terminal

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/proc"
	"plyfit/internal/protocol"
	"plyfit/internal/session"
	"plyfit/search"
)

// Play is a game between a person and agents; with one player the agent only gives hints.
type Play struct {
	World *catalog.World
	// Agent is the spec of who sits in the other seats and gives hints.
	Agent    string
	Seat     int    // the person's, from 0
	Position string // where the game begins; "": the game's start
	Seed     uint64 // of nature and of the agents
	// In is the person's input. If it is not a terminal, it is repeated in Out, so that a script's
	// output reads the same.
	In  io.Reader
	Out io.Writer
}

// Run plays until the input ends or the person leaves. Its error is ctx's, one of the
// configuration, or a failure.
func (p Play) Run(ctx context.Context) error {
	begun, err := session.New(p.World.Game, p.Position, p.Seed)
	if err != nil {
		return err
	}
	t := &sitting{Session: begun, world: p.World, out: p.Out, agent: p.Agent, human: game.Player(p.Seat)}
	players := t.Players()
	if p.Seat < 0 || p.Seat >= players {
		return fmt.Errorf("--as %d: want a player of %s from 0 to %d", p.Seat, p.World.Spec, players-1)
	}
	t.Chance = t.tellLuck
	var note string
	t.seats, note, err = seat(p.World, p.Agent, players, p.Seed)
	for _, a := range t.seats {
		defer search.Close(a)
	}
	if err != nil {
		return err
	}
	if note != "" {
		t.say("%s\n", note)
	}
	if f, ok := p.In.(*os.File); ok {
		t.prompts = term.IsTerminal(int(f.Fd()))
	}
	return t.play(ctx, p.In)
}

type sitting struct {
	*session.Session
	world   *catalog.World
	out     io.Writer
	prompts bool // a person at a terminal is asked; otherwise what was read is repeated

	human game.Player
	agent string         // as the user names it
	seats []search.Agent // the person's gives him advice
}

// seat makes an agent for each player by its spec; note names the model if the spec does not. With
// an error it returns the agents made so far.
func seat(w *catalog.World, spec string, players int, seed uint64) (seats []search.Agent, note string, err error) {
	var o catalog.AgentOptions
	shipped := w.Entry.Shipped()
	best := slices.IndexFunc(shipped, func(m catalog.ShippedModel) bool { return m.Best })
	if best >= 0 {
		if o.Evaluation, err = w.Evaluation("best"); err != nil {
			return nil, "", err
		}
	}
	for i := range players {
		player, err := w.Agent(spec, o)
		if err != nil {
			return seats, "", err
		}
		if player.Evaluation != nil && player.Evaluation == o.Evaluation {
			note = fmt.Sprintf("eval=best is %s/%s, the strongest that is shipped", w.Entry.Name, shipped[best].Name)
		}
		agent, err := player.New()
		if err != nil {
			return seats, "", err
		}
		agent.Begin(game.Seed(seed, game.StreamSeat, uint64(i)))
		seats = append(seats, agent)
	}
	return seats, note, nil
}

func (t *sitting) play(ctx context.Context, stdin io.Reader) error {
	reading, left := context.WithCancel(ctx)
	defer left()
	input, ended := protocol.ReadLines(reading, stdin, mostLine)
	fresh := true // the position has not been drawn since it changed
	for {
		plies := t.Plies
		if ctx.Err() == nil && t.Next() && t.State.Turn() != t.human {
			r, err := t.search(ctx, t.State.Turn())
			if err != nil {
				return err
			}
			t.say("%s plays %s\n", t.world.Seat(t.State.Turn()), t.told(r))
			t.Play(r.Move)
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
		case line, ok := <-input:
			if !ok {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if err := <-ended; err != nil {
					return proc.Failure(err)
				}
				return t.leave()
			}
			plies = t.Plies
			if left, err := t.obey(ctx, strings.TrimSpace(line.Text)); left || err != nil {
				return err
			}
			fresh = fresh || t.Plies != plies
		}
	}
}

const mostLine = 1 << 20

func (t *sitting) prompt() string {
	if t.Over() {
		return "over"
	}
	return t.world.Seat(t.human)
}

// say prints; write errors show when the position is drawn.
func (t *sitting) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// search has the agent in a seat search the position.
func (t *sitting) search(ctx context.Context, seat game.Player) (search.Result, error) {
	r, err := t.seats[seat].Search(ctx, t.State)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, proc.Failure(err)
}

// told formats a search's answer.
func (t *sitting) told(r search.Result) string {
	text := game.Spelled(t.State, r.Move)
	if len(r.Values) > 0 {
		text += "   value " + Value(t.world.Game, r.Value)
	}
	if len(r.PV) > 1 {
		text += "   line " + strings.Join(session.Line(t.State, r.PV, game.Spelled), " ")
	}
	return text
}

// tellLuck announces nature's move.
func (t *sitting) tellLuck(m game.Move, slip bool) {
	if t.world.Hidden {
		return // cards are dealt face down; show has what the person knows
	}
	text := session.Told(t.State, m, slip)
	chancer, _ := game.As[game.Chancer](t.State)
	switch {
	case slip:
		t.say("%s\n", text)
	case len(t.seats) > 1:
		t.say("chance, for %s: %s\n", t.world.Seat(chancer.For()), text)
	default:
		t.say("chance: %s\n", text)
	}
}

// show draws the position and, if it is over, the result.
func (t *sitting) show() error {
	picture := game.Drawing(t.State, inColour(t.out))
	if h, ok := game.As[game.HiddenState](t.State); ok && h.Turn() != game.Nobody {
		picture = h.Info(t.human) // not what others hold
	}
	text := strings.TrimRight(picture, "\n") + "\n"
	switch {
	case t.State.Turn() == game.Nobody:
		text += "over: " + session.Outcome(t.world.Game, t.State, t.world.Seat, Number) + "\n"
	case t.Over():
		text += "cut off after the game's limit of plies\n"
	}
	_, err := io.WriteString(t.out, text)
	return proc.Failure(err)
}

func (t *sitting) leave() error {
	if t.Over() {
		return nil
	}
	_, err := fmt.Fprintf(t.out, "left off at %s\n", t.State)
	return proc.Failure(err)
}
