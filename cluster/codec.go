package cluster

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"

	"plyfit/internal/text"
	"plyfit/work"
)

// All messages are read here. A hub has clients of other
// builds and, if its credential is stolen, of strangers: what is not as we write it is
// skipped, and text is made printable before a terminal or a log sees it.

const (
	// mostSign is how many bytes a sign of life may have; ours have some 300.
	mostSign = 8 << 10
	// mostUnit is above the number of any unit.
	mostUnit = 1 << 40
)

// isJob reports whether text has the form of a job's name: a SHA-256 in hexadecimal digits.
func isJob(name string) bool {
	return len(name) == 64 && strings.Trim(name, "0123456789abcdef") == ""
}

// Short is the beginning of a job's name, for display.
func Short(job string) string { return job[:min(12, len(job))] }

// readJobSign reads the heartbeat of a job; ok is false if it is invalid.
func readJobSign(job string, data []byte) (s JobSign, ok bool) {
	if !isJob(job) || len(data) > mostSign || json.Unmarshal(data, &s) != nil || s.Job != job {
		return JobSign{}, false
	}
	s.Kind, s.World, s.Host = text.Printable(s.Kind), text.Printable(s.World), text.Printable(s.Host)
	s.Build = readableBuild(s.Build)
	return s, counts(s.Units, s.Done, s.Dead) && lasts(s.Seconds)
}

// readWorkerSign reads the heartbeat at a key; ok is false if it is invalid.
func readWorkerSign(key string, data []byte) (s WorkerSign, ok bool) {
	if len(data) > mostSign || json.Unmarshal(data, &s) != nil || key != workerKey(s.Name) {
		return WorkerSign{}, false
	}
	s.Name, s.Build = text.Printable(s.Name), readableBuild(s.Build)
	return s, counts(s.Workers, s.Busy, s.Done, s.Failed) && lasts(s.Seconds)
}

// workerKey is the end of a worker's heartbeat key.
func workerKey(name string) string { return work.Digest([]byte(name))[:16] }

func readableBuild(b work.Build) work.Build {
	return work.Build{Program: text.Printable(b.Program), Arithmetic: text.Printable(b.Arithmetic)}
}

// counts reports whether all numbers can be unit numbers.
func counts(numbers ...int) bool {
	return !slices.ContainsFunc(numbers, func(n int) bool { return n < 0 || n > mostUnit })
}

// lasts reports whether seconds is a plausible duration: up to a century.
func lasts(seconds float64) bool {
	return seconds >= 0 && seconds < 100*365.25*24*3600 && !math.IsNaN(seconds)
}

// unitOf reads the subject's end: JOB.UNIT.
func unitOf(subject string) (job string, unit int, ok bool) {
	tokens := strings.Split(subject, ".")
	n := len(tokens)
	if n < 4 || n > 5 || tokens[0] != "plyfit" || !isJob(tokens[n-2]) {
		return "", 0, false
	}
	unit, err := strconv.Atoi(tokens[n-1])
	if err != nil || !counts(unit) || strconv.Itoa(unit) != tokens[n-1] {
		return "", 0, false
	}
	return tokens[n-2], unit, true
}

// readCount reads a header with a number of times.
func readCount(text string, most int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0
	}
	return min(n, most)
}
