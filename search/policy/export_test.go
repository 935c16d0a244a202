package policy

// Simulated is the policy i of the mixture, that of an agent.
func (m *Mix) Simulated(i int) *Simulated { return m.policies[i].(*Simulated) }
