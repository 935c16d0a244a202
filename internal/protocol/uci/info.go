package uci

import (
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

// words that begin a part of an info line, each with its own number of words.
var infoWords = map[string]bool{
	"depth": true, "seldepth": true, "time": true, "nodes": true, "pv": true, "multipv": true, "score": true,
	"currmove": true, "currmovenumber": true, "hashfull": true, "nps": true, "tbhits": true, "sbhits": true,
	"cpuload": true, "string": true, "refutation": true, "currline": true, "wdl": true,
}

// read takes a line that begins with info and skips what it cannot read.
func (n *info) read(line string) {
	words := strings.Fields(line)
	if len(words) == 0 || words[0] != "info" {
		return
	}
	at := n.parts(words[1:])
	if second := at["multipv"]; len(second) > 0 && second[0] != "1" {
		return
	}
	if v, ok := number(at["depth"]); ok {
		n.depth = int(v)
	}
	if v, ok := number(at["nodes"]); ok {
		n.nodes = v
	}
	if v, ok := number(at["time"]); ok {
		n.elapsed = time.Duration(min(v, int64(time.Hour/time.Millisecond)*1000)) * time.Millisecond
	}
	if score, given := at["score"]; given {
		n.score(score)
	}
	if pv := at["pv"]; len(pv) > 0 {
		n.pv = append(n.pv[:0], pv...)
	}
}

// parts are the words after each of infoWords.
func (n *info) parts(words []string) map[string][]string {
	at := map[string][]string{}
	key := ""
	for i, w := range words {
		switch {
		case w == "string":
			return at
		case infoWords[w]:
			key = w
			at[key] = words[i+1 : i+1]
		case key != "":
			at[key] = append(at[key], w)
		}
	}
	return at
}

func (n *info) score(words []string) {
	for _, w := range words {
		if w == "lowerbound" || w == "upperbound" {
			return
		}
	}
	if len(words) < 2 {
		return
	}
	v, err := strconv.Atoi(words[1])
	if err != nil {
		return
	}
	switch words[0] {
	case "cp":
		n.scored, n.cp, n.mate, n.mated = true, v, 0, false
	case "mate":
		n.scored, n.cp, n.mate, n.mated = true, 0, v, v <= 0
	}
}

func number(words []string) (int64, bool) {
	if len(words) == 0 {
		return 0, false
	}
	v, err := strconv.ParseInt(words[0], 10, 64)
	return v, err == nil && v >= 0
}
