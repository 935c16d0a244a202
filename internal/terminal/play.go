// Package terminal presents games, searches and models on a text terminal.
//
//  1. Get a world from the catalog, and describe the agents by their specs.
//
//  2. Run a [Play], which is a game between a person and agents. It reads moves in the
//     game's notation, and the commands of [Help]. It shows the game's drawing of the board
//     (game.Drawer), or the position as text if the game has none.
//
// [PrintModel] prints the weights of a model, and [PrintDifference] prints the differences between
// two models.
//
// Errors that the input did not cause are marked by [plyfit/internal/proc.Failure].
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

// Play is a game between a person and agents. If the game has one player, the agent only gives
// hints.
type Play struct {
	World *catalog.World
	// Agent is the spec of the agent that plays the other seats and gives hints.
	Agent    string
	Seat     int    // player that the person plays, from 0
	Position string // starting position; "" for the start of the game
	Seed     uint64 // seed of nature and of the agents
	// In is the person's input. If it is not a terminal, the input is echoed to Out, so that the
	// output of a script looks like a session at a terminal.
	In  io.Reader
	Out io.Writer
}

// Run plays until the input ends or the person quits. It returns an error if ctx ends, if the
// configuration is invalid, or if reading, writing or a search fails.
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

// A sitting is a [Play] in progress.
type sitting struct {
	*session.Session
	world   *catalog.World
	out     io.Writer
	prompts bool // whether to print prompts; if not, the input is repeated

	human game.Player
	agent string         // spec entered by the user
	seats []search.Agent // agents of all players; the person's agent gives hints
}

// seat creates an agent for each player from spec. If the spec does not name the model, note does.
// If seat returns an error, seats contains the agents created so far.
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
			note = fmt.Sprintf("eval=best is %s/%s, the strongest shipped model", w.Entry.Name, shipped[best].Name)
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
	fresh := true // whether the position must be drawn
	for {
		plies := t.Plies
		if ctx.Err() == nil && t.Next() && t.State.Turn() != t.human {
			r, err := t.search(ctx, t.State.Turn())
			if err != nil {
				return err
			}
			t.say("%s plays %s\n", t.world.Seat(t.State.Turn()), t.formatResult(r))
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

// say prints a message. It ignores write errors, which recur when the position is drawn.
func (t *sitting) say(format string, args ...any) { fmt.Fprintf(t.out, format, args...) }

// search runs a search with the agent in a seat.
func (t *sitting) search(ctx context.Context, seat game.Player) (search.Result, error) {
	r, err := t.seats[seat].Search(ctx, t.State)
	if ctx.Err() != nil {
		return r, ctx.Err()
	}
	return r, proc.Failure(err)
}

// formatResult formats the result of a search.
func (t *sitting) formatResult(r search.Result) string {
	text := game.Spelled(t.State, r.Move)
	if len(r.Values) > 0 {
		text += "   value " + Value(t.world.Game, r.Value)
	}
	if len(r.PV) > 1 {
		text += "   line " + strings.Join(session.Line(t.State, r.PV, game.Spelled), " ")
	}
	return text
}

// tellLuck announces a chance move.
func (t *sitting) tellLuck(m game.Move, slip bool) {
	if t.world.Hidden {
		return // cards are dealt face down; show prints what the person knows
	}
	text := session.DescribeChance(t.State, m, slip)
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

// show draws the position and, if the game is over, prints the result.
func (t *sitting) show() error {
	picture := game.Drawing(t.State, inColour(t.out))
	if h, ok := game.As[game.HiddenState](t.State); ok && h.Turn() != game.Nobody {
		picture = h.Info(t.human) // hides the other players' information
	}
	text := strings.TrimRight(picture, "\n") + "\n"
	switch {
	case t.State.Turn() == game.Nobody:
		text += "over: " + session.Outcome(t.world.Game, t.State, t.world.Seat, Number) + "\n"
	case t.Over():
		text += "the game has reached its maximum number of plies\n"
	}
	_, err := io.WriteString(t.out, text)
	return proc.Failure(err)
}

func (t *sitting) leave() error {
	if t.Over() {
		return nil
	}
	_, err := fmt.Fprintf(t.out, "stopped at %s\n", t.State)
	return proc.Failure(err)
}
