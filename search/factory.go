package search

// Factory makes agents that all play alike, one for each goroutine: what matches,
// self-play and experiments are given in place of one agent.
type Factory struct {
	Name string // as results and messages call it
	// Identity distinguishes it from others of the same name in files: an agent's spec with the
	// digests of its models. Equal identities play alike. "": Name.
	Identity string
	// New makes one more. An agent that is also an io.Closer is closed by whatever code
	// made it when it is needed no more.
	New func() (Agent, error)
	// Unrepeatable says that a limit by time, racing threads or a program of others
	// make the answers differ from run to run: such agents make no data sets.
	Unrepeatable bool
	// Files are what another process needs to make such agents by their Identity: models and the
	// like, by digest. nil: only this process can make them.
	Files func() (map[string][]byte, error)
}

// ID is Identity, or Name where there is none.
func (f Factory) ID() string {
	if f.Identity != "" {
		return f.Identity
	}
	return f.Name
}
