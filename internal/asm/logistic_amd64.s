#include "textflag.h"

DATA signs<>+0(SB)/8, $0x8000000000000000
DATA signs<>+8(SB)/8, $0x8000000000000000
DATA signs<>+16(SB)/8, $0x8000000000000000
DATA signs<>+24(SB)/8, $0x8000000000000000
GLOBL signs<>(SB), RODATA|NOPTR, $32
DATA most<>+0(SB)/8, $0x4085e00000000000
DATA most<>+8(SB)/8, $0x4085e00000000000
DATA most<>+16(SB)/8, $0x4085e00000000000
DATA most<>+24(SB)/8, $0x4085e00000000000
GLOBL most<>(SB), RODATA|NOPTR, $32
DATA perstep<>+0(SB)/8, $0x40571547652b82fe
DATA perstep<>+8(SB)/8, $0x40571547652b82fe
DATA perstep<>+16(SB)/8, $0x40571547652b82fe
DATA perstep<>+24(SB)/8, $0x40571547652b82fe
GLOBL perstep<>(SB), RODATA|NOPTR, $32
DATA half<>+0(SB)/8, $0x3fe0000000000000
DATA half<>+8(SB)/8, $0x3fe0000000000000
DATA half<>+16(SB)/8, $0x3fe0000000000000
DATA half<>+24(SB)/8, $0x3fe0000000000000
GLOBL half<>(SB), RODATA|NOPTR, $32
DATA one<>+0(SB)/8, $0x3ff0000000000000
DATA one<>+8(SB)/8, $0x3ff0000000000000
DATA one<>+16(SB)/8, $0x3ff0000000000000
DATA one<>+24(SB)/8, $0x3ff0000000000000
GLOBL one<>(SB), RODATA|NOPTR, $32
DATA high<>+0(SB)/8, $0x3f862e42fefa0000
DATA high<>+8(SB)/8, $0x3f862e42fefa0000
DATA high<>+16(SB)/8, $0x3f862e42fefa0000
DATA high<>+24(SB)/8, $0x3f862e42fefa0000
GLOBL high<>(SB), RODATA|NOPTR, $32
DATA low<>+0(SB)/8, $0x3d1cf79abc9e3b3a
DATA low<>+8(SB)/8, $0x3d1cf79abc9e3b3a
DATA low<>+16(SB)/8, $0x3d1cf79abc9e3b3a
DATA low<>+24(SB)/8, $0x3d1cf79abc9e3b3a
GLOBL low<>(SB), RODATA|NOPTR, $32
DATA c5<>+0(SB)/8, $0x3f81111111111111
DATA c5<>+8(SB)/8, $0x3f81111111111111
DATA c5<>+16(SB)/8, $0x3f81111111111111
DATA c5<>+24(SB)/8, $0x3f81111111111111
GLOBL c5<>(SB), RODATA|NOPTR, $32
DATA c4<>+0(SB)/8, $0x3fa5555555555555
DATA c4<>+8(SB)/8, $0x3fa5555555555555
DATA c4<>+16(SB)/8, $0x3fa5555555555555
DATA c4<>+24(SB)/8, $0x3fa5555555555555
GLOBL c4<>(SB), RODATA|NOPTR, $32
DATA c3<>+0(SB)/8, $0x3fc5555555555555
DATA c3<>+8(SB)/8, $0x3fc5555555555555
DATA c3<>+16(SB)/8, $0x3fc5555555555555
DATA c3<>+24(SB)/8, $0x3fc5555555555555
GLOBL c3<>(SB), RODATA|NOPTR, $32

// func logisticFoursAVX2(sum, product *[4]float64, scale float64, z, q *float64, roots *[64]float64, rows int) int
//
// Y15: sums, Y14: products, Y13: scale. Multiplied and added apart, not fused:
// the Go twin rounds twice as well.
TEXT ·logisticFoursAVX2(SB), NOSPLIT, $0-64
	MOVQ sum+0(FP), DI
	MOVQ product+8(FP), SI
	VBROADCASTSD scale+16(FP), Y13
	MOVQ z+24(FP), R8
	MOVQ q+32(FP), R9
	MOVQ roots+40(FP), R10
	MOVQ rows+48(FP), CX
	XORQ R11, R11
	VMOVUPD (DI), Y15
	VMOVUPD (SI), Y14
	VMOVUPD one<>(SB), Y12
	MOVL $63, AX
	VMOVD AX, X11
	VPBROADCASTD X11, X11
	MOVL $1023, AX
	VMOVD AX, X10
	VPBROADCASTD X10, X10
fours:
	VMULPD (R8)(R11*8), Y13, Y0      // sz
	VMOVUPD signs<>(SB), Y1
	VANDNPD Y0, Y1, Y1               // x = |sz|
	VCMPPD $1, most<>(SB), Y1, Y2    // x < 700
	VMOVMSKPD Y2, AX
	CMPL AX, $15
	JNE  done
	VMULPD perstep<>(SB), Y1, Y2
	VADDPD half<>(SB), Y2, Y2
	VCVTTPD2DQY Y2, X2               // k
	VCVTDQ2PD X2, Y3                 // n
	VMULPD high<>(SB), Y3, Y4
	VSUBPD Y1, Y4, Y4
	VMULPD low<>(SB), Y3, Y3
	VADDPD Y3, Y4, Y4                // r
	VMULPD c5<>(SB), Y4, Y5
	VADDPD c4<>(SB), Y5, Y5
	VMULPD Y5, Y4, Y5
	VADDPD c3<>(SB), Y5, Y5
	VMULPD Y5, Y4, Y5
	VADDPD half<>(SB), Y5, Y5
	VMULPD Y4, Y4, Y6
	VMULPD Y5, Y6, Y5
	VADDPD Y5, Y4, Y4                // p
	VPAND X11, X2, X5                // k&63
	VPCMPEQD Y7, Y7, Y7
	VGATHERDPD Y7, (R10)(X5*8), Y6
	VPSRAD $6, X2, X2
	VPSUBD X2, X10, X2
	VPMOVZXDQ X2, Y2
	VPSLLQ $52, Y2, Y2
	VMULPD Y2, Y6, Y6                // v
	VMULPD Y4, Y6, Y4
	VADDPD Y4, Y6, Y4                // e
	VADDPD Y4, Y12, Y5               // d = 1+e
	VDIVPD Y5, Y12, Y6               // 1/d
	VMULPD Y5, Y14, Y14
	VXORPD Y7, Y7, Y7
	VCMPPD $1, Y7, Y0, Y8            // sz < 0
	VMULPD Y4, Y6, Y4
	VBLENDVPD Y8, Y4, Y6, Y6         // p
	VMAXPD Y7, Y0, Y8
	VMOVUPD (R9)(R11*8), Y9
	VMULPD Y9, Y0, Y0
	VSUBPD Y0, Y8, Y8                // max(sz, 0) - q sz
	VADDPD Y8, Y15, Y15
	VSUBPD Y9, Y6, Y6
	VMULPD Y6, Y13, Y6
	VMOVUPD Y6, (R8)(R11*8)
	ADDQ $4, R11
	CMPQ R11, CX
	JLT  fours
done:
	VMOVUPD Y15, (DI)
	VMOVUPD Y14, (SI)
	VZEROUPPER
	MOVQ R11, ret+56(FP)
	RET
