package gtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/search"
)

// Server is an engine for a game with a GTP [game.Dialect]. Only quit and the end of its input end
// it.
type Server struct {
	Name, Version string
	Game          *game.Game
	Agent         search.Agent

	dialect *game.Dialect
	thinker protocol.Thinker
	state   game.State
	done    []int    // moves made by each command that made any, for undo
	komi    *float64 // as told; nil: the game's own
	clock   [2]clock
}

// command answers, or errs for ?.
type command struct {
	args int // that it wants; 0: whatever comes is ignored, or read by do
	do   func(sv *Server, ctx context.Context, args []string) (string, error)
}

// says is a command with the same answer always.
func says(text string) command {
	return command{do: func(*Server, context.Context, []string) (string, error) { return text, nil }}
}

func (sv *Server) commands() map[string]command {
	return map[string]command{
		"protocol_version": says("2"),
		"name":             says(sv.Name),
		"version":          says(sv.Version),
		"known_command":    {1, (*Server).known},
		"list_commands":    {0, (*Server).list},
		"quit":             says(""),
		"boardsize":        {1, (*Server).boardsize},
		"clear_board":      {0, (*Server).clear},
		"komi":             {1, (*Server).setKomi},
		"play":             {2, (*Server).play},
		"genmove":          {1, (*Server).genmove},
		"reg_genmove":      {1, (*Server).regGenmove},
		"undo":             {0, (*Server).undo},
		"time_settings":    {3, (*Server).timeSettings},
		"time_left":        {3, (*Server).timeLeft},
		"final_score":      {0, (*Server).score},
		"showboard":        {0, (*Server).show},
		"list_games":       says(sv.dialect.Name),
		"set_game":         {0, (*Server).setGame},
	}
}

var (
	errUnknown = errors.New("unknown command")
	errSyntax  = errors.New("syntax error")
	errIllegal = errors.New("illegal move")
)

const mostLine = 1 << 16

// Serve speaks GTP until quit or the end of in or ctx. It returns errors of in and out, or ctx's.
func (sv *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if sv.dialect = sv.Game.Dialect(Protocol); sv.dialect == nil {
		return fmt.Errorf("gtp: no dialect of %s", sv.Game.Spec)
	}
	sv.state = sv.Game.New()
	return protocol.ServeLines(ctx, in, mostLine, nil, func(ctx context.Context, line protocol.Line) (quit bool, err error) {
		answer := fmt.Sprintf("? a line of more than %d bytes\n\n", mostLine)
		if !line.Cut {
			answer, quit = sv.obey(ctx, line.Text)
		}
		_, err = io.WriteString(out, answer)
		return quit, err
	})
}

// obey answers one line, "" for one without a command. By the protocol, tabs are blanks, other
// control characters and comments are dropped, and a number before the command is repeated in the
// answer.
func (sv *Server) obey(ctx context.Context, line string) (answer string, quit bool) {
	line, _, _ = strings.Cut(line, "#")
	line = strings.Map(func(c rune) rune {
		switch {
		case c == '\t':
			return ' '
		case c < ' ' || c == 127:
			return -1
		}
		return c
	}, line)
	words := strings.Fields(line)
	id := ""
	if len(words) > 0 {
		if _, err := strconv.ParseUint(words[0], 10, 32); err == nil {
			id, words = words[0], words[1:]
		}
	}
	if len(words) == 0 {
		return "", false
	}
	c, ok := sv.commands()[words[0]]
	text, err := "", errUnknown
	switch {
	case ok && c.args > 0 && len(words)-1 != c.args:
		err = errSyntax
	case ok:
		text, err = c.do(sv, ctx, words[1:])
	}
	if err != nil {
		return fmt.Sprintf("?%s %v\n\n", id, err), false
	}
	return fmt.Sprintf("=%s %s\n\n", id, text), words[0] == "quit"
}

func (sv *Server) known(_ context.Context, args []string) (string, error) {
	_, ok := sv.commands()[args[0]]
	return strconv.FormatBool(ok), nil
}

func (sv *Server) list(context.Context, []string) (string, error) {
	return strings.Join(slices.Sorted(maps.Keys(sv.commands())), "\n"), nil
}

func (sv *Server) setGame(_ context.Context, args []string) (string, error) {
	if len(args) != 1 || !strings.EqualFold(args[0], sv.dialect.Name) {
		return "", errors.New("unsupported game")
	}
	return "", nil
}

func (sv *Server) boardsize(ctx context.Context, args []string) (string, error) {
	if args[0] != strconv.Itoa(sv.dialect.Size) {
		return "", errors.New("unacceptable size")
	}
	return sv.clear(ctx, nil)
}

func (sv *Server) clear(context.Context, []string) (string, error) {
	sv.state, sv.done = sv.Game.New(), nil
	sv.thinker.NewGame()
	sv.agree()
	for p := range sv.clock {
		sv.clock[p].reset()
	}
	return "", nil
}

// setKomi sets the komi of this and later boards. Games without komi ignore it.
func (sv *Server) setKomi(_ context.Context, args []string) (string, error) {
	x, err := strconv.ParseFloat(args[0], 64)
	if err != nil || math.IsNaN(x) || math.Abs(x) > mostKomi {
		return "", errSyntax
	}
	sv.komi = &x
	sv.agree()
	return "", nil
}

// mostKomi exceeds the points of any board.
const mostKomi = 1000

// agree applies the komi to the board.
func (sv *Server) agree() {
	if sv.komi != nil && sv.dialect.SetKomi != nil {
		sv.dialect.SetKomi(game.Base(sv.state), *sv.komi)
	}
}

func colour(text string) (game.Player, error) {
	switch strings.ToLower(text) {
	case "b", "black":
		return 0, nil
	case "w", "white":
		return 1, nil
	}
	return 0, errSyntax
}

// turn makes it player p's turn, by a pass of the other if needed: some programs leave passes out,
// and in go a colour may play twice in a row. It returns the number of passes.
func (sv *Server) turn(p game.Player) (int, error) {
	if sv.state.Turn() == p {
		return 0, nil
	}
	moves := sv.state.Moves(nil)
	i := slices.IndexFunc(moves, func(m game.Move) bool { return sv.dialect.Move(sv.state, m) == pass })
	if i < 0 {
		return 0, errIllegal
	}
	sv.state.Play(moves[i])
	if sv.state.Turn() != p {
		sv.state.Undo()
		return 0, errIllegal
	}
	return 1, nil
}

func (sv *Server) play(_ context.Context, args []string) (string, error) {
	p, err := colour(args[0])
	if err != nil {
		return "", err
	}
	name := strings.ToLower(args[1])
	if sv.state.Turn() == game.Nobody {
		if name == pass { // as some end their games
			sv.done = append(sv.done, 0)
			return "", nil
		}
		return "", errIllegal
	}
	n, err := sv.turn(p)
	if err != nil {
		return "", err
	}
	m, err := sv.dialect.ParseMove(sv.state, name)
	if err != nil {
		sv.back(n)
		return "", errIllegal
	}
	sv.state.Play(m)
	sv.done = append(sv.done, n+1)
	return "", nil
}

func (sv *Server) back(n int) {
	for range n {
		sv.state.Undo()
	}
}

func (sv *Server) undo(context.Context, []string) (string, error) {
	last := len(sv.done) - 1
	if last < 0 {
		return "", errors.New("cannot undo")
	}
	sv.back(sv.done[last])
	sv.done = sv.done[:last]
	return "", nil
}

func (sv *Server) genmove(ctx context.Context, args []string) (string, error) {
	begun := time.Now()
	m, n, err := sv.choose(ctx, args)
	if err != nil {
		return "", err
	}
	if p := sv.state.Turn(); p >= 0 {
		sv.clock[p].spend(time.Since(begun))
	}
	if m == game.NoMove { // over: both pass
		sv.done = append(sv.done, 0)
		return pass, nil
	}
	name := sv.dialect.Move(sv.state, m)
	sv.state.Play(m)
	sv.done = append(sv.done, n+1)
	return name, nil
}

func (sv *Server) regGenmove(ctx context.Context, args []string) (string, error) {
	m, n, err := sv.choose(ctx, args)
	if err != nil {
		return "", err
	}
	name := pass
	if m != game.NoMove {
		name = sv.dialect.Move(sv.state, m)
	}
	sv.back(n)
	return name, nil
}

// choose has the agent choose for the player named, after n passes of the other's.
func (sv *Server) choose(ctx context.Context, args []string) (m game.Move, n int, err error) {
	p, err := colour(args[0])
	if err != nil {
		return game.NoMove, 0, err
	}
	if sv.state.Turn() == game.Nobody {
		return game.NoMove, 0, nil
	}
	if n, err = sv.turn(p); err != nil {
		return game.NoMove, 0, fmt.Errorf("it is the other's turn")
	}
	if moves := sv.state.Moves(nil); len(moves) == 1 { // which takes no time
		return moves[0], n, nil
	}
	sv.thinker.Begin(sv.Agent)
	if budget := sv.clock[p].budget(sv.dialect.Left(sv.state)/2 + 1); budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, budget)
		defer cancel()
	}
	r, err := sv.thinker.Choose(ctx, sv.Agent, sv.state)
	if err != nil && ctx.Err() == nil {
		sv.back(n)
		return game.NoMove, 0, err
	}
	return r.Move, n, nil
}

// timeSettings reads main time, byo yomi time and byo yomi stones.
func (sv *Server) timeSettings(_ context.Context, args []string) (string, error) {
	main, err := seconds(args[0])
	if err != nil {
		return "", err
	}
	extra, moves, err := period(args[1:])
	if err != nil {
		return "", err
	}
	sv.clock = [2]clock{newClock(main, extra, moves), newClock(main, extra, moves)}
	return "", nil
}

// timeLeft reads a colour, a time and for how many stones it is, 0 for all.
func (sv *Server) timeLeft(_ context.Context, args []string) (string, error) {
	p, err := colour(args[0])
	if err != nil {
		return "", err
	}
	left, moves, err := period(args[1:])
	if err != nil {
		return "", err
	}
	sv.clock[p].told(left, moves)
	return "", nil
}

func (sv *Server) score(context.Context, []string) (string, error) {
	var u float64
	switch {
	case sv.dialect.Score != nil:
		u = sv.dialect.Score(game.Base(sv.state))
	case sv.state.Turn() != game.Nobody:
		return "", errors.New("cannot score")
	default:
		u = sv.state.Utility(0)
	}
	switch {
	case u > 0:
		return fmt.Sprintf("B+%v", u), nil
	case u < 0:
		return fmt.Sprintf("W+%v", -u), nil
	}
	return "0", nil
}

func (sv *Server) show(context.Context, []string) (string, error) {
	text := sv.state.String()
	if d, ok := game.As[game.Drawer](sv.state); ok {
		text = d.Draw(false)
	}
	return "\n" + strings.TrimRight(text, "\n"), nil
}
