package uci

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"plyfit/game"
	"plyfit/game/play"
	"plyfit/internal/regular"
	"plyfit/search"
)

// What OpenBench asks of an engine beside UCI: openings to make data from, and a
// fixed search whose nodes tell one build from another (its wiki, "Data Generation
// Workloads" and "Configuring New Engines").

const (
	// Openings are 8 or 9 random decisions, so that either side may be to move.
	leastOpening, mostOpening = 8, 9

	mostOpenings = 1 << 24
	benchDepth   = 5 // unless bench is given another
)

// openings obeys genfens N seed S book FILE|None: N lines "info string genfens FEN",
// the same for the same seed. With a book each begins at a random line of it.
func (sv *Server) openings(ctx context.Context, args []string) {
	if sv.dialect.FEN == nil {
		sv.say("genfens: positions of %s have no FEN", sv.Game.Name)
		return
	}
	n, seed, book, err := readGenfens(args)
	var starts []game.State
	if err == nil {
		starts, err = sv.starts(book)
	}
	if err != nil {
		sv.say("genfens: %v", err)
		return
	}
	rng := rand.New(rand.NewPCG(seed, game.Mix(seed)))
	o := play.Opening{Least: leastOpening, Most: mostOpening, Tries: 1, MaxPlies: sv.Game.MaxPlies}
	for failed := 0; n > 0 && ctx.Err() == nil && sv.out.failed() == nil; {
		s := starts[rng.IntN(len(starts))].Clone()
		if !o.Draw(s, rng) {
			if failed++; failed > 1000 {
				sv.say("genfens: %s: random moves from here end the game", clip(book))
				return
			}
			continue
		}
		failed = 0
		sv.say("genfens %s", sv.dialect.FEN(s))
		n--
	}
}

// readGenfens reads the words after genfens. A further word, which a workload may add,
// has no meaning here.
func readGenfens(args []string) (n int, seed uint64, book string, err error) {
	const want = "want genfens N seed S book None|FILE"
	if len(args) < 3 || args[1] != "seed" {
		return 0, 0, "", fmt.Errorf("%s", want)
	}
	if n, err = strconv.Atoi(args[0]); err != nil || n < 1 || n > mostOpenings {
		return 0, 0, "", fmt.Errorf("%s: %s, N being a whole number from 1 to %d", clip(args[0]), want, mostOpenings)
	}
	if seed, err = strconv.ParseUint(args[2], 10, 64); err != nil {
		return 0, 0, "", fmt.Errorf("%s: %s, S being a whole number of 64 bits", clip(args[2]), want)
	}
	if len(args) > 4 && args[3] == "book" && args[4] != "None" {
		book = args[4]
	}
	return n, seed, book, nil
}

// mostBook is how many bytes a book may have.
const mostBook = 1 << 30

// starts are the positions of a book, an EPD a line; without one, the start.
func (sv *Server) starts(book string) ([]game.State, error) {
	if book == "" {
		return []game.State{sv.Game.New()}, nil
	}
	f, err := regular.OpenUpTo(book, mostBook)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var starts []game.State
	in := bufio.NewScanner(f)
	for n := 1; in.Scan(); n++ {
		fields := strings.Fields(in.Text())
		if len(fields) == 0 {
			continue
		}
		// An EPD's position has four fields, and operations may follow.
		if _, err := strconv.Atoi(fields[min(4, len(fields)-1)]); err != nil {
			fields = fields[:min(4, len(fields))]
		}
		s, err := sv.dialect.Parse(sv.Game, fields[:min(6, len(fields))])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", book, n, err)
		}
		if s.Turn() != game.Nobody {
			starts = append(starts, s)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", book, err)
	}
	if len(starts) == 0 {
		return nil, fmt.Errorf("%s: want at least one position in which the game goes on", book)
	}
	return starts, nil
}

// benchPositions is how many positions bench searches: the start, and after 4, 8, ...
// random moves.
const benchPositions = 12

// bench obeys bench [DEPTH]: it searches fixed positions with one thread and says
// "NODES nodes NPS nps". The nodes are the same wherever and whenever it runs, and
// change where the search or the evaluation does.
func (sv *Server) bench(ctx context.Context, args []string) {
	depth := benchDepth
	if len(args) > 0 {
		var err error
		if depth, err = spin(args[0], 1, mostDepth); err != nil {
			sv.say("bench: %v", err)
			return
		}
	}
	s := sv.settings
	s.Depth, s.Threads = 0, min(1, s.Threads)
	agent, err := sv.Make(s, func(search.Result) {})
	if err != nil {
		sv.say("bench: %v", err)
		return
	}
	defer search.Close(agent)
	if l, ok := agent.(search.Limiter); ok {
		l.Limit(depth, 0)
	}
	var nodes int64
	var elapsed time.Duration
	for k := range uint64(benchPositions) {
		state := sv.Game.New()
		play.Walk(state, int(4*k), rand.New(rand.NewPCG(k, game.Mix(k))))
		agent.Begin(k)
		begun := time.Now()
		r, err := agent.Search(ctx, state)
		if err != nil {
			sv.say("bench: position %d: %v", k+1, err)
			return
		}
		elapsed += time.Since(begun)
		nodes += r.Nodes
	}
	sv.out.printf("%d nodes %d nps\n", nodes, int64(float64(nodes)/max(elapsed.Seconds(), 1e-9)))
}
