package uci_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"plyfit/game"
	"plyfit/game/chess"
	"plyfit/internal/protocol/uci"
	"plyfit/search"
)

// An engine of chess, for anyone who speaks UCI to it: a program gives Serve its
// standard input and output. Here a position is typed in, in which Rd8 mates.
func ExampleServer() {
	g, err := chess.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	engine := &uci.Server{
		Game: g, Name: "example 1", Author: "a stranger",
		Make: func(s uci.Settings, iteration func(search.Result)) (search.Agent, error) {
			return search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 2})
		},
	}
	in, typed := io.Pipe()
	told, out := io.Pipe()
	go func() {
		defer out.Close()
		if err := engine.Serve(context.Background(), in, out); err != nil {
			panic(err)
		}
	}()
	fmt.Fprint(typed, "position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo depth 2\n")
	for lines := bufio.NewScanner(told); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "bestmove") { // before it comes what the search says of itself
			fmt.Println(lines.Text())
			go fmt.Fprintln(typed, "quit")
		}
	}
	// Output:
	// bestmove d1d8
}
