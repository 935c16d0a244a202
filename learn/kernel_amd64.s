#include "textflag.h"

// func hasAVX2() bool
//
// CPUID leaf 1 ECX: bit 27 OSXSAVE, bit 28 AVX; XGETBV 0: bits 1 and 2, the
// system saves the wide registers; leaf 7 EBX bit 5: AVX2.
TEXT ·hasAVX2(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	XORL AX, AX
	CPUID
	CMPL AX, $7
	JLT  done
	MOVL $1, AX
	XORL CX, CX
	CPUID
	ANDL $(3<<27), CX
	CMPL CX, $(3<<27)
	JNE  done
	XORL CX, CX
	XGETBV
	ANDL $6, AX
	CMPL AX, $6
	JNE  done
	MOVL $7, AX
	XORL CX, CX
	CPUID
	ANDL $(1<<5), BX
	JZ   done
	MOVB $1, ret+0(FP)
done:
	RET

// func tileAVX(acc *[32]float64, a, b *float64, stride, rows int)
//
// Y0-Y7: acc, two registers a row of the tile. Multiplied and added apart, not
// fused: the generic kernel rounds twice as well.
TEXT ·tileAVX(SB), NOSPLIT, $0-40
	MOVQ acc+0(FP), DI
	MOVQ a+8(FP), SI
	MOVQ b+16(FP), DX
	MOVQ stride+24(FP), R8
	MOVQ rows+32(FP), CX
	SHLQ $3, R8
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	VXORPD Y4, Y4, Y4
	VXORPD Y5, Y5, Y5
	VXORPD Y6, Y6, Y6
	VXORPD Y7, Y7, Y7
loop:
	VMOVUPD (DX), Y8
	VMOVUPD 32(DX), Y9
	VBROADCASTSD (SI), Y10
	VMULPD Y8, Y10, Y12
	VMULPD Y9, Y10, Y13
	VADDPD Y12, Y0, Y0
	VADDPD Y13, Y1, Y1
	VBROADCASTSD 8(SI), Y11
	VMULPD Y8, Y11, Y14
	VMULPD Y9, Y11, Y15
	VADDPD Y14, Y2, Y2
	VADDPD Y15, Y3, Y3
	VBROADCASTSD 16(SI), Y10
	VMULPD Y8, Y10, Y12
	VMULPD Y9, Y10, Y13
	VADDPD Y12, Y4, Y4
	VADDPD Y13, Y5, Y5
	VBROADCASTSD 24(SI), Y11
	VMULPD Y8, Y11, Y14
	VMULPD Y9, Y11, Y15
	VADDPD Y14, Y6, Y6
	VADDPD Y15, Y7, Y7
	ADDQ R8, SI
	ADDQ R8, DX
	DECQ CX
	JNZ  loop
	VMOVUPD Y0, (DI)
	VMOVUPD Y1, 32(DI)
	VMOVUPD Y2, 64(DI)
	VMOVUPD Y3, 96(DI)
	VMOVUPD Y4, 128(DI)
	VMOVUPD Y5, 160(DI)
	VMOVUPD Y6, 192(DI)
	VMOVUPD Y7, 224(DI)
	VZEROUPPER
	RET
