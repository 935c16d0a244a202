package policy

// Simulated returns policy i of the mixture, which must be the policy of an agent.
func (m *Mix) Simulated(i int) *Simulated { return m.policies[i].(*Simulated) }
