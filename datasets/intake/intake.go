package intake

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"plyfit/game"
	"plyfit/internal/disk"
	"plyfit/internal/text"
	"plyfit/internal/unpack"
)

// Format is how a file is written.
type Format string

const (
	formatEPD Format = "epd" // a position a line, with its result
	formatCSV Format = "csv" // a position a row
	formatPGN Format = "pgn" // games of chess
)

// formats read files, by the format.
var formats = map[Format]func(r *reader) error{formatEPD: (*reader).epd, formatCSV: (*reader).csv, formatPGN: (*reader).pgn}

// endings are the formats of files by the ends of their names.
var endings = map[string]Format{
	".epd": formatEPD, ".fen": formatEPD, ".txt": formatEPD, ".plain": formatEPD, ".csv": formatCSV, ".tsv": formatCSV, ".pgn": formatPGN,
}

// Score says what the scores of positions are counted in.
type Score string

const (
	// Centipawns s are a share of 1/(1+10^(-s/400)) of the point, as Elo
	// has it; "#3" and "#-3" are mates.
	Centipawns Score = "centipawns"
	Utility    Score = "utility" // the game's own units
)

// Options say how files are read.
type Options struct {
	Game   *game.Game
	Format Format // "": by each file's name
	Score  Score  // "": Utility
	// ByMover says that scores are in the mover's view, not in player 0's, and
	// ResultsByMover the same of results that are numbers.
	ByMover, ResultsByMover bool
	// Scale is what results that are numbers are counted in; "": the one that all
	// results of a file agree with.
	Scale Scale
	// BadLines is how many lines or games may be unreadable; one more is an error.
	BadLines int
	// Quiet, where it is not nil, tells which positions of games in PGN are taken; nil: all.
	Quiet func(s game.State) bool
	// NoForfeits leaves out games in PGN whose tag Termination names a forfeit.
	NoForfeits bool
}

// LineError is a line that could not be read, or the first line of a game.
type LineError struct {
	File string
	Line int // from 1
	Want string
}

func (f LineError) Error() string { return fmt.Sprintf("%s:%d: want %s", f.File, f.Line, f.Want) }

// Read reads the files in their order.
func Read(ctx context.Context, files []string, o Options) (*Collection, error) {
	o.Score = cmp.Or(o.Score, Utility)
	base := o.Game.Base()
	if o.Score == Centipawns && math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("score %s: want %s in %s, whose utilities have no bounds", Centipawns, Utility, base.Name)
	}
	c := newCollection(o.Game)
	whole := sha256.New()
	for k, file := range files {
		digest, err := c.file(ctx, file, k, &o)
		if err != nil {
			return nil, err
		}
		whole.Write(digest)
	}
	c.Digest = hex.EncodeToString(whole.Sum(nil))
	if err := c.agree(); err != nil {
		return nil, err
	}
	c.byEpisode()
	if len(c.entries) == 0 {
		why := ""
		if n := len(c.Skips); n > 0 {
			why = fmt.Sprintf("; the first of %d that were skipped: %v", n, c.Skips[0])
		}
		return nil, fmt.Errorf("%s: no position that can be learned from in %d games and %d rows: want at least one%s", strings.Join(files, ", "), c.Games.Seen, c.Rows.Seen, why)
	}
	return c, nil
}

// file reads one file and returns the SHA-256 of its bytes, packed as they are.
func (c *Collection) file(ctx context.Context, path string, number int, o *Options) ([]byte, error) {
	format := cmp.Or(o.Format, endings[unpack.Ext(path)])
	if format == "" {
		return nil, fmt.Errorf("%s: want a name that ends in .epd, .txt, .csv, .tsv or .pgn (and .gz or .zst), or --format", path)
	}
	take := formats[format]
	if take == nil {
		return nil, fmt.Errorf("format %q: want %s", format, text.Or(slices.Sorted(maps.Keys(formats))))
	}
	if format == formatPGN && o.Game.Base().Name != "chess" {
		return nil, fmt.Errorf("%s: %s holds games of chess, not of %s", path, format, o.Game.Base().Name)
	}
	f, err := disk.OpenInput(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	digest := sha256.New()
	packed := io.TeeReader(f, digest)
	in, err := unpack.Reader(packed)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer in.Close()
	r := &reader{Collection: c, ctx: ctx, o: o, path: path, number: number, in: bufio.NewReaderSize(text.Lines(in), 1<<16), base: o.Game.Base(), begun: len(c.entries), aside: map[string]int{}, labelled: map[string]int32{}}
	head, _ := r.in.Peek(r.in.Size())
	if plain.Match(head) {
		return nil, LineError{path, 1, "positions on a line each, or CSV with the columns fen, score, result and ply, not Stockfish's plain format (fen, move, score, ply, result, e)"}
	}
	err = take(r)
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, packed); err != nil { // what a packer leaves behind
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return digest.Sum(nil), nil
}

// plain matches the beginning of a file in the text format of Stockfish's trainer.
var plain = regexp.MustCompile(`^(\x{FEFF})?\s*fen [^\n]*\r?\n(move|score|ply|result) `)

// reader reads one file into the collection.
type reader struct {
	*Collection
	ctx      context.Context
	o        *Options
	path     string
	number   int
	in       *bufio.Reader
	base     *game.Game
	open     bool             // the last line read has no end yet
	begun    int              // entries before this file's
	labels   []label          // results as the file writes them, each once
	labelled map[string]int32 // their numbers
	aside    map[string]int   // positions of which something was not taken in
	scored   bool             // a score came whose unit and view the user says
}

// longest is the longest line that is read: no position is longer.
const longest = 1 << 20
