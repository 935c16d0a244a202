package work_test

import (
	"context"
	"fmt"
	"strings"

	"plyfit/work"
)

// A unit is three words, each a part; two workers shout them.
func ExampleCrew_Unit() {
	words := []string{"a", "unit", "depends", "on", "nothing", "else"}
	crew := work.Crew[struct{}, string]{Workers: make([]struct{}, 2), Task: work.Task[struct{}, string]{
		Parts: func(int) int { return 3 },
		Do: func(_ context.Context, _ struct{}, unit, part int) (string, error) {
			return strings.ToUpper(words[3*unit+part]), nil
		},
		Join: func(_ int, parts []string) ([]byte, error) { return []byte(strings.Join(parts, " ")), nil },
	}}
	result, err := crew.Unit(context.Background(), 1)
	fmt.Println(string(result), err)
	// Output: ON NOTHING ELSE <nil>
}

// Four machines share a job of ten units.
func ExampleParseSlice() {
	for k := 1; k <= 4; k++ {
		s, err := work.ParseSlice(fmt.Sprintf("%d/4", k))
		if err != nil {
			panic(err)
		}
		fmt.Println(s.Range(10))
	}
	// Output:
	// 0 2
	// 2 5
	// 5 7
	// 7 10
}
