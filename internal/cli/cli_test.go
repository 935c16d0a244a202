package cli_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"plyfit/catalog"
	"plyfit/internal/cli"
	"plyfit/internal/vectors"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"plyfit":     func() { cli.Main(catalog.All()) },
		"fakeengine": fakeEngine,
	})
}

// TestScripts runs the command line scripts in testdata/script.
func TestScripts(t *testing.T) {
	cache := vectors.Must(os.UserCacheDir())
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Setup: func(e *testscript.Env) error {
		// The scripts run without a home directory, but the Go compiler needs a cache.
		if os.Getenv("GOCACHE") == "" {
			e.Setenv("GOCACHE", filepath.Join(cache, "go-build"))
		}
		e.Setenv("GOFLAGS", "")
		return nil
	}})
}

// fakeEngine is a UCI engine for tic-tac-toe. Its argument selects the fault that it simulates.
func fakeEngine() {
	mode := os.Args[1]
	switch mode {
	case "silent":
		io.Copy(io.Discard, os.Stdin)
		return
	case "garbage":
		for {
			if _, err := fmt.Print("\x00\xff\x1b[2J go bestmove\n\n"); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}
	in, ours := io.Pipe()
	go func() {
		defer ours.Close()
		games := 0
		for r := bufio.NewScanner(os.Stdin); r.Scan(); {
			word, _, _ := strings.Cut(r.Text(), " ")
			switch {
			case word == "ucinewgame":
				games++
			case word == "external", word == "go" && mode == "dies", word == "go" && mode == "sometimes" && games == 2:
				if mode == "dies" {
					fmt.Fprintln(os.Stderr, "no more")
				}
				os.Exit(5)
			case word == "go" && mode == "thinks":
				continue
			case word == "go" && mode == "illegal":
				fmt.Println("bestmove P@a9")
				continue
			}
			fmt.Fprintln(ours, r.Text())
		}
	}()
	os.Exit(cli.Run(context.Background(), catalog.All(), []string{"uci", "tictactoe"}, in, os.Stdout, os.Stderr))
}
