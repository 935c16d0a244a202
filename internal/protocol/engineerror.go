package protocol

// Kinds of faults that a match counts.
const (
	Time       = "time"       // no answer in time
	Unreadable = "unreadable" // it printed something that is not an answer
	Crash      = "crash"      // it ended, or could not be started
	Illegal    = "illegal"    // a move that is none
)

// EngineError is an engine's fault. It costs the game at hand; a match reads its kind by the method
// Fault.
type EngineError struct {
	Kind   string // Time, Unreadable, Crash or Illegal
	Engine string
	What   string
	// Starting tells that it read nothing since it was launched.
	Starting bool
}

func (f *EngineError) Error() string { return f.Engine + ": " + f.What }

// Fault is the fault's kind.
func (f *EngineError) Fault() string { return f.Kind }

// Wrong reports a move that is illegal or unreadable.
func (e *Engine) Wrong(move, position string) error {
	return &EngineError{Kind: Illegal, Engine: e.name, What: "answers " + quote(move) + " at " + position}
}

// Odd reports an answer that the protocol does not have.
func (e *Engine) Odd(answer, want string) error {
	return &EngineError{Kind: Unreadable, Engine: e.name, What: "says " + quote(answer) + ", want " + want}
}

// Late reports that an answer did not come in time.
func (e *Engine) Late(what string) error {
	return &EngineError{Kind: Time, Engine: e.name, What: "no " + what + " in time"}
}
