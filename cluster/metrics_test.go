package cluster_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"plyfit/cluster"
	"plyfit/cluster/hub"
)

// sample is a line of the text format that Prometheus reads.
var sample = regexp.MustCompile(`^([a-z_]+)(\{([a-z]+="[^"\\]*"(,[a-z]+="[^"\\]*")*)\})? (\S+)$`)

// metrics reads what a hub serves, by name and labels. Each name is to be told of before.
func metrics(t *testing.T, h *hub.Hub) map[string]string {
	t.Helper()
	answer := httptest.NewRecorder()
	h.Metrics().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if kind := answer.Header().Get("Content-Type"); answer.Code != http.StatusOK || !strings.HasPrefix(kind, "text/plain; version=0.0.4") {
		t.Fatalf("status %d, %s", answer.Code, kind)
	}
	values := map[string]string{}
	typed := map[string]bool{}
	for line := range strings.Lines(answer.Body.String()) {
		line = strings.TrimSuffix(line, "\n")
		if rest, ok := strings.CutPrefix(line, "# TYPE "); ok {
			name, _, _ := strings.Cut(rest, " ")
			typed[name] = true
			continue
		}
		if strings.HasPrefix(line, "# HELP ") {
			continue
		}
		m := sample.FindStringSubmatch(line)
		if m == nil || !typed[m[1]] {
			t.Errorf("%q: want NAME{LABELS} VALUE after its type", line)
			continue
		}
		values[m[1]+m[2]] = m[5]
	}
	return values
}

// TestMetrics: /metrics tells of a job under way, its worker and its queue, and no more of
// the job once it has ended.
func TestMetrics(t *testing.T) {
	h := startHub(t, hub.Options{})
	begun := make(chan int, 10)
	startWorker(t, h.URL(), &cluster.Worker{Workers: 2, Kinds: trials(func(unit int) { begun <- unit })})
	r, _ := trialRun(1, trial{Bytes: 10, Sleep: time.Hour, Fails: -1, Panics: -1}, 7)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- (&cluster.Coordinator{Link: dial(t, h.URL(), &lines{})}).Run(ctx, r) }()
	<-begun
	<-begun
	job := `{job="` + r.Job.Name()[:12] + `",kind="trial",world=""}`
	want := map[string]string{
		"plyfit_hub_units_queued": "7", "plyfit_hub_results_waiting": "0", "plyfit_hub_units_dead": "0", "plyfit_hub_workers": "1",
		"plyfit_job_units" + job: "7", "plyfit_job_units_done" + job: "0",
	}
	var got map[string]string
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		// The first signs of life take a while.
		if got = metrics(t, h); got["plyfit_job_units"+job] != "" && got["plyfit_hub_workers"] != "0" {
			break
		}
	}
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
	underWay := ""
	for name, value := range got {
		if strings.HasPrefix(name, "plyfit_build_units_under_way{") {
			underWay = value
		}
	}
	if underWay != "2" {
		t.Errorf("%q units under way, want 2", underWay)
	}
	stop()
	<-ended
	got = metrics(t, h)
	if got["plyfit_job_units"+job] != "" || got["plyfit_hub_units_queued"] != "0" {
		t.Errorf("after the end of the job: %v", got)
	}
}
