package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"plyfit/game"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
	"plyfit/search"
)

// Settings contains the UCI options that a user can set.
type Settings struct {
	Model   string // name or path of the evaluation
	Depth   int    // maximum depth in decisions; 0 means no limit
	Hash    int    // size of the transposition table in megabytes
	Threads int
}

// A Server is an engine that speaks UCI. It ends only after quit or at the end of its input.
type Server struct {
	Game     *game.Game
	Name     string   // name of the engine
	Author   string   // author of the engine
	Defaults Settings // initial options; if Hash or Threads is 0, the option is not offered

	// Nodes and Time limit each move in addition to the limits of go. 0 means no limit.
	Nodes int64
	Time  time.Duration

	// Make returns an agent with the given settings. The agent calls iteration after each finished
	// depth. Make is called again after an option has changed.
	Make func(s Settings, iteration func(search.Result)) (search.Agent, error)

	dialect *game.Dialect
	out     lockedWriter

	settings Settings
	overhead int          // time per move for communication, in milliseconds
	agent    search.Agent // nil until needed
	made     Settings     // settings of agent
	thinker  protocol.Thinker
	state    game.State
	thinking *thought // nil if there is none
	watch    *proof   // state of the reports of the current search
}

const (
	mostLine    = 1 << 20 // maximum length of a line in bytes; enough for the moves of any game
	mostDepth   = 1000
	mostHash    = 1 << 16
	mostThreads = 256

	// usualOverhead is the default time per move for communication, in milliseconds.
	usualOverhead = 30
	mostOverhead  = 5000
)

// Serve handles UCI commands until it receives quit, or until in or ctx ends. It returns an error
// from in or out, or ctx.Err().
func (sv *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	d, err := dialectOf(sv.Game)
	if err != nil {
		return err
	}
	if sv.Game.Inside != nil {
		return fmt.Errorf("uci: %s: want the game without slips or an adversary", sv.Game.Spec)
	}
	sv.dialect, sv.settings, sv.state = d, sv.Defaults, sv.Game.New()
	sv.out.w, sv.overhead = out, usualOverhead
	defer func() {
		sv.halt()
		sv.dismiss()
	}()
	return protocol.ServeLines(ctx, in, mostLine, nil, func(_ context.Context, line protocol.Line) (bool, error) {
		if line.Cut {
			sv.say("ignored a line longer than %d bytes", mostLine)
			return false, nil
		}
		if sv.command(ctx, strings.ReplaceAll(line.Text, "\x00", "")) {
			return true, nil
		}
		return false, sv.out.failed()
	})
}

// command handles a line. As the protocol requires, it skips unknown words before a command.
func (sv *Server) command(ctx context.Context, line string) (quit bool) {
	words := strings.Fields(line)
	for i, w := range words {
		args := words[i+1:]
		switch w {
		case "uci":
			sv.introduce()
		case "debug", "register": // this server needs neither
		case "isready":
			sv.ready()
		case "setoption":
			_, rest, _ := strings.Cut(line, w)
			sv.setOption(rest)
		case "ucinewgame":
			sv.halt()
			sv.thinker.NewGame()
		case "position":
			sv.position(args)
		case "go":
			sv.think(ctx, args)
		case "stop":
			sv.halt()
		case "ponderhit":
			if sv.thinking != nil {
				sv.thinking.hit()
			}
		default:
			if quit = w == "quit" && i == 0; !quit {
				continue
			}
		}
		return quit
	}
	if len(words) > 0 {
		sv.say("unknown command %s", clip(words[0]))
	}
	return false
}

// offered describes an option of the server.
type offered struct {
	name, kind string
	set        func(value string) error // sets the option; must not change anything if the value is invalid
}

// options returns the options in the order in which they are printed.
func (sv *Server) options() (list []offered) {
	spin := func(name string, usual, lo, hi int, to *int) {
		list = append(list, offered{name, fmt.Sprintf("spin default %d min %d max %d", usual, lo, hi), func(value string) error {
			n, err := strconv.Atoi(value)
			if err != nil || n < lo || n > hi {
				return fmt.Errorf("%s: want a whole number from %d to %d", clip(value), lo, hi)
			}
			*to = n
			return nil
		}})
	}
	d, s := &sv.Defaults, &sv.settings
	if v := sv.dialect.Name; v != "" {
		list = append(list, offered{"UCI_Variant", fmt.Sprintf("combo default %s var %s", v, v), func(value string) error {
			if value != v {
				return fmt.Errorf("want %s", v)
			}
			return nil
		}})
	}
	list = append(list, offered{"Model", "string default " + d.Model, func(value string) error {
		if s.Model = value; value == "" || value == "<empty>" {
			s.Model = d.Model
		}
		return nil
	}})
	spin("Depth", d.Depth, 0, mostDepth, &s.Depth)
	if d.Hash > 0 {
		spin("Hash", d.Hash, 1, mostHash, &s.Hash)
	}
	if d.Threads > 0 {
		spin("Threads", d.Threads, 1, mostThreads, &s.Threads)
	}
	spin("Move Overhead", usualOverhead, 0, mostOverhead, &sv.overhead)
	return append(list, offered{"Ponder", "check default false", func(string) error { return nil }}) // no effect: go ponder works without it
}

func (sv *Server) introduce() {
	sv.out.printf("id name %s\nid author %s\n", sv.Name, sv.Author)
	for _, o := range sv.options() {
		sv.out.printf("option name %s type %s\n", o.name, o.kind)
	}
	sv.out.printf("uciok\n")
}

// ready answers isready. During a search, it answers immediately. Otherwise, it first creates the
// agent, so that this does not run down the clock.
func (sv *Server) ready() {
	if sv.thinking == nil || sv.thinking.done.Load() {
		sv.prepare()
	}
	sv.out.printf("readyok\n")
}

// prepare is like [Server.player], but also announces a new game to the agent.
func (sv *Server) prepare() search.Agent {
	agent := sv.player()
	if agent != nil {
		sv.thinker.Begin(agent)
	}
	return agent
}

var option = regexp.MustCompile(`^\s+name\s+(\S.*?)(?:\s+value(?:\s+(.*))?)?$`)

// setOption parses name NAME value VALUE. NAME and VALUE may contain spaces, which are preserved in
// VALUE. The case of NAME is ignored.
func (sv *Server) setOption(text string) {
	found := option.FindStringSubmatch(strings.TrimRight(text, " \t\r\n"))
	if found == nil {
		sv.say("setoption: want name NAME value VALUE")
		return
	}
	name, err := strings.Join(strings.Fields(found[1]), " "), errors.New("no such option")
	for _, o := range sv.options() {
		if strings.EqualFold(o.name, name) {
			err = o.set(found[2])
		}
	}
	if err != nil {
		sv.say("setoption %s: %v", clip(name), err)
		return
	}
	if sv.thinking != nil && !sv.thinking.done.Load() {
		sv.say("setoption %s: takes effect in the next search", clip(name))
	}
}

// position sets the board. If the position is invalid, the board is cleared, so that go does not
// return a move for an earlier position.
func (sv *Server) position(args []string) {
	s, err := position(sv.dialect, sv.Game, args)
	if err != nil {
		sv.say("%v; go answers 0000 until a valid position is sent", err)
	}
	sv.state = s
}

// player returns the agent for the current settings. If the settings are invalid, it reports the
// error and restores the settings of the last search or, before the first search, the defaults. It
// returns nil if the defaults are also invalid.
func (sv *Server) player() search.Agent {
	s := sv.settings
	s.Depth = 0 // a limit of each search, not of the agent
	if sv.agent != nil && sv.made == s {
		return sv.agent
	}
	agent, err := sv.Make(s, sv.report)
	if err != nil {
		sv.say("%v", err)
		back, whose := sv.made, "options of the last search"
		if sv.agent == nil {
			back, whose = sv.Defaults, "default options"
		}
		sv.say("restored the %s", whose)
		back.Depth = sv.settings.Depth
		sv.settings = back
		if sv.agent != nil {
			return sv.agent
		}
		s = sv.Defaults
		s.Depth = 0
		if agent, err = sv.Make(s, sv.report); err != nil {
			sv.say("%v", err)
			return nil
		}
	}
	sv.dismiss()
	sv.agent, sv.made = agent, s
	sv.thinker.NewGame()
	sv.warm(agent)
	return agent
}

// warm lets an agent with limits search one move deep without reports, because many agents allocate
// their tables in the first search.
func (sv *Server) warm(agent search.Agent) {
	l, ok := agent.(search.Limiter)
	if !ok {
		return
	}
	defer func() { recover() }() // if there is a fault, it will appear again at the first move
	sv.watch = nil
	agent.Begin(0)
	l.Limit(1, 0)
	agent.Search(context.Background(), sv.Game.New())
}

func (sv *Server) dismiss() {
	if sv.agent != nil {
		search.Close(sv.agent)
		sv.agent = nil
	}
}

// halt stops a running search and waits until its move has been sent.
func (sv *Server) halt() {
	if sv.thinking != nil {
		sv.thinking.stop()
		if sv.thinking.broken {
			sv.dismiss()
		}
		sv.thinking = nil
	}
}

// say sends a message to the user.
func (sv *Server) say(format string, args ...any) {
	sv.out.printf("info string %s\n", strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "))
}

// clip shortens text of the other program for a message.
func clip(s string) string { return strings.ToValidUTF8(text.Clip(s, 60), "?") }

// A lockedWriter writes whole lines for two goroutines.
type lockedWriter struct {
	mu  sync.Mutex
	w   io.Writer
	err error
}

func (l *lockedWriter) printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		_, l.err = fmt.Fprintf(l.w, format, args...)
	}
}

func (l *lockedWriter) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}
