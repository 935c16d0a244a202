package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"golang.org/x/term"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/failure"
	"plyfit/internal/ink"
	"plyfit/search"
	"plyfit/session"
)

// Watch is one game that agents play before an audience. In a terminal the board
// is redrawn in place, elsewhere every position is printed, as it is written and
// as it is drawn.
//
// Where In is a terminal too, keys pause the game (space), make one move of it (n or the
// right arrow), go back to what was seen (p or the left arrow) and leave (q). Run takes
// the terminal as it found it and leaves it so; one read of In may outlast Run.
type Watch struct {
	World    *catalog.World
	Agents   []string // specs, by seat; one plays in all seats
	Position string   // where the game begins; "": the game's start
	Seed     uint64   // of nature and of the agents
	Delay    time.Duration
	In       io.Reader // of keys; nil: none
	Out      io.Writer

	// Of, in a game of imperfect information, is the seat of the player, from 1 on, of
	// whom all is shown that he knows and nothing else, until the game is over; 0: the
	// whole deal.
	Of int
}

// Run plays the game. Its error is ctx's, one of the configuration, or a failure.
func (w Watch) Run(ctx context.Context) error {
	s, err := session.Position(w.World.Game, w.Position)
	if err != nil {
		return err
	}
	players := game.ShapeOf(w.World.Game, s).Players
	switch {
	case w.Of != 0 && !w.World.Hidden:
		return fmt.Errorf("--view %d: nothing is hidden in %s: want a game of imperfect information", w.Of-1, w.World.Spec)
	case w.Of < 0 || w.Of > players:
		return fmt.Errorf("--view %d: want a player of %s, 0 to %d", w.Of-1, w.World.Spec, players-1)
	}
	if len(w.Agents) != 1 && len(w.Agents) != players {
		return fmt.Errorf("%d agents for the %d players of %s: want one for each, or one for all", len(w.Agents), players, w.World.Spec)
	}
	seats, _, note, err := seat(w.World, w.Agents, players, w.Seed)
	defer dismiss(seats)
	if err != nil {
		return err
	}
	sh := w.show()
	sh.note = note
	if !sh.inPlace {
		return sh.play(ctx, s, seats, w.Seed)
	}
	if restore, ok := raw(w.In); ok {
		defer restore()
		var stop context.CancelCauseFunc
		ctx, stop = context.WithCancelCause(ctx)
		defer stop(nil)
		sh.raw, sh.keys = true, listen(w.In, stop)
	}
	err = sh.play(ctx, s, seats, w.Seed)
	if errors.Is(context.Cause(ctx), errQuit) {
		return nil
	}
	return err
}

// show is the game as it is shown.
type show struct {
	w       io.Writer
	world   *catalog.World
	agents  []string // who sits where, as the user wrote it; one for all
	note    string   // on the evaluation of agents that name none
	players int
	of      game.Player // of whom all is shown that he knows; -1: everything is shown
	delay   time.Duration

	inPlace bool // redraw over the last drawing
	colour  bool
	size    func() (columns, rows int) // of the terminal; 0 where that is not known

	raw  bool       // the terminal is in raw mode: it obeys keys, and a line ends in \r\n
	keys <-chan key // nil where none will come
	review

	ply    int       // decisions made
	last   []string  // what is told of the last one
	values []float64 // of all decisions that had one, for the player of whom is told, else player 0
	nature string    // what nature did since
}

// show redraws in place where Out is a terminal that can.
func (w Watch) show() *show {
	sh := &show{w: w.Out, world: w.World, agents: w.Agents, of: game.Player(w.Of - 1), delay: w.Delay, size: func() (int, int) { return 0, 0 }}
	if f, ok := capable(w.Out); ok {
		sh.w, sh.inPlace, sh.colour = f, true, inColour(w.Out) // the cursor is moved past any guard
		sh.size = func() (int, int) {
			columns, rows, err := term.GetSize(int(f.Fd()))
			if err != nil {
				return 0, 0
			}
			return columns, rows
		}
	}
	return sh
}

func (sh *show) play(ctx context.Context, s game.State, seats []search.Agent, seed uint64) error {
	nature := game.Seed(seed, game.StreamNature)
	rng := rand.New(rand.NewPCG(nature, game.Mix(nature)))
	sh.players = len(seats)
	if sh.inPlace {
		fmt.Fprint(sh.w, "\x1b[?25l\x1b[2J")
		defer fmt.Fprint(sh.w, "\x1b[?25h")
	}
	if !sh.inPlace && sh.note != "" {
		fmt.Fprintln(sh.w, sh.note)
	}
	e := play.Episode{Luck: &play.Dice{Random: rng}, Chance: func(m game.Move, slip bool) { sh.happens(s, m, slip) }}
	e.Begin(s, 0, sh.world.MaxPlies)
	for e.Next() {
		if err := sh.draw(ctx, s, "", sh.delay); err != nil {
			return err
		}
		r, err := seats[s.Turn()].Search(ctx, s)
		if err != nil {
			return failure.Of(err)
		}
		sh.decides(s, &r)
		e.Play(r.Move)
	}
	end := "cut off after the game's limit of plies"
	if !e.Truncated() {
		end = outcome(sh.world, s)
	}
	return sh.draw(ctx, s, end, 0)
}

// decides notes what is to be told of a decision at s.
func (sh *show) decides(s game.State, r *search.Result) {
	sh.ply++
	sh.nature = ""
	who := ""
	if sh.players > 1 {
		who = sh.world.Seat(s.Turn()) + " "
	}
	line := fmt.Sprintf("%splays %s", who, ink.Paint(sh.colour, game.Spelled(s, r.Move), ink.Bold))
	if r.Nodes == 0 || sh.of >= 0 && s.Turn() != sh.of { // no search, or one that would tell what others hold
		sh.last = []string{line}
		return
	}
	line += fmt.Sprintf("   value %s", ink.Paint(sh.colour, Value(sh.world.Game, r.Value), ink.Bold))
	if sh.players > 1 {
		line += " for " + strings.TrimSpace(who)
	}
	sh.last = []string{
		line + fmt.Sprintf("   depth %d, %d nodes", r.Depth, r.Nodes),
		"line " + strings.Join(session.Line(s, r.PV, game.Spelled), " "),
	}
	sh.values = append(sh.values, r.Values[max(sh.of, 0)])
}

// happens notes a move of nature's at s.
func (sh *show) happens(s game.State, m game.Move, slip bool) {
	if sh.of >= 0 {
		return // what a player sees of it stands in the position
	}
	text := game.Spelled(s, m)
	if slip {
		world, _ := game.As[*game.Slip](s)
		if intended, _ := world.Intended(); m == intended {
			return
		}
		text = "slips to " + text
	}
	if sh.nature != "" {
		sh.nature += " "
	}
	sh.nature += text
}

// draw shows the position with what there is to tell, and waits.
func (sh *show) draw(ctx context.Context, s game.State, end string, delay time.Duration) error {
	position := s.String()
	picture := position
	if d, ok := game.As[game.Drawer](s); ok {
		picture = d.Draw(sh.colour)
	}
	if h, ok := game.As[game.HiddenState](s); ok && sh.of >= 0 && s.Turn() != game.Nobody {
		position = h.Info(sh.of)
		picture = position
	}
	board := strings.Split(strings.TrimRight(picture, "\n"), "\n")
	told := append([]string(nil), sh.last...)
	if sh.nature != "" {
		told = append(told, "nature "+sh.nature)
	}
	if end != "" {
		told = append(told, ink.Paint(sh.colour, end, ink.Bold))
	}
	if sh.inPlace {
		sc := scene{header: sh.header(), board: board, told: told, curve: sh.curve()}
		if !sh.raw {
			return sh.wait(ctx, sh.frame(&sc), delay)
		}
		sh.add(sc)
		return sh.attend(ctx, end != "", delay)
	}
	text := ""
	if picture != position {
		text = position + "\n"
	}
	text += strings.Join(append(append(board, told...), "", ""), "\n")
	return sh.wait(ctx, text, delay)
}

// wait writes the text and lets it stand for that long.
func (sh *show) wait(ctx context.Context, text string, delay time.Duration) error {
	if _, err := io.WriteString(sh.w, text); err != nil {
		return failure.Of(err)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(delay):
		return nil
	}
}

// scene is one position as a terminal shows it.
type scene struct {
	header      string
	board, told []string
	curve       string // of the values so far; "": none
}

// frame is a drawing for a terminal: from the top left corner on, each line with
// what stood right of it wiped, then everything below. What the terminal has no
// room for is cut off, so that nothing scrolls: the board from below first.
func (sh *show) frame(sc *scene) string {
	head := []string{sc.header, ""}
	board := sc.board
	tail := append([]string{""}, sc.told...)
	for len(tail) < 5 { // where the board begins and ends does not change
		tail = append(tail, "")
	}
	if sc.curve != "" {
		tail = append(tail, sc.curve)
	}
	if sh.raw {
		tail = append(tail, sh.hint())
	}
	columns, rows := sh.size()
	if room := rows - 1 - len(head) - len(tail); rows > 0 && room < len(board) {
		board = board[:max(room, 0)]
	}
	var b strings.Builder
	b.WriteString("\x1b[H")
	for _, line := range append(append(head, board...), tail...) {
		if columns > 0 {
			line = ink.Cut(line, columns)
		}
		b.WriteString(line + "\x1b[K\n")
	}
	return b.String() + "\x1b[J"
}

// header tells what is played, and who plays.
func (sh *show) header() string {
	parts := []string{ink.Paint(sh.colour, sh.world.Spec, ink.Bold)}
	if len(sh.agents) == 1 {
		parts = append(parts, sh.agents[0])
	} else {
		for p, agent := range sh.agents {
			parts = append(parts, sh.world.Seat(game.Player(p))+" "+agent)
		}
	}
	parts = append(parts, fmt.Sprintf("decision %d", sh.ply))
	if sh.note != "" {
		parts = append(parts, sh.note)
	}
	return strings.Join(parts, "   ")
}

// curve is the values so far, the latest on the right.
func (sh *show) curve() string {
	const most = 48
	if len(sh.values) < 2 {
		return ""
	}
	v := sh.values[max(0, len(sh.values)-most):]
	lo, hi := v[0], v[0]
	for _, x := range v {
		lo, hi = min(lo, x), max(hi, x)
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, x := range v {
		k := len(steps) / 2
		if hi > lo {
			k = int((x - lo) / (hi - lo) * float64(len(steps)-1))
		}
		b.WriteRune(steps[min(max(k, 0), len(steps)-1)])
	}
	whose := ""
	if sh.players > 1 {
		whose = " for " + sh.world.Seat(max(sh.of, 0))
	}
	return fmt.Sprintf("%s  %s to %s%s", ink.Paint(sh.colour, b.String(), ink.Fg(39)), Number(lo), Number(hi), whose)
}
