package serve

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"regexp"
	"strings"

	"plyfit/arena"
	"plyfit/internal/regular"
	"plyfit/stats"
)

// This file says what a run is and what came of it, for lists of runs.

// contest is what match.json of a learning run says of one of its matches.
type contest struct {
	Game    string       `json:"game"`
	Planner string       `json:"planner"`
	A       string       `json:"a"`
	B       string       `json:"b"`
	Result  arena.Result `json:"result"`
}

// what is the contest in words; those of planners have no planner of both.
func (c *contest) what() string {
	named := func(name string) string {
		if name == "handwritten" {
			return "hand-written"
		}
		return spoken(name)
	}
	text := named(c.A) + " against " + named(c.B)
	if c.Planner != "" {
		text += ", both under " + spoken(c.Planner)
	}
	return text
}

// contestsOf are the matches of a learning run, none before they were all played.
func contestsOf(root *os.Root, run string) []contest {
	var all struct {
		Contests []contest `json:"contests"`
	}
	data, err := regular.ReadIn(root, path.Join(run, matchName), longestPlan)
	if err != nil || json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all.Contests
}

// plain says what the parts of a learning run are, by their names in its folder; $1 is a
// number.
var plain = []struct {
	name *regexp.Regexp
	what string
}{
	{regexp.MustCompile(`^data$`), "games of self-play"},
	{regexp.MustCompile(`^round-(\d+)/data$`), "games of round $1"},
	{regexp.MustCompile(`^stage-(\d+)$`), "learning curve of stage $1"},
	{regexp.MustCompile(`^stage-(\d+)-(\d+)$`), "learning curve of stage $1, seed $2"},
	{regexp.MustCompile(`^matches/contest-0*(\d+)\.jsonl$`), "contest $1"},
	{regexp.MustCompile(`^matches/round-(\d+)\.jsonl$`), "strength after round $1"},
	{regexp.MustCompile(`^matches/accept-(\d+)\.jsonl$`), "round $1 against the best before"},
	{regexp.MustCompile(`^matches/accept-mean\.jsonl$`), "the mean of the last rounds against the last"},
	{regexp.MustCompile(`^matches/stage-(\d+)-guard\.jsonl$`), "stage $1 against itself halfway"},
	{regexp.MustCompile(`^matches/game\.jsonl$`), "the game in the report"},
}

// inside says what a part of a learning run is, by its name there.
func inside(name string, contests []contest) string {
	for _, p := range plain {
		m := p.name.FindStringSubmatch(name)
		if m == nil {
			continue
		}
		text := p.name.ReplaceAllString(name, p.what)
		var number int
		if strings.HasPrefix(p.what, "contest") {
			fmt.Sscan(m[1], &number)
		}
		if number > 0 && number <= len(contests) {
			text += " of " + fmt.Sprint(len(contests)) + ": " + contests[number-1].what()
		}
		return text
	}
	return name
}

// tell says what a run is, and what came of it as far as its small files tell.
func (v *runView) tell(root *os.Root, name string) {
	switch v.Kind {
	case matchKind:
		v.What = "match"
		if h, err := headerOf(root, name); err == nil {
			v.What = "match: " + against(h.A, h.B)
		}
	case learnKind:
		v.What = "learning"
		if len(v.points) == 0 && len(v.losses) == 0 && v.Game == "" {
			v.What = "report"
		}
		if all := contestsOf(root, name); len(all) > 0 {
			v.Result = all[0].what() + ": " + share(&all[0].Result)
		}
	case trainKind:
		v.What = "learning curve"
		if n := len(v.points); n > 0 && v.points[n-1].Strength.Known {
			p := &v.points[n-1]
			v.Result = cmp.Or(p.Of, "strength") + " " + estimate(p.Strength)
		}
	case gamesKind:
		v.What = "games of self-play"
	case studyKind:
		v.What = "study"
		if text := lead(root, path.Join(name, "report.md")); text != "" {
			v.Result = text
		}
	}
}

// share is the result of a match in a few words.
func share(r *arena.Result) string {
	if r.Measure == arena.Wins {
		return r.Score.Percent() + " of the points"
	}
	return fmt.Sprintf("%v more a game", r.Score)
}

// estimate is a figure with its interval.
func estimate(e stats.Estimate) string {
	if !e.Bounded {
		return number(e.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", number(e.Value), number(e.Low), number(e.High))
}

// lead is the title of a report in Markdown, a study's question; "" where it has none.
func lead(root *os.Root, name string) string {
	f, err := regular.OpenIn(root, name)
	if err != nil {
		return ""
	}
	defer f.Close()
	line, _ := bufio.NewReader(f).ReadString('\n')
	return strings.TrimSpace(strings.TrimPrefix(line, "# "))
}
