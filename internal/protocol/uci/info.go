package uci

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// info collects an engine's lines about its search, the last of each kind.
type info struct {
	depth   int
	nodes   int64
	elapsed time.Duration
	scored  bool // cp or mate is known, and no bound
	cp      int
	mate    int // moves to it, negative where the engine is mated; 0: none, or mated already
	mated   bool
	pv      []string
}

// infoWords begin a part of an info line, each with its own number of words.
var infoWords = strings.Fields("depth seldepth time nodes pv multipv score currmove currmovenumber hashfull nps " +
	"tbhits sbhits cpuload string refutation currline wdl")

// read takes a line that begins with info and skips what it cannot read.
func (n *info) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	at, key := map[string][]string{}, ""
	for _, w := range words[1:] {
		if w == "string" {
			break
		}
		if slices.Contains(infoWords, w) {
			key, at[w] = w, nil
		} else if key != "" {
			at[key] = append(at[key], w)
		}
	}
	if second := at["multipv"]; len(second) > 0 && second[0] != "1" {
		return
	}
	number := func(key string) (int64, bool) {
		v, err := strconv.ParseInt(strings.Join(at[key][:min(1, len(at[key]))], ""), 10, 64)
		return v, err == nil && v >= 0
	}
	if v, ok := number("depth"); ok {
		n.depth = int(v)
	}
	if v, ok := number("nodes"); ok {
		n.nodes = v
	}
	if v, ok := number("time"); ok {
		n.elapsed = time.Duration(min(v, int64(time.Hour/time.Millisecond)*1000)) * time.Millisecond
	}
	n.score(at["score"])
	if pv := at["pv"]; len(pv) > 0 {
		n.pv = pv
	}
}

func (n *info) score(words []string) {
	if len(words) < 2 || slices.Contains(words, "lowerbound") || slices.Contains(words, "upperbound") {
		return
	}
	v, err := strconv.Atoi(words[1])
	switch {
	case err != nil:
	case words[0] == "cp":
		n.scored, n.cp, n.mate, n.mated = true, v, 0, false
	case words[0] == "mate":
		n.scored, n.cp, n.mate, n.mated = true, 0, v, v <= 0
	}
}
