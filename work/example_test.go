package work_test

import (
	"context"
	"fmt"
	"strings"

	"plyfit/work"
)

// Each unit consists of three words of a file, and each word is a part. Another process could
// reconstruct the units from the job's JSON and the file, which the job refers to by its digest.
func ExampleKinds_Open() {
	shout := work.Kind{Name: "shout", Open: func(job *work.Job, files work.Files, workers int) (work.Units, error) {
		text, err := files.Read(job.Files["words"])
		if err != nil {
			return nil, err
		}
		words := strings.Fields(string(text))
		return work.NewUnits(work.Task[struct{}, string]{
			Parts: func(int) int { return job.UnitSize },
			Do: func(_ context.Context, _ struct{}, unit, part int) (string, error) {
				return strings.ToUpper(words[job.UnitSize*unit+part]), nil
			},
			Join: func(_ int, parts []string) ([]byte, error) { return []byte(strings.Join(parts, " ")), nil },
		}, make([]struct{}, workers), nil), nil
	}}

	files := work.Memory{}
	here := work.Job{Kind: "shout", To: 6, UnitSize: 3, Files: map[string]string{"words": files.Add([]byte("a unit depends on nothing else"))}}

	job, build, err := work.ParseJob(here.Canonical())
	if err != nil || build != work.ThisBuild() {
		panic("not ours to do")
	}
	units, err := work.Kinds{shout}.Open(job, files, 2)
	if err != nil {
		panic(err)
	}
	defer units.Close()
	result, err := units.Unit(context.Background(), 1)
	fmt.Println(string(result), err)
	// Output: ON NOTHING ELSE <nil>
}
