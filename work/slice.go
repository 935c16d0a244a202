package work

import (
	"fmt"
	"strconv"
	"strings"
)

// Slice is one of several shares of a job, done apart and merged afterwards. The
// zero value is all of it.
type Slice struct {
	Part int // from 1
	Of   int // 0: the job is not sliced
}

// ParseSlice reads "K/N", the Kth of N slices; "" is all.
func ParseSlice(text string) (s Slice, err error) {
	if text == "" {
		return s, nil
	}
	part, of, ok := strings.Cut(text, "/")
	s.Part, err = strconv.Atoi(part)
	if err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if !ok || err != nil || s.Part < 1 || s.Part > s.Of || s.String() != text {
		return Slice{}, fmt.Errorf("slice %s: want K/N, the Kth of N slices, such as 1/4 to 4/4", text)
	}
	return s, nil
}

// Whole reports whether it is all of the job.
func (s Slice) Whole() bool { return s.Of == 0 }

// Range is the slice's share of n units or other things, [from, to). Shares
// differ by at most one; the slices cover all.
func (s Slice) Range(n int) (from, to int) {
	if s.Whole() {
		return 0, n
	}
	at := func(k int) int { return n/s.Of*k + n%s.Of*k/s.Of }
	return at(s.Part - 1), at(s.Part)
}

// String is what [ParseSlice] reads.
func (s Slice) String() string {
	if s.Whole() {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Part, s.Of)
}

// MarshalText is [Slice.String].
func (s Slice) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText is [ParseSlice].
func (s *Slice) UnmarshalText(text []byte) (err error) {
	*s, err = ParseSlice(string(text))
	return err
}
