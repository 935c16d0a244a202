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

// A Format is a file format.
type Format string

const (
	formatEPD Format = "epd" // one position with its result per line
	formatCSV Format = "csv" // one position per row
	formatPGN Format = "pgn" // chess games
)

// formats maps each format to the method that reads it.
var formats = map[Format]func(r *reader) error{formatEPD: (*reader).epd, formatCSV: (*reader).csv, formatPGN: (*reader).pgn}

// endings maps file extensions to formats.
var endings = map[string]Format{
	".epd": formatEPD, ".fen": formatEPD, ".txt": formatEPD, ".plain": formatEPD, ".csv": formatCSV, ".tsv": formatCSV, ".pgn": formatPGN,
}

// A Score is the unit of the scores in a file.
type Score string

const (
	// Centipawns are hundredths of a pawn. A score of s is worth 1/(1+10^(-s/400)) of a point, as
	// in the Elo formula. "#3" and "#-3" are mates.
	Centipawns Score = "centipawns"
	Utility    Score = "utility" // units of the game
)

// Options specifies how files are read.
type Options struct {
	Game   *game.Game
	Format Format // if empty, determined by each file name
	Score  Score  // Utility if empty
	// ByMover means that scores are from the mover's point of view rather than player 0's.
	// ResultsByMover means the same for numeric results.
	ByMover, ResultsByMover bool
	// Scale is the scale of numeric results. If it is empty, the scale of each file is derived from
	// its results.
	Scale Scale
	// BadLines is the maximum number of unreadable lines and games.
	BadLines int
	// Quiet, if not nil, reports whether a position of a PGN game is imported.
	Quiet func(s game.State) bool
	// NoForfeits skips PGN games that ended by forfeit according to their Termination tag.
	NoForfeits bool
}

// A LineError reports a line that could not be read. For a game, Line is its first line.
type LineError struct {
	File string
	Line int // starting from 1
	Want string
}

func (f LineError) Error() string { return fmt.Sprintf("%s:%d: want %s", f.File, f.Line, f.Want) }

// Read reads the files in the given order. It returns an error if it finds no positions.
func Read(ctx context.Context, files []string, o Options) (*Collection, error) {
	o.Score = cmp.Or(o.Score, Utility)
	base := o.Game.Base()
	if o.Score == Centipawns && math.IsInf(base.Max-base.Min, 0) {
		return nil, fmt.Errorf("score %s: want %s, because the utilities of %s are unbounded", Centipawns, Utility, base.Name)
	}
	_, slips := game.As[*game.Slip](o.Game.New())
	c := &Collection{game: o.Game, slips: slips, outcome: map[string]int32{}, episode: map[string]int32{}, events: map[int32]string{}, Terminations: map[string]int{}}
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
			why = fmt.Sprintf("; skipped records: %d, starting with %v", n, c.Skips[0])
		}
		return nil, fmt.Errorf("%s: no usable position in %d games and %d rows; want at least one%s", strings.Join(files, ", "), c.Games.Seen, c.Rows.Seen, why)
	}
	return c, nil
}

// file reads one file and returns the SHA-256 of its bytes as stored, before decompression.
func (c *Collection) file(ctx context.Context, path string, number int, o *Options) ([]byte, error) {
	format := cmp.Or(o.Format, endings[unpack.Ext(path)])
	if format == "" {
		return nil, fmt.Errorf("%s: want a file name that ends in .epd, .txt, .csv, .tsv or .pgn (optionally followed by .gz or .zst), or --format", path)
	}
	take := formats[format]
	if take == nil {
		return nil, fmt.Errorf("format %q: want %s", format, text.Or(slices.Sorted(maps.Keys(formats))))
	}
	if format == formatPGN && o.Game.Base().Name != "chess" {
		return nil, fmt.Errorf("%s: %s files contain chess games, not games of %s", path, format, o.Game.Base().Name)
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
	r := &reader{Collection: c, ctx: ctx, o: o, path: path, number: number, in: bufio.NewReaderSize(text.Lines(in), 1<<16), base: o.Game.Base(), begun: len(c.entries), ignored: map[string]int{}, labelled: map[string]int32{}}
	head, _ := r.in.Peek(r.in.Size())
	if plain.Match(head) {
		return nil, LineError{path, 1, "one position per line, or CSV with the columns fen, score, result and ply, not Stockfish's plain format (fen, move, score, ply, result, e)"}
	}
	err = take(r)
	if err == nil {
		err = r.finish()
	}
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, packed); err != nil { // read what the decompressor left unread, because it is part of the digest
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return digest.Sum(nil), nil
}

// plain matches the start of a file in the plain text format of Stockfish's training tools.
var plain = regexp.MustCompile(`^(\x{FEFF})?\s*fen [^\n]*\r?\n(move|score|ply|result) `)

// A reader reads one file into the collection.
type reader struct {
	*Collection
	ctx      context.Context
	o        *Options
	path     string
	number   int
	in       *bufio.Reader
	base     *game.Game
	open     bool             // whether the last line read still lacks its terminator
	begun    int              // number of entries from earlier files
	labels   []label          // distinct results, as written in the file
	labelled map[string]int32 // index of each result in labels
	ignored  map[string]int   // numbers of positions by kind of ignored data
	scored   bool             // whether the file contains scores whose unit and point of view come from Options
}

// maxLine is the maximum length of a line in bytes.
const maxLine = 1 << 20
