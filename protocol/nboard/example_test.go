package nboard_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"plyfit/game"
	"plyfit/game/othello"
	"plyfit/protocol/nboard"
	"plyfit/search"
)

// An engine of othello, for whoever speaks NBoard to it: a program gives Serve its
// standard input and output. The board asks for a move and makes it itself.
func ExampleServer() {
	g, err := othello.New(new(game.Options))
	if err != nil {
		panic(err)
	}
	agent, err := search.NewAlphaBeta(search.Options{Game: g, Eval: search.Zero(g), Depth: 4})
	if err != nil {
		panic(err)
	}
	engine := &nboard.Server{Name: "example", Game: g, Agent: agent}
	typed := strings.NewReader("nboard 1\nset depth 2\nset game (;GM[Othello]BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)\nmove D6\nping 7\nhint 1\n")
	var told bytes.Buffer
	if err := engine.Serve(context.Background(), typed, &told); err != nil {
		panic(err)
	}
	fmt.Print(told.String())
	// Output:
	// set myname example2
	// pong 7
	// status example is thinking
	// search C3G5 0.00 0 2
	// status example is waiting
}
