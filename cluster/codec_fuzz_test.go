package cluster

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"plyfit/internal/text"
	"plyfit/internal/vectors"
	"plyfit/work"
)

// shown fails unless a text can be shown on a terminal, on a line.
func shown(t *testing.T, texts ...string) {
	t.Helper()
	for _, s := range texts {
		if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q: want what can be printed", s)
		}
		if n := utf8.RuneCountInString(s); n > 10*text.Most+3 {
			t.Errorf("%d characters, want fewer", n)
		}
	}
}

// FuzzSubject: a subject that is read is one that we write.
func FuzzSubject(f *testing.F) {
	job := work.Digest(nil)
	for _, s := range []string{doneSubject(job, 3), deadSubject(job, 0), workSubject("0123456789abcdef", job, 12), "plyfit.done." + job + ".03", "plyfit.done." + job[1:] + ".3", "....", stopSubject(job)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, subject string) {
		job, unit, ok := unitOf(subject)
		if !ok {
			return
		}
		class := strings.Split(subject, ".")[2]
		if s := strings.Split(subject, ".")[1]; subject != "plyfit."+s+"."+job+"."+strings.TrimPrefix(doneSubject("", unit), "plyfit.done..") && subject != "plyfit."+s+"."+class+"."+job+"."+strings.TrimPrefix(doneSubject("", unit), "plyfit.done..") {
			t.Errorf("%q is read as unit %d of %s", subject, unit, job)
		}
		_ = Short(job)
	})
}

// FuzzSigns: signs of life that are read are of the job or worker that their key names,
// can be printed and summed up.
func FuzzSigns(f *testing.F) {
	job := work.Digest(nil)
	for _, s := range []any{
		JobSign{Job: job, Kind: "match", World: "chess", Units: 7, Done: 3, Seconds: 1.5}, WorkerSign{Name: "host/1", Workers: 8, Seconds: 3},
		JobSign{Job: "x", Kind: "match", Units: 1}, WorkerSign{Name: "a\x1b[2J", Done: -1},
	} {
		text := vectors.Must(json.Marshal(s))
		f.Add(job, text)
		f.Add(workerKey("host/1"), text)
		f.Add("x", text)
	}
	f.Fuzz(func(t *testing.T, key string, text []byte) {
		if s, ok := readJobSign(key, text); ok {
			shown(t, s.Kind, s.World, s.Host, s.Build.Program, s.Build.Arithmetic, s.Job)
			if s.Job != key || !isJob(key) || s.Units < 0 || s.Done < 0 || !(s.Seconds >= 0) {
				t.Errorf("%q: %+v", key, s)
			}
		}
		if s, ok := readWorkerSign(key, text); ok {
			shown(t, s.Name, s.Build.Program, s.Build.Arithmetic)
			if s.Busy < 0 || s.Done < 0 || !(s.Seconds >= 0) {
				t.Errorf("%q: %+v", key, s)
			}
		}
	})
}

// FuzzText: dead letters, names and headers can be printed, whatever they hold; what can
// be read stays as it is.
func FuzzText(f *testing.F) {
	for _, s := range []string{"no luck (on host/1)", "\x1b]0;title\x07", "\xff\xfe", "\u202e\u0085\ufffd", strings.Repeat("é", 400), "-1", "99999999999999999999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, words string) {
		got := text.Printable(words)
		shown(t, got)
		if plain := !strings.ContainsFunc(words, func(r rune) bool { return r < ' ' || r > '~' }); plain && len(words) <= text.Most && got != words {
			t.Errorf("%q becomes %q", words, got)
		}
		if n := readCount(words, mostTries); n < 0 || n > mostTries {
			t.Errorf("%q are %d tries", words, n)
		}
	})
}

// FuzzPosting: a job that is read has a name, and says of any unit whether it has it.
func FuzzPosting(f *testing.F) {
	job := &work.Job{Kind: "match", World: "chess", Seed: 7, To: 100, UnitSize: 8, Rest: map[string]int{"a": 1}}
	whole := vectors.Must(json.Marshal(posting{Job: job.Canonical(), Host: "host"}))
	for _, s := range []string{string(whole), `{"job":{}}`, `{"job":null}`, `{"job":{"kind":"x","to":-1,"unit_size":-3}}`, `{`} {
		f.Add([]byte(s), 5)
	}
	f.Fuzz(func(t *testing.T, data []byte, unit int) {
		p, job, _, err := readPosting(data)
		if err != nil {
			return
		}
		shown(t, text.Printable(p.Host))
		if job == nil {
			t.Fatal("no job and no error")
		}
		if job.Lacks(unit) == nil && (unit < 0 || unit >= job.To) {
			t.Errorf("%s has unit %d", data, unit)
		}
	})
}
