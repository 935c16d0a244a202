//go:build unix

package protocol_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"plyfit/game/backgammon"
	"plyfit/game/gametest"
	"plyfit/internal/program"
	"plyfit/internal/protocol"
	"plyfit/internal/protocol/protocoltest"
	"plyfit/internal/vectors"
	"plyfit/search"
)

// fakeGnubg acts as gnubg, listening on the port that it receives.
func fakeGnubg(mode string) {
	in := bufio.NewScanner(os.Stdin)
	tries := 0
	for in.Scan() {
		address, ok := strings.CutPrefix(in.Text(), "external ")
		switch {
		case !ok || mode == "silent":
			continue
		case mode == "refuses" || mode == "busy" && tries < 2:
			tries++
			fmt.Println(address + ": Address already in use")
			continue
		case mode == "dies":
			os.Exit(4)
		}
		l := vectors.Must(net.Listen("tcp", address))
		fmt.Println("Waiting for a connection from " + address + "...")
		c := vectors.Must(l.Accept())
		for r := bufio.NewScanner(c); r.Scan(); {
			switch mode {
			case "hangs up":
				c.Close()
			case "error":
				fmt.Fprintln(c, "Error: badly formed board")
			case "illegal":
				fmt.Fprintln(c, "24/23 24/23")
			case "garbage":
				fmt.Fprintln(c, "\x00\xff 99/98 a/b")
			case "good", "busy":
				fmt.Fprintln(c, "8/5 6/5")
			}
		}
	}
}

func newGnubg(t *testing.T, mode string, timeout time.Duration) *protocol.Player {
	t.Helper()
	a := protocol.NewGnubg(protocol.GnubgConfig{Game: gametest.New(t, backgammon.New, "backgammon"), Timeout: timeout, Launcher: &program.Launcher{Command: protocol.GnubgCommand(protocoltest.Command("gnubg " + mode))}})
	t.Cleanup(func() { a.Close() })
	return a
}

// opening is the starting position with a roll of 3-1.
const opening = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"

func parse(t testing.TB, text string) *backgammon.State {
	t.Helper()
	s := vectors.Must(gametest.New(t, backgammon.New, "backgammon").Parse(text))
	return backgammon.Of(s)
}

// TestGnubgBoard checks FIBS boards for both players: at the start, and in a position with checkers
// on both bars and off the board.
func TestGnubgBoard(t *testing.T) {
	const start = ":0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:"
	for text, want := range map[string]string{
		opening: "board:mover:other:9999:0:0" + start + "1:3:1:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0",
		strings.Replace(opening, ":1:31", ":-1:55", 1):        "board:mover:other:9999:0:0" + start + "1:5:5:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:4:0:0:0",
		"XGID=aBB--------------------b-A:0:0:1:62:0:0:0:0:10": "board:mover:other:9999:0:0:-1:2:2:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:1:1:6:2:0:0:1:1:1:0:1:-1:0:25:10:12:1:1:2:0:0:0",
	} {
		if got, err := gametest.New(t, backgammon.New, "backgammon").Dialect(protocol.GnubgProtocol).Format(parse(t, text)); err != nil || got != want {
			t.Errorf("%s:\n%s, want\n%s", text, got, want)
		}
	}
}

func TestGnubgAgent(t *testing.T) {
	s := parse(t, opening)
	for _, mode := range []string{"good", "busy"} { // state of the port that the engine receives
		a := newGnubg(t, mode, 0)
		for range 3 {
			a.Begin(1)
			r, err := a.Search(context.Background(), s)
			if err != nil || s.MoveString(r.Move) != "8/5 6/5" {
				t.Fatalf("%s: %v, %v", mode, r.Move, err)
			}
		}
	}
	var a *protocol.Player
	protocoltest.Blame(t, s, func(mode string, timeout time.Duration) search.Agent {
		if a != nil && a.PID() != 0 {
			t.Errorf("before %s: an engine at fault is kept", mode)
		}
		a = newGnubg(t, mode, timeout)
		return a
	}, map[string][2]string{
		"silent":   {program.Time, "no message that it is listening in time"},
		"refuses":  {program.Unreadable, "Address already in use"},
		"dies":     {program.Crash, "exit status 4"},
		"thinks":   {program.Time, "no move in time"},
		"hangs up": {program.Crash, "closed the connection"},
		"error":    {program.Unreadable, `says "Error: badly formed board", want a move`},
		"illegal":  {program.Illegal, `answers "24/23 24/23"`},
		"garbage":  {program.Illegal, "answers"},
	})
	protocoltest.Ends(t, s, newGnubg(t, "thinks", 0))
}

// TestGNUBackgammon lets GNU Backgammon play complete games against random moves. It must win nine
// of ten. Its plays of five opening rolls are also checked.
func TestGNUBackgammon(t *testing.T) {
	a := protocol.NewGnubg(protocol.GnubgConfig{Game: gametest.New(t, backgammon.New, "backgammon"), Launcher: &program.Launcher{Command: protocol.GnubgCommand(protocoltest.Engine(t, "gnubg", "gnubg"))}})
	defer a.Close()
	a.Begin(1)
	for dice, want := range map[string]string{"31": "8/5 6/5", "42": "8/4 6/4", "61": "13/7 8/7", "65": "24/13", "53": "8/3 6/3"} {
		for _, turn := range []string{":1:", ":-1:"} {
			s := parse(t, strings.Replace(opening, ":1:31", turn+dice, 1))
			r, err := a.Search(context.Background(), s)
			if err != nil || s.MoveString(r.Move) != want {
				t.Errorf("%s: %v, %v, want %s", s, s.MoveString(r.Move), err, want)
			}
		}
	}
	if wins := protocoltest.Play(t, gametest.New(t, backgammon.New, "backgammon"), a, 10, nil); wins < 9 {
		t.Errorf("%d of 10 games won against random plays", wins)
	}
	pid := a.PID()
	a.Close()
	if exec.Command("kill", "-0", fmt.Sprint(pid)).Run() == nil {
		t.Errorf("process %d is left", pid)
	}
}
