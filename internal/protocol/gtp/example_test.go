package gtp_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/game/othello"
	"plyfit/internal/protocol/gtp"
	"plyfit/search"
)

// An engine of othello, for anyone who speaks GTP to it: a program gives Serve its
// standard input and output. Black opens, and the engine answers as white.
func ExampleServer() {
	g, err := othello.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	agent, err := search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 4})
	if err != nil {
		panic(err)
	}
	engine := &gtp.Server{Name: "example", Version: "1", Game: g, Agent: agent}
	typed := strings.NewReader("boardsize 8\nclear_board\nplay black d3\n7 genmove white\nplay black a1\nquit\n")
	var told bytes.Buffer
	if err := engine.Serve(context.Background(), typed, &told); err != nil {
		panic(err)
	}
	for answer := range strings.SplitSeq(strings.TrimSpace(told.String()), "\n\n") {
		fmt.Println(strings.TrimSpace(answer))
	}
	// Output:
	// =
	// =
	// =
	// =7 C3
	// ? illegal move
	// =
}
