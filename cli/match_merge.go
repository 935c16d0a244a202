package cli

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"plyfit/arena"
	"plyfit/cli/shell"
	"plyfit/game"
	"plyfit/internal/failure"
)

func (a *app) matchMergeCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "merge FILE... -o FILE",
		Short: "Put the slices of a match or tournament together",
		Long: `Put the finished pairs of a match together, which plyfit match --slice has played,
or those of a tournament: then the arguments are folders. The file has the same
bytes as that of a match which was played in one piece. The command of the match,
without --slice and with that file, then gives the result.`,
		Example: `  plyfit match merge part1.jsonl part2.jsonl -o pairs.jsonl
  plyfit match merge cup1 cup2 cup3 -o cup`,
		Args: shell.AtLeast("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			find := func(spec string) (*game.Game, error) {
				w, err := a.Catalog.World(spec)
				if err != nil {
					return nil, err
				}
				return w.Game, nil
			}
			files, err := matchFiles(out, args)
			if err != nil {
				return err
			}
			pairs := 0
			for _, f := range files {
				n, err := arena.Merge(f.out, f.from, find)
				if err != nil {
					return shell.RunFailure(err)
				}
				pairs += n
			}
			_, err = fmt.Fprintf(a.Stdout, "%s: %s; the command of the match, without --slice, gives the result\n", out, shell.Counted(pairs, "pair"))
			return failure.Of(err)
		},
	}
	shell.OutFlag(cmd, &out, "file of all pairs, or folder")
	return cmd
}

// mergedFile is a file of a match and those of its slices.
type mergedFile struct {
	out  string
	from []string
}

// matchFiles are the one file of a match, or those of a tournament where the
// arguments are folders. That of a tournament is made.
func matchFiles(out string, args []string) ([]mergedFile, error) {
	if info, err := os.Stat(args[0]); err != nil || !info.IsDir() {
		return []mergedFile{{out, args}}, err
	}
	var list []mergedFile
	entries, err := os.ReadDir(args[0])
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || filepath.Ext(e.Name()) != ".jsonl" {
			continue
		}
		f := mergedFile{out: filepath.Join(out, e.Name())}
		for _, dir := range args {
			f.from = append(f.from, filepath.Join(dir, e.Name()))
		}
		list = append(list, f)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no files of matches: want folders of plyfit tournament --slice", args[0])
	}
	return list, os.MkdirAll(out, 0o777)
}
