package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"plyfit/catalog"
	"plyfit/internal/vectors"
)

var pick = regexp.MustCompile(`data-planner="(\w+)">(\d+)<`)

// picks are the branches that the planners of a fragment choose.
func picks(body string) map[string]string {
	out := map[string]string{}
	for _, m := range pick.FindAllStringSubmatch(body, -1) {
		out[m[1]] = m[2]
	}
	return out
}

// The lesson's steps are each a page that leads to the next, with the textbook's
// values.
func TestTourSteps(t *testing.T) {
	v := visit(t, Config{})
	for step, want := range map[int]string{
		1: "<strong>minimax</strong>: value 3, branch", 2: "≤2", 3: "value 54.5, branch", 4: "-451.5", 5: "bias", 6: "depth, from 1 to 5", 7: "power 1", 8: "shift", 9: "thrashing", 10: "four cells", 11: "/lesson/learn",
	} {
		body := v.want(fmt.Sprintf("/lesson/%d", step), nil)
		if !strings.Contains(body, want) {
			t.Errorf("step %d: no %q", step, want)
		}
		if next := fmt.Sprintf(`rel="next" href="/lesson/%d"`, step+1); strings.Contains(body, next) != (step < len(tourSteps)) {
			t.Errorf("step %d: leads to %d: %v", step, step+1, step < len(tourSteps))
		}
	}
	// Alpha-beta leaves two of the nine leaves of the textbook's tree out: 4 + 9 - 2 nodes.
	if body := v.want("/lesson/2", nil); !strings.Contains(body, "11 nodes") || strings.Count(body, `stroke-dasharray="5 5"`) != 2 {
		t.Errorf("alpha-beta: %d branches cut", strings.Count(body, `stroke-dasharray="5 5"`))
	}
	if code, _, _ := v.ask("/lesson/12", nil); code != 404 {
		t.Errorf("step 12: %d", code)
	}
}

// TestLessonLearns checks the last step: the model plays and is compared only after it was learned, and the
// server leaves no files behind.
func TestLessonLearns(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	s := vectors.Must(New(Config{Catalog: catalog.All()}))
	l := vectors.Must(net.Listen("tcp", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Run(ctx, l) }()
	v := newVisitor(t, "http://"+l.Addr().String(), &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }})
	against := url.Values{"game": {lessonGame}, "others": {lessonAgent}}
	const weights = "/model?game=" + lessonGame + "&name=learned&beside=handwritten"
	for path, form := range map[string]url.Values{"/tables": against, weights: nil} {
		if code, body, _ := v.ask(path, form); code < 400 || !strings.Contains(body, "learned") {
			t.Errorf("before it was learned, %s: %d %s", path, code, body)
		}
	}
	if body := v.want("/lesson/learn", url.Values{}); !strings.Contains(body, "learned against hand-written") { // its figures: docs.TestPageLecture
		t.Errorf("what was learned:\n%s", body)
	}
	if at := v.open(against); !strings.Contains(v.want(at+"/why", nil), ">learned</th>") {
		t.Error("the learned evaluation is not compared with the hand-written one")
	}
	v.want(weights, nil)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if left := vectors.Must(os.ReadDir(dir)); len(left) > 0 {
		t.Errorf("files that are left: %v", left)
	}
}

// However the scale is bent, minimax chooses the same; expectimax does not. Scaling and
// shifting move neither.
func TestWarpMovesExpectimaxAlone(t *testing.T) {
	v := visit(t, Config{})
	seen := map[string]map[string]bool{"minimax": {}, "expectimax": {}}
	for _, by := range []string{"0.1", "0.5", "1", "1.5", "2", "4"} {
		got := picks(v.want("/lesson/warp?"+url.Values{"by": {by}}.Encode(), nil))
		for planner, branch := range got {
			seen[planner][branch] = true
		}
	}
	if len(seen["minimax"]) != 1 || len(seen["expectimax"]) != 2 {
		t.Errorf("branches chosen: %v, want one by minimax and two by expectimax", seen)
	}
	for _, move := range []string{"scale=0.1", "scale=10", "shift=-100", "shift=100"} {
		if got := picks(v.want("/lesson/warp?"+move, nil)); got["minimax"] != "2" || got["expectimax"] != "2" {
			t.Errorf("%s: %v, want 2 and 2", move, got)
		}
	}
	if code, body, _ := v.ask("/lesson/warp?by=1e9", nil); code != 400 || !strings.Contains(body, "want a number from") {
		t.Errorf("by=1e9: %d %s", code, body)
	}
}
