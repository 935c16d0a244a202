#include "textflag.h"

// Rows of lanes 2 and 3 the other way round: the bytes of each half reversed.
DATA upended<>+0(SB)/8, $0x0706050403020100
DATA upended<>+8(SB)/8, $0x0f0e0d0c0b0a0908
DATA upended<>+16(SB)/8, $0x0405060700010203
DATA upended<>+24(SB)/8, $0x0c0d0e0f08090a0b
GLOBL upended<>(SB), RODATA, $32

// Two pairs of bits exchanged, by their four bits.
DATA exchanged<>+0(SB)/8, $0x0d0905010c080400
DATA exchanged<>+8(SB)/8, $0x0f0b07030e0a0602
DATA exchanged<>+16(SB)/8, $0x0d0905010c080400
DATA exchanged<>+24(SB)/8, $0x0f0b07030e0a0602
GLOBL exchanged<>(SB), RODATA, $32

DATA masks<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA masks<>+8(SB)/8, $0x0000000000000fff
DATA masks<>+16(SB)/8, $0x0000000000fff000
DATA masks<>+24(SB)/8, $0x0000003f0000003f
DATA masks<>+32(SB)/8, $0x00000fc000000fc0
DATA masks<>+40(SB)/8, $0x0100000000000000
DATA masks<>+48(SB)/8, $0x0300000002000000
GLOBL masks<>(SB), RODATA, $56

// IMAGES has the places of the four tuples in the four images of the board in AX, which
// are the lanes of Y0: the board, the same mirrored, upended, upended and mirrored.
#define IMAGES(to) \
	VMOVQ        AX, X0             \
	VPBROADCASTQ X0, Y0             \
	VPSHUFB      Y14, Y0, Y0        \
	VPAND        Y12, Y0, Y1        \
	VPSRLQ       $4, Y0, Y2         \
	VPAND        Y12, Y2, Y2        \
	VPSHUFB      Y1, Y13, Y1        \
	VPSHUFB      Y2, Y13, Y2        \
	VPSLLQ       $4, Y1, Y1         \
	VPOR         Y1, Y2, Y1         \
	VPBLENDD     $0xcc, Y1, Y0, Y0  \
	VPSRLQ       $8, Y0, Y1         \
	VPAND        Y9, Y0, Y2         \
	VPSRLQ       $2, Y0, Y3         \
	VPAND        Y8, Y3, Y3         \
	VPOR         Y3, Y2, Y2         \
	VPAND        Y9, Y1, Y3         \
	VPSRLQ       $2, Y1, Y4         \
	VPAND        Y8, Y4, Y4         \
	VPOR         Y4, Y3, Y3         \
	VPSRLQ       $20, Y0, Y4        \
	VPAND        Y11, Y0, Y0        \
	VPAND        Y10, Y4, Y4        \
	VPOR         Y4, Y0, Y0         \
	VPSRLQ       $20, Y1, Y4        \
	VPAND        Y11, Y1, Y1        \
	VPAND        Y10, Y4, Y4        \
	VPOR         Y4, Y1, Y1         \
	VPSRLQ       $20, Y2, Y4        \
	VPAND        Y11, Y2, Y2        \
	VPAND        Y10, Y4, Y4        \
	VPOR         Y4, Y2, Y2         \
	VPSRLQ       $20, Y3, Y4        \
	VPAND        Y11, Y3, Y3        \
	VPAND        Y10, Y4, Y4        \
	VPOR         Y4, Y3, Y3         \
	VPSLLQ       $32, Y1, Y1        \
	VPSLLQ       $32, Y3, Y3        \
	VPOR         Y1, Y0, Y0         \
	VPOR         Y3, Y2, Y2         \
	VPOR         Y7, Y0, Y0         \
	VPOR         Y6, Y2, Y2         \
	VPUNPCKLQDQ  Y2, Y0, Y1         \
	VPUNPCKHQDQ  Y2, Y0, Y3         \
	VMOVDQU      X1, (to+0)(DI)     \
	VMOVDQU      X3, (to+16)(DI)    \
	VEXTRACTI128 $1, Y1, (to+32)(DI) \
	VEXTRACTI128 $1, Y3, (to+48)(DI)

// func sixCellsAVX2(h, turned uint64, at *[32]int32)
TEXT ·sixCellsAVX2(SB), NOSPLIT, $0-24
	MOVQ         at+16(FP), DI
	VMOVDQU      upended<>(SB), Y14
	VMOVDQU      exchanged<>(SB), Y13
	VPBROADCASTQ masks<>+0(SB), Y12
	VPBROADCASTQ masks<>+8(SB), Y11
	VPBROADCASTQ masks<>+16(SB), Y10
	VPBROADCASTQ masks<>+24(SB), Y9
	VPBROADCASTQ masks<>+32(SB), Y8
	VPBROADCASTQ masks<>+40(SB), Y7
	VPBROADCASTQ masks<>+48(SB), Y6
	MOVQ         h+0(FP), AX
	IMAGES(0)
	MOVQ         turned+8(FP), AX
	IMAGES(64)
	VZEROUPPER
	RET
