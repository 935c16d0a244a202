package uci

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/list"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/search"
)

// Config configures [New]: the engine and the limits of its searches.
type Config struct {
	Game     *game.Game
	Launcher *program.Launcher

	Depth int           // depth in plies, sent with go depth; 0 means none
	Nodes int64         // limit sent with go nodes; 0 means none
	Time  time.Duration // limit sent with go movetime; 0 means none

	Options []Option      // options to set before the first game
	Timeout time.Duration // time limit for an answer, in addition to Time for a move; 0 means 30 s
}

type agent struct {
	cfg     Config
	dialect *game.Dialect
}

// grace is the time limit for an engine to answer stop.
const grace = time.Second

// New returns an agent for a game with a UCI [game.Dialect]. cfg must contain at least one limit.
// [protocol.Utility] converts the engine's scores to values. A mate is considered proven. If the
// engine reports no score, Value is 0 and Values is empty.
func New(cfg Config) (*protocol.Player, error) {
	d, err := dialectOf(cfg.Game)
	if err != nil {
		return nil, err
	}
	if cfg.Depth == 0 && cfg.Nodes == 0 && cfg.Time == 0 {
		return nil, fmt.Errorf("uci: no limit is set; want at least one of depth, nodes and time")
	}
	cfg.Timeout = cmp.Or(cfg.Timeout, protocol.Timeout)
	a := &agent{cfg: cfg, dialect: d}
	return &protocol.Player{Name: "uci", Launcher: cfg.Launcher, Greet: a.greet, Clear: a.clear, Ask: a.ask, Quit: "quit", ByTime: cfg.Time > 0}, nil
}

func (a *agent) clear(ctx context.Context, e *program.Engine) error {
	if err := e.Send("ucinewgame"); err != nil {
		return err
	}
	return a.ready(ctx, e)
}

func (a *agent) ask(ctx context.Context, e *program.Engine, s game.State) (r search.Result, err error) {
	r.Move = game.NoMove
	position, err := a.dialect.Format(s)
	if err != nil {
		return r, err
	}
	if err := a.ready(ctx, e); err != nil {
		return r, err
	}
	if err := e.Send("position " + position + "\n" + a.order(ctx)); err != nil {
		return r, err
	}
	lines, name, err := a.answer(ctx, e)
	if err != nil {
		return r, err
	}
	if r.Move, err = a.dialect.ParseMove(s, name); err != nil {
		return r, e.Wrong(name, s.String())
	}
	a.take(&r, s, &lines)
	return r, nil
}

// greet waits for a new engine and sets its options.
func (a *agent) greet(ctx context.Context, e *program.Engine) error {
	offered, err := offers(ctx, e, a.cfg.Timeout)
	if err != nil {
		return err
	}
	has := map[string]Offer{} // by lower-case name
	for _, o := range offered {
		has[strings.ToLower(o.Name)] = o
	}
	options := a.cfg.Options
	if v := a.dialect.Name; v != "" {
		own := "UCI_" + strings.ToUpper(v[:1]) + v[1:]
		switch {
		case slices.Contains(has["uci_variant"].vars, v):
			options = append([]Option{{"UCI_Variant", v}}, options...)
		case has[strings.ToLower(own)].Name != "":
			options = append([]Option{{own, "true"}}, options...)
		default:
			return e.Odd("uciok", "an option UCI_Variant with var "+v+" before uciok")
		}
	}
	for _, o := range options {
		offer, ok := has[strings.ToLower(o.Name)]
		if !ok {
			names := list.Map(offered, func(o Offer) string { return o.Name })
			slices.Sort(names)
			return fmt.Errorf("%s: no option %s; want one of %s", e.Name(), o.Name, strings.Join(names, ", "))
		}
		line, err := offer.set(o.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		if err := e.Send(line); err != nil {
			return err
		}
	}
	return a.ready(ctx, e)
}

// wantUCI describes the expected program in the error for a program that does not answer the
// command uci.
const wantUCI = "an engine that speaks UCI, not only the xboard protocol"

// refuses reports whether a line rejects the command uci. For example, engines for xboard answer
// "Error (unknown command): uci" or "Illegal move: uci".
func refuses(line string) bool {
	line = strings.ToLower(strings.TrimSpace(line))
	said, told := strings.TrimSuffix(line, ": uci"), strings.HasSuffix(line, ": uci")
	return told && (strings.HasPrefix(said, "error (") || strings.HasPrefix(said, "illegal move") ||
		strings.HasPrefix(said, "invalid move") || strings.HasPrefix(said, "unknown command"))
}

// ready waits for readyok and drops all lines before it, so that none of them is mistaken for an
// answer to the next go.
func (a *agent) ready(ctx context.Context, e *program.Engine) error {
	e.Unasked()
	if err := e.Send("isready"); err != nil {
		return err
	}
	_, err := e.Await(ctx, a.cfg.Timeout, "readyok", func(line string) bool { return strings.TrimSpace(line) == "readyok" })
	e.Unasked()
	return err
}

// order returns the go command, which includes the time left until ctx's deadline.
func (a *agent) order(ctx context.Context) string {
	out := "go"
	if a.cfg.Depth > 0 {
		out += fmt.Sprintf(" depth %d", a.cfg.Depth)
	}
	if a.cfg.Nodes > 0 {
		out += fmt.Sprintf(" nodes %d", a.cfg.Nodes)
	}
	limit := a.cfg.Time
	if end, ok := ctx.Deadline(); ok {
		const onTheWay = 10 * time.Millisecond
		if left := time.Until(end) - onTheWay; limit == 0 || left < limit {
			limit = max(left, time.Millisecond)
		}
	}
	if limit > 0 {
		out += fmt.Sprintf(" movetime %d", max(1, limit.Milliseconds()))
	}
	return out
}

func (a *agent) answer(ctx context.Context, e *program.Engine) (told info, move string, err error) {
	deadline := time.Now().Add(a.cfg.Time + a.cfg.Timeout)
	listening := ctx
	for {
		line, err := e.Line(listening, deadline, "bestmove")
		if err != nil && listening.Err() != nil { // the time is over, but the engine may still return a move
			if err := e.Send("stop"); err != nil {
				return told, "", err
			}
			listening, deadline = context.Background(), time.Now().Add(grace)
			continue
		}
		if err != nil {
			return told, "", cmp.Or(ctx.Err(), err)
		}
		words := strings.Fields(line)
		if len(words) > 0 && words[0] == "bestmove" {
			if len(words) < 2 {
				return told, "", e.Odd(line, "bestmove and a move")
			}
			return told, words[1], nil
		}
		told.read(line)
		if !time.Now().Before(deadline) { // the engine prints lines, but no bestmove
			return told, "", e.Late("bestmove")
		}
	}
}

func (a *agent) take(r *search.Result, s game.State, told *info) {
	g := a.cfg.Game.Base()
	r.Depth, r.Nodes, r.Elapsed = told.depth, told.nodes, told.elapsed
	if told.scored {
		switch {
		case told.mated:
			r.Value = g.Min
		case told.mate > 0:
			r.Value = g.Max
		default:
			r.Value = protocol.Utility(told.cp, g.Min, g.Max)
		}
		total, _ := g.FixedSum()
		r.Values = []float64{r.Value, total - r.Value}
		if s.Turn() == 1 {
			slices.Reverse(r.Values)
		}
	}
	line := s.Clone()
	for _, name := range told.pv {
		m, err := a.dialect.ParseMove(line, name)
		if err != nil {
			break
		}
		r.PV = append(r.PV, m)
		line.Play(m)
	}
	if len(r.PV) == 0 || r.PV[0] != r.Move {
		r.PV = []game.Move{r.Move}
	}
}

// info contains the results that an engine reports about its search. Later lines replace earlier
// ones.
type info struct {
	depth   int
	nodes   int64
	elapsed time.Duration
	scored  bool // an exact cp or mate is known
	cp      int
	mate    int // number of moves to mate, negative if the engine is mated; 0 if there is no mate, or if mate is on the board
	mated   bool
	pv      []string
}

// infoWords lists the keywords of an info line.
var infoWords = strings.Fields("depth seldepth time nodes pv multipv score currmove currmovenumber hashfull nps " +
	"tbhits sbhits cpuload string refutation currline wdl")

// read parses a line that begins with info and ignores what it does not understand.
func (n *info) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	at, key := map[string][]string{}, ""
	for _, w := range words[1:] {
		if w == "string" {
			break
		}
		if slices.Contains(infoWords, w) {
			key, at[w] = w, nil
		} else if key != "" {
			at[key] = append(at[key], w)
		}
	}
	if second := at["multipv"]; len(second) > 0 && second[0] != "1" {
		return
	}
	number := func(key string) (int64, bool) {
		v, err := strconv.ParseInt(strings.Join(at[key][:min(1, len(at[key]))], ""), 10, 64)
		return v, err == nil && v >= 0
	}
	if v, ok := number("depth"); ok {
		n.depth = int(v)
	}
	if v, ok := number("nodes"); ok {
		n.nodes = v
	}
	if v, ok := number("time"); ok {
		n.elapsed = time.Duration(min(v, int64(time.Hour/time.Millisecond)*1000)) * time.Millisecond
	}
	n.score(at["score"])
	if pv := at["pv"]; len(pv) > 0 {
		n.pv = pv
	}
}

func (n *info) score(words []string) {
	if len(words) < 2 || slices.Contains(words, "lowerbound") || slices.Contains(words, "upperbound") {
		return
	}
	v, err := strconv.Atoi(words[1])
	switch {
	case err != nil:
	case words[0] == "cp":
		n.scored, n.cp, n.mate, n.mated = true, v, 0, false
	case words[0] == "mate":
		n.scored, n.cp, n.mate, n.mated = true, 0, v, v <= 0
	}
}
