package policy

// Searches is how many decisions were searched for.
func (p *Simulated) Searches() int64 { return p.searches }

// Simulated is the policy i of the mixture, that of an agent.
func (m *Mix) Simulated(i int) *Simulated { return m.policies[i].(*Simulated) }
