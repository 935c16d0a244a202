package serve

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"plyfit/catalog"
	"plyfit/game"
	"plyfit/internal/spec"
	"plyfit/models"
)

// Limits are what pages may ask of this machine. A zero field is its default.
type Limits struct {
	Tables      int           // games at once; 0: 200
	Idle        time.Duration // after which a table may be cleared; 0: two hours
	Body        int64         // bytes of a request; 0: 64 KiB
	Depth       int           // decisions that an agent searches; 0: 12
	Table       int           // megabytes of its transposition table; 0: 64
	Simulations int           // of Monte Carlo tree search; 0: 100,000
	Time        time.Duration // of one search; 0: 10 s
	Nodes       int           // of a tree that is kept for a page; 0: 20,000
	Trees       int64         // bytes of all trees that are kept, those of the last searches; 0: 256 MB
	Streams     int           // pages that are told of changes at once; 0: 100
	Connections int           // at once; others wait; 0: 512

	Engines bool   // agents may be programs of others: uci:cmd=PROGRAM
	Models  string // a folder whose model files agents may name; "": none
}

func (l Limits) complete() Limits {
	l.Tables = cmp.Or(l.Tables, 200)
	l.Idle = cmp.Or(l.Idle, 2*time.Hour)
	l.Body = cmp.Or(l.Body, 64<<10)
	l.Depth = cmp.Or(l.Depth, 12)
	l.Table = cmp.Or(l.Table, 64)
	l.Simulations = cmp.Or(l.Simulations, 100_000)
	l.Time = cmp.Or(l.Time, 10*time.Second)
	l.Nodes = cmp.Or(l.Nodes, 20_000)
	l.Trees = cmp.Or(l.Trees, 256<<20)
	l.Streams = cmp.Or(l.Streams, 100)
	l.Connections = cmp.Or(l.Connections, 512)
	return l
}

// longestSpec is how long an agent's or a game's spec may be, in bytes.
const longestSpec = 2000

// engineKinds are the agents that start programs.
var engineKinds = []string{"uci", "gtp", "gnubg"}

// world reads a game's spec within the limits.
func (l Limits) world(c catalog.Catalog, text string) (*catalog.World, error) {
	if len(text) > longestSpec {
		return nil, fmt.Errorf("game: a spec of %d bytes: want at most %d", len(text), longestSpec)
	}
	parsed, err := spec.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("game: %w", err)
	}
	entry, err := c.Entry(parsed.Name)
	if err != nil {
		return nil, err
	}
	for _, k := range parsed.Keys {
		if n := entry.Nature; n != nil && k.Name == n.Key && !slices.Contains(n.Own, k.Value) {
			if err := l.agent(k.Value); err != nil {
				return nil, err
			}
			continue
		}
		if strings.Contains(k.Value, ".lay") || strings.Contains(k.Value, "/") && !strings.HasPrefix(k.Value, "%%%") {
			return nil, fmt.Errorf("game %s: %s=%s: a page may name no file", parsed.Name, k.Name, k.Value)
		}
	}
	return c.World(text)
}

// agent reports what in an agent's spec, or in one that is nested in it, lies beyond the
// limits. Whether the rest of it makes sense is for the catalog to say.
func (l Limits) agent(text string) error {
	if len(text) > longestSpec {
		return fmt.Errorf("agent: a spec of %d bytes: want at most %d", len(text), longestSpec)
	}
	return l.nested(text, 0)
}

func (l Limits) nested(text string, level int) error {
	if level > 8 {
		return fmt.Errorf("agent: specs nested %d deep: want at most 8", level)
	}
	if inner, ok := strings.CutPrefix(text, "mix("); ok && strings.HasSuffix(inner, ")") {
		items, err := spec.List(inner[:len(inner)-1])
		if err != nil {
			return fmt.Errorf("agent %w", err)
		}
		for _, item := range items {
			_, part, _ := strings.Cut(item, "*")
			if err := l.nested(spec.Unwrap(strings.TrimSpace(part)), level+1); err != nil {
				return err
			}
		}
		return nil
	}
	parsed, err := spec.Parse(text)
	if err != nil {
		return fmt.Errorf("agent %w", err)
	}
	if slices.Contains(engineKinds, parsed.Name) && !l.Engines {
		return fmt.Errorf("agent %s: programs of others are not allowed here: want plyfit serve --engines", text)
	}
	for _, k := range parsed.Keys {
		if err := l.key(text, k, level); err != nil {
			return err
		}
	}
	return nil
}

// key checks one key of an agent's spec.
func (l Limits) key(text string, k spec.Pair, level int) error {
	most := func(limit int, unit string) error {
		if n, err := strconv.Atoi(k.Value); err == nil && n > limit {
			return fmt.Errorf("agent %s: %s=%s: this page allows at most %d%s", text, k.Name, k.Value, limit, unit)
		}
		return nil
	}
	switch k.Name {
	case "depth":
		return most(l.Depth, "")
	case "table":
		return most(l.Table, " megabytes")
	case "simulations":
		return most(l.Simulations, "")
	case "threads":
		return most(1, "")
	case "time", "timeout":
		if d, err := time.ParseDuration(k.Value); err == nil && d > l.Time {
			return fmt.Errorf("agent %s: %s=%s: this page allows at most %v", text, k.Name, k.Value, l.Time)
		}
	case "eval":
		return l.model(k.Value)
	case "assume":
		if !slices.Contains([]string{"world", "chance", "adversary", "uniform", "base"}, k.Value) {
			return l.nested(k.Value, level+1)
		}
	}
	return nil
}

// model checks what an evaluation names: a shipped one, a digest, or a file in the
// folder that is allowed.
func (l Limits) model(name string) error {
	name = strings.TrimSuffix(name, ",scale=range")
	if _, err := os.Stat(name); err != nil { // no file of that name, so what follows are other weights for some terms
		name, _, _ = strings.Cut(name, ",")
	}
	if slices.Contains([]string{"", "handwritten", "learned", "best", "zero"}, name) || shipped(name) {
		return nil
	}
	if _, err := hex.DecodeString(name); err == nil && len(name) >= 8 { // the digest of a model
		return nil
	}
	if path := strings.TrimPrefix(name, "models/"); fs.ValidPath(path) {
		if _, ok := models.Shipped(path); ok {
			return nil
		}
	}
	if l.Models == "" {
		return fmt.Errorf("eval=%s: want handwritten, learned, best or zero; files only from the folder of plyfit serve --models", name)
	}
	folder, err := filepath.EvalSymlinks(l.Models)
	if err == nil {
		var file string
		if file, err = filepath.EvalSymlinks(name); err == nil && within(folder, file) {
			return nil
		}
	}
	return fmt.Errorf("eval=%s: want handwritten, learned, best, zero or a file in %s", name, l.Models)
}

// shipped reports whether a name is GAME/NAME, a model that comes with a game.
func shipped(name string) bool {
	of, model, ok := strings.Cut(name, "/")
	if !ok || strings.ContainsAny(model, "/\\.") {
		return false
	}
	for _, path := range []string{"handwritten/" + of + ".json", "learned/" + of + ".json"} {
		if _, there := models.Shipped(path); there && (path == model+"/"+of+".json" || model == "best") {
			return true
		}
	}
	_, there := models.Shipped("learned/" + of + "-" + model + ".json")
	return there
}

// within reports whether a file lies in a folder, both without symbolic links.
func within(folder, file string) bool {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return false
	}
	if file, err = filepath.Abs(file); err != nil {
		return false
	}
	path, err := filepath.Rel(folder, file)
	return err == nil && filepath.IsLocal(path)
}

// position reads a position of w; "" is the start.
func position(w *catalog.World, text string) (game.State, error) {
	if text = strings.TrimSpace(text); text == "" {
		return w.New(), nil
	}
	return w.Parse(text)
}
