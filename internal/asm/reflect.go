package asm

// ReflectRows is the height of the columns that reflections are applied to, a
// multiple of four: 33 columns of it fit the first-level cache.
const ReflectRows = 96

// Reflect applies the Householder reflection I - tau (1,v)(1,v)' to the columns
// (r[j], block j), four at a time where the machine has a kernel for it. v has
// [ReflectRows] numbers, block as many for each number of r.
func Reflect(v, block, r []float64, tau float64) {
	for len(r) >= 4 {
		reflect4(v, block, r, tau)
		block, r = block[4*ReflectRows:], r[4:]
	}
	for j := range r {
		reflectOne(v, block[j*ReflectRows:(j+1)*ReflectRows], &r[j], tau)
	}
}

func reflect4(v, block, r []float64, tau float64) {
	if !AVX2 {
		reflect4Go(v, block, r, tau)
		return
	}
	_, _, _ = v[ReflectRows-1], block[4*ReflectRows-1], r[3]
	reflect4AVX2(&v[0], &block[0], &r[0], tau)
}

func reflect4Go(v, block, r []float64, tau float64) {
	for j := range 4 {
		reflectOne(v, block[j*ReflectRows:(j+1)*ReflectRows], &r[j], tau)
	}
}

// reflectOne sums in four lanes, as the vector kernel does, so that both agree
// to the last bit.
func reflectOne(v, c []float64, r *float64, tau float64) {
	v, c = v[:ReflectRows], c[:ReflectRows]
	var s0, s1, s2, s3 float64
	for i := 0; i < ReflectRows; i += 4 {
		s0 += float64(v[i] * c[i])
		s1 += float64(v[i+1] * c[i+1])
		s2 += float64(v[i+2] * c[i+2])
		s3 += float64(v[i+3] * c[i+3])
	}
	s := float64(tau * (*r + ((s0 + s2) + (s1 + s3))))
	*r -= s
	for i, x := range v {
		c[i] -= float64(s * x)
	}
}
