package stdio

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"plyfit/catalog"
	"plyfit/features"
	"plyfit/internal/lru"
	"plyfit/internal/proc"
	"plyfit/internal/protocol"
	"plyfit/internal/text"
	"plyfit/search"
)

// spoken is the version of the protocol. Only incompatible changes increase it; new methods and
// fields do not.
const spoken = 1

const (
	mostLine   = 1 << 20 // maximum size of a request in bytes
	mostStates = 1 << 16 // maximum number of states kept at the same time
	mostAgents = 8       // maximum number of agents kept for later searches; each may have a transposition table
)

// A Server answers the requests of one program until its input ends.
type Server struct {
	Catalog catalog.Catalog
	Version string // version of plyfit, returned by hello

	worlds     lru.Cache[string, *catalog.World]
	states     map[int]kept
	next       int // number of the last state created
	agents     lru.Cache[string, search.Agent]
	evaluators lru.Cache[string, *features.Evaluator]
}

type request struct {
	ID     json.RawMessage `json:"id"` // number or string; returned unchanged
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// A response is a line of output, with either Result or Error.
type response struct {
	ID     json.RawMessage `json:"id"` // null if the request's id could not be read
	Result any             `json:"result,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// Serve answers requests until in or ctx ends. It returns an error if ctx ends or if in or out
// fails.
func (sv *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	sv.states = map[int]kept{}
	sv.worlds.Most, sv.agents.Most, sv.evaluators.Most = mostStates, mostAgents, mostAgents
	sv.agents.Gone = func(_ string, a search.Agent) { search.Close(a) }
	defer sv.agents.Clear()
	stops := func(line protocol.Line) bool {
		var r request
		return strings.Contains(line.Text, `"stop"`) && text.JSON([]byte(line.Text), &r) == nil && r.Method == "stop"
	}
	return proc.Failure(protocol.ServeLines(ctx, in, mostLine, stops, func(within context.Context, line protocol.Line) (quit bool, err error) {
		var answer response
		switch {
		case line.Cut:
			answer = response{Error: fmt.Sprintf("the line has more than %d bytes; send shorter lines", mostLine)}
		case strings.TrimSpace(line.Text) == "":
			return false, nil
		default:
			answer = sv.answer(within, line.Text)
		}
		switch { // The partial result of a stopped search is not returned.
		case ctx.Err() != nil:
			return false, ctx.Err()
		case within.Err() != nil:
			answer.Result, answer.Error = nil, context.Cause(within).Error()
		}
		return false, write(out, answer)
	}))
}

// write writes an answer as one line, without escaping HTML.
func write(out io.Writer, answer response) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(answer)
}

func (sv *Server) answer(ctx context.Context, line string) response {
	var r request
	if err := text.JSON([]byte(line), &r); err != nil {
		return response{Error: oneLine(fmt.Errorf("request: %w; want {\"id\": ..., \"method\": ..., \"params\": {...}}", err))}
	}
	id := r.ID
	if bytes.ContainsAny(id, "{[") && id[0] != '"' {
		return response{Error: "request: the id is not a number or a string"}
	}
	method, ok := methods[r.Method]
	if !ok {
		return response{ID: id, Error: fmt.Sprintf("unknown method %q; want one of %s", r.Method, strings.Join(methodNames(), ", "))}
	}
	params := r.Params
	if len(params) == 0 || string(params) == "null" {
		params = json.RawMessage("{}")
	}
	result, err := method(sv, ctx, params)
	if err != nil {
		return response{ID: id, Error: oneLine(fmt.Errorf("%s: %w", r.Method, err))}
	}
	return response{ID: id, Result: result}
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
