package stdio_test

import (
	"context"
	"os"
	"strings"

	"plyfit/catalog"
	"plyfit/internal/serve/stdio"
)

// A program begins a game, plays three moves and has the position searched. A move that
// is not legal is given in one line.
func Example() {
	requests := strings.Join([]string{
		`{"id": 1, "method": "new", "params": {"game": "tictactoe"}}`,
		`{"id": 2, "method": "apply", "params": {"state": 1, "moves": ["5", "1", "9"]}}`,
		`{"id": 3, "method": "search", "params": {"state": 1, "agent": "minimax:depth=9"}}`,
		`{"id": 4, "method": "apply", "params": {"state": 1, "moves": ["5"]}}`,
	}, "\n")
	server := &stdio.Server{Catalog: catalog.All()}
	if err := server.Serve(context.Background(), strings.NewReader(requests), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// {"id":1,"result":{"state":1,"position":"......... X","turn":0,"plies":0,"moves":["1","2","3","4","5","6","7","8","9"],"truncated":false}}
	// {"id":2,"result":{"state":1,"position":"O...X...X O","turn":1,"plies":3,"moves":["2","3","4","6","7","8"],"truncated":false}}
	// {"id":3,"result":{"move":"3","value":0,"values":[0,0],"best":["3","7"],"pv":["3","2","8","4","6","7"],"depth":6,"nodes":1173,"exact":true}}
	// {"id":4,"error":"apply: move \"5\": want one of 2 3 4 6 7 8"}
}
