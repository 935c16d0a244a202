package cluster_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"plyfit/cluster"
	"plyfit/cluster/hub"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// TestGarbage publishes at least a thousand random and almost correct messages on the hub's
// subjects. It checks that a job still gets its correct results, if necessary after being resumed.
func TestGarbage(t *testing.T) {
	h := startHub(t, hub.Options{})
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go h.Run(ctx)
	log := &lines{}
	link := dial(t, h.URL(), log)
	startWorker(t, h.URL(), &cluster.Worker{Kinds: trials(nil), Workers: 2})
	rest := trial{Bytes: 100, Sleep: 10 * time.Millisecond, Fails: -1, Panics: -1}
	r, s := trialRun(7, rest, 200)
	ended := make(chan error, 1)
	go func() { ended <- (&cluster.Coordinator{Link: link}).Run(context.Background(), r) }()
	nc := rawConnection(t, h)
	n := 4000
	if testing.Short() {
		n = 1000
	}
	g := &garbage{rand.New(rand.NewPCG(1, 2)), r.Job.Name()}
	for range n {
		vectors.Check(nc.PublishMsg(g.message()))
	}
	vectors.Check(nc.Flush())
	for range 3 { // read the status during the job
		if _, err := cluster.ReadStatus(context.Background(), link); err != nil {
			t.Error(err)
		}
	}
	// Rejected or differing results end the job. Running the same command again resumes it.
	refused := func(why string) bool {
		return strings.Contains(why, "invalid results") || strings.Contains(why, "has two different results")
	}
	err := <-ended
	for again := 0; err != nil && again < 20; again++ {
		if !refused(err.Error()) || strings.ContainsAny(err.Error(), "\n\x1b\x00") {
			t.Fatalf("the job ends with %q", err)
		}
		err = (&cluster.Coordinator{Link: link}).Run(context.Background(), r)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.check(t, r.Job, rest, 200)
	if strings.ContainsAny(log.String(), "\x1b\x00") {
		t.Error("control codes in the log")
	}
}

// garbage generates messages.
type garbage struct {
	r   *rand.Rand
	job string
}

func (g *garbage) one(texts ...string) string { return texts[g.r.IntN(len(texts))] }

func (g *garbage) message() *nats.Msg {
	job := g.one(g.job, work.Digest([]byte("another")), "x", "", "é\u0085", strings.Repeat("a", 64), g.job[:63])
	unit := g.one("3", "-1", "999999", "18446744073709551616", "x", "03", "1e3", "")
	subject := g.one(
		"plyfit.done."+job+"."+unit, "plyfit.work.0123456789abcdef."+job+"."+unit, "plyfit.work."+job,
		"plyfit.dead."+job+".999999", "plyfit.dead.x."+unit, "plyfit.stop."+g.one("x", job[:len(job)/2], "é"), "plyfit.sign."+job,
		"$KV.plyfit-signs.job."+job, "$KV.plyfit-signs.worker."+unit, "$KV.plyfit-jobs."+g.one("x", work.Digest([]byte("another"))),
		"$O.plyfit-results.M."+unit, "$O.plyfit-results.C."+unit, "plyfit."+job, "plyfit.done", "plyfit.status."+job,
	)
	m := nats.NewMsg(strings.Trim(strings.ReplaceAll(subject, "..", "._."), "."))
	for _, name := range []string{"Plyfit-Tries", "Plyfit-Object", "Plyfit-Host", "Plyfit-Sha256", "Plyfit-Besides", "Nats-Rollup", "KV-Operation"} {
		if g.r.IntN(3) == 0 {
			m.Header.Set(name, g.one("", "3", "-9999999999", g.job+".3.x", "sub", "all", "DEL", "\x1b[2J", work.Digest(nil), "a/1"))
		}
	}
	switch g.r.IntN(4) {
	case 0:
		m.Data = make([]byte, g.r.IntN(300))
		for i := range m.Data {
			m.Data[i] = byte(g.r.Uint32())
		}
	case 1:
		m.Data = []byte(g.one("", "null", "[]", "{}", `{"job":1}`, `{"job":"x"}`, fmt.Sprintf(`{"job":%q,"units":-1}`, g.job), `{"name":"\u001b"}`, "\x1b[2J"))
	case 2:
		m.Data = []byte(fmt.Sprintf(`{"job":%q,"kind":"trial","units":%d,"seconds":%s}`, job, g.r.Int64(), g.one("1e308", "-1", "0")))
	case 3:
		m.Data = append(healthy.unit(7, g.r.IntN(8)), make([]byte, g.r.IntN(3))...)
	}
	return m
}
