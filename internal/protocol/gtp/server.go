package gtp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/session"
	"plyfit/search"
)

// A Server is an engine for a game with a GTP [game.Dialect]. It ends only after quit or at the end
// of its input.
type Server struct {
	Name, Version string
	Game          *game.Game
	Agent         search.Agent

	dialect *game.Dialect
	thinker protocol.Thinker
	session *session.Session
	turns   []int // number of moves made before each command that can be undone
	clock   [2]clock
}

// A command returns its answer, or an error, which the server reports with ?.
type command struct {
	args int // required number of arguments; 0 if the function checks them or ignores them
	do   func(sv *Server, ctx context.Context, args []string) (string, error)
}

// says returns a command whose answer is always the given text.
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
		"komi":             {1, (*Server).komi},
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

// Serve handles GTP commands until it receives quit, or until in or ctx ends. It returns an error
// from in or out, or ctx.Err().
func (sv *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	if sv.dialect = sv.Game.Dialect(Protocol); sv.dialect == nil {
		return fmt.Errorf("gtp: no dialect for %s", sv.Game.Spec)
	}
	sv.session = session.At(sv.Game, sv.Game.New(), 0)
	return protocol.ServeLines(ctx, in, mostLine, nil, func(ctx context.Context, line protocol.Line) (quit bool, err error) {
		answer := fmt.Sprintf("? the line has more than %d bytes\n\n", mostLine)
		if !line.Cut {
			answer, quit = sv.obey(ctx, line.Text)
		}
		_, err = io.WriteString(out, answer)
		return quit, err
	})
}

// obey returns the answer to a line, or "" if the line has no command. As the protocol requires, it
// treats tabs as spaces and drops other control characters and comments. A number before the
// command is repeated in the answer.
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
	sv.session, sv.turns = session.At(sv.Game, sv.Game.New(), 0), nil
	sv.thinker.NewGame()
	for p, c := range sv.clock {
		sv.clock[p] = newClock(c.main, c.period, c.stones)
	}
	return "", nil
}

// komi accepts any number and ignores it, because the games have no komi. Controllers send it
// regardless of the game.
func (sv *Server) komi(_ context.Context, args []string) (string, error) {
	if _, err := strconv.ParseFloat(args[0], 64); err != nil {
		return "", errSyntax
	}
	return "", nil
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

// turn makes p the player to move, if necessary by letting the other player pass. Some programs
// omit passes.
func (sv *Server) turn(p game.Player) error {
	s := sv.session.State
	if s.Turn() == p {
		return nil
	}
	moves := s.Moves(nil)
	i := slices.IndexFunc(moves, func(m game.Move) bool { return sv.dialect.Move(s, m) == pass })
	if i >= 0 {
		sv.session.Play(moves[i])
	}
	if s.Turn() != p {
		return errIllegal
	}
	return nil
}

// undoable runs a function. A later undo command takes back all moves that the function made. If
// the function fails, undoable takes them back immediately.
func (sv *Server) undoable(do func() (string, error)) (string, error) {
	before := len(sv.session.Moves)
	text, err := do()
	if err != nil {
		sv.session.Rewind(before)
		return "", err
	}
	sv.turns = append(sv.turns, before)
	return text, nil
}

func (sv *Server) play(_ context.Context, args []string) (string, error) {
	p, err := colour(args[0])
	if err != nil {
		return "", err
	}
	name := strings.ToLower(args[1])
	return sv.undoable(func() (string, error) {
		if sv.session.State.Turn() == game.Nobody && name == pass { // some programs end a game with passes
			return "", nil
		}
		if err := sv.turn(p); err != nil {
			return "", err
		}
		m, err := sv.dialect.ParseMove(sv.session.State, name)
		if err != nil {
			return "", errIllegal
		}
		sv.session.Play(m)
		return "", nil
	})
}

func (sv *Server) undo(context.Context, []string) (string, error) {
	last := len(sv.turns) - 1
	if last < 0 {
		return "", errors.New("cannot undo")
	}
	sv.session.Rewind(sv.turns[last])
	sv.turns = sv.turns[:last]
	return "", nil
}

func (sv *Server) genmove(ctx context.Context, args []string) (string, error) {
	return sv.undoable(func() (string, error) {
		begun := time.Now()
		m, name, err := sv.choose(ctx, args)
		if err == nil && m != game.NoMove {
			sv.clock[sv.session.State.Turn()].spend(time.Since(begun))
			sv.session.Play(m)
		}
		return name, err
	})
}

func (sv *Server) regGenmove(ctx context.Context, args []string) (string, error) {
	defer sv.session.Rewind(len(sv.session.Moves))
	_, name, err := sv.choose(ctx, args)
	return name, err
}

// choose lets the agent choose a move for the given player. If necessary, the other player passes
// first. If the game is over, it returns a pass.
func (sv *Server) choose(ctx context.Context, args []string) (m game.Move, name string, err error) {
	p, err := colour(args[0])
	s := sv.session.State
	if err != nil || s.Turn() == game.Nobody {
		return game.NoMove, pass, err
	}
	if err := sv.turn(p); err != nil {
		return game.NoMove, "", errors.New("it is the opponent's turn")
	}
	r := search.Result{Move: s.Moves(nil)[0]}
	if len(s.Moves(nil)) > 1 { // a single move needs no search
		sv.thinker.Begin(sv.Agent)
		if budget := sv.clock[p].budget(sv.dialect.Left(s)/2 + 1); budget > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, budget)
			defer cancel()
		}
		if r, err = sv.thinker.Choose(ctx, sv.Agent, s); err != nil && ctx.Err() == nil {
			return game.NoMove, "", err
		}
	}
	return r.Move, sv.dialect.Move(s, r.Move), nil
}

// timeSettings handles the main time, the byo yomi time and the number of byo yomi stones.
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

// timeLeft handles a colour, a time and the number of stones for it; 0 stones means all remaining
// moves.
func (sv *Server) timeLeft(_ context.Context, args []string) (string, error) {
	p, err := colour(args[0])
	if err != nil {
		return "", err
	}
	left, moves, err := period(args[1:])
	if err != nil {
		return "", err
	}
	c := &sv.clock[p]
	c.running, c.Left, c.Moves = true, left, moves
	return "", nil
}

func (sv *Server) score(context.Context, []string) (string, error) {
	if sv.session.State.Turn() != game.Nobody {
		return "", errors.New("cannot score")
	}
	switch u := sv.session.State.Utility(0); {
	case u > 0:
		return fmt.Sprintf("B+%v", u), nil
	case u < 0:
		return fmt.Sprintf("W+%v", -u), nil
	}
	return "0", nil
}

func (sv *Server) show(context.Context, []string) (string, error) {
	return "\n" + strings.TrimRight(game.Drawing(sv.session.State, false), "\n"), nil
}
