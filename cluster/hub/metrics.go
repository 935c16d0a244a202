package hub

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"time"

	"plyfit/cluster"
)

// Metrics serves the hub's figures at /metrics, in the text format that Prometheus reads
// (version 0.0.4).
func (h *Hub) Metrics() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 5*time.Second)
		defer cancel()
		status, err := cluster.ReadStatus(ctx, h.Link)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		h.write(w, status)
	})
	return mux
}

// family is one metric with its samples.
type family struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	labels string // such as job="a",kind="b"; "" for none
	value  float64
}

func single(name, kind, help string, value float64) family {
	return family{name, kind, help, []sample{{"", value}}}
}

// write writes all figures.
func (h *Hub) write(w io.Writer, s cluster.Status) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	families := []family{
		single("plyfit_hub_units_queued", "gauge", "Units not finished, those under way included.", float64(s.Queued)),
		single("plyfit_hub_results_waiting", "gauge", "Results that their coordinators have yet to keep.", float64(s.Results)),
		single("plyfit_hub_units_dead", "gauge", "Units that were given up.", float64(s.Dead)),
		single("plyfit_hub_workers", "gauge", "Processes that have given a sign of life.", float64(len(s.Workers))),
		single("plyfit_hub_connections", "gauge", "Connections to the hub, its own included.", float64(h.server.NumClients())),
		single("plyfit_hub_memory_bytes", "gauge", "Memory taken from the system by the hub's process.", float64(memory.Sys)),
	}
	stored := family{name: "plyfit_hub_stored_bytes", kind: "gauge", help: "Size of each stream and bucket."}
	for _, name := range slices.Sorted(maps.Keys(s.Stored)) {
		stored.samples = append(stored.samples, sample{label("stream", name), float64(s.Stored[name])})
	}
	underWay := family{name: "plyfit_build_units_under_way", kind: "gauge", help: "Units that workers of a build have."}
	redelivered := family{name: "plyfit_build_units_redelivered", kind: "gauge", help: "Of them, those that were begun before."}
	for _, b := range s.Builds {
		underWay.samples = append(underWay.samples, sample{label("class", b.Class), float64(b.UnderWay)})
		redelivered.samples = append(redelivered.samples, sample{label("class", b.Class), float64(b.Redelivered)})
	}
	families = append(append(families, stored, underWay, redelivered), jobFamilies(s)...)
	for _, f := range append(families, workerFamilies(s)...) {
		if len(f.samples) == 0 {
			continue
		}
		fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
		for _, x := range f.samples {
			labels := ""
			if x.labels != "" {
				labels = "{" + x.labels + "}"
			}
			fmt.Fprintf(w, "%s%s %s\n", f.name, labels, strconv.FormatFloat(x.value, 'g', -1, 64))
		}
	}
}

func jobFamilies(s cluster.Status) []family {
	units := family{name: "plyfit_job_units", kind: "gauge", help: "Units of a job's run."}
	done := family{name: "plyfit_job_units_done", kind: "gauge", help: "Of them, those that are there."}
	dead := family{name: "plyfit_job_units_dead", kind: "gauge", help: "Of them, those that were given up."}
	for _, j := range s.Jobs {
		l := label("job", cluster.Short(j.Job)) + "," + label("kind", j.Kind) + "," + label("world", j.World)
		units.samples = append(units.samples, sample{l, float64(j.Units)})
		done.samples = append(done.samples, sample{l, float64(j.Done)})
		dead.samples = append(dead.samples, sample{l, float64(j.Dead)})
	}
	return []family{units, done, dead}
}

func workerFamilies(s cluster.Status) []family {
	done := family{name: "plyfit_worker_units_done_total", kind: "counter", help: "Units that a worker has finished."}
	failed := family{name: "plyfit_worker_units_failed_total", kind: "counter", help: "Tries that ended with an error."}
	busy := family{name: "plyfit_worker_units_under_way", kind: "gauge", help: "Units that a worker is at."}
	for _, w := range s.Workers {
		l := label("worker", w.Name) + "," + label("program", w.Build.Program)
		done.samples = append(done.samples, sample{l, float64(w.Done)})
		failed.samples = append(failed.samples, sample{l, float64(w.Failed)})
		busy.samples = append(busy.samples, sample{l, float64(w.Busy)})
	}
	return []family{done, failed, busy}
}

// label is a label in the text format, whose quotes are Go's but for letters beyond
// ASCII, which stay.
func label(name, value string) string {
	quoted := []rune{}
	for _, r := range value {
		switch r {
		case '\\', '"':
			quoted = append(quoted, '\\', r)
		case '\n':
			quoted = append(quoted, '\\', 'n')
		default:
			quoted = append(quoted, r)
		}
	}
	return name + `="` + string(quoted) + `"`
}
