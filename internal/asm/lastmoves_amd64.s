#include "textflag.h"

// The four lanes are moves along the row of a cell after a new 2 and a new 4 there, then along its
// column.

DATA tiles<>+0(SB)/8, $1
DATA tiles<>+8(SB)/8, $2
DATA tiles<>+16(SB)/8, $1
DATA tiles<>+24(SB)/8, $2
GLOBL tiles<>(SB), RODATA, $32

// The two bytes of a line after the move to its beginning, each in two words; after that to its end.
DATA bytes<>+0(SB)/8, $0x8001800180008000
DATA bytes<>+8(SB)/8, $0x8009800980088008
DATA bytes<>+16(SB)/8, $0x8001800180008000
DATA bytes<>+24(SB)/8, $0x8009800980088008
DATA bytes<>+32(SB)/8, $0x8003800380028002
DATA bytes<>+40(SB)/8, $0x800b800b800a800a
DATA bytes<>+48(SB)/8, $0x8003800380028002
DATA bytes<>+56(SB)/8, $0x800b800b800a800a
GLOBL bytes<>(SB), RODATA, $64

// Where the worths of the i-th line begin.
DATA inside<>+0(SB)/8, $0
DATA inside<>+8(SB)/8, $0x10000
DATA inside<>+16(SB)/8, $0x10000
DATA inside<>+24(SB)/8, $0
GLOBL inside<>(SB), RODATA, $32

// A word, the factors and the nibble of spreading, 2^52, and what a new 4 takes.
DATA numbers<>+0(SB)/8, $0xffff
DATA numbers<>+8(SB)/8, $0x0001001000010010
DATA numbers<>+16(SB)/8, $0x000f000f000f000f
DATA numbers<>+24(SB)/8, $0x4330000000000000
DATA numbers<>+32(SB)/8, $0x0000000000000000
DATA numbers<>+40(SB)/8, $0x4010000000000000
GLOBL numbers<>(SB), RODATA, $48

// PAIR loads a field of the row's line and of the column's, each for a new 2 and a new 4.
#define PAIR(field, y, t) \
	VPBROADCASTQ field(R10), y     \
	VPBROADCASTQ 256+field(R11), t \
	VPBLENDD     $0xf0, t, y, y

// LOOK looks up worths by the places in y.
#define LOOK(offset, y, to) \
	VPCMPEQD   Y8, Y8, Y8              \
	VGATHERQPD Y8, offset(SI)(y*8), to

// MOVE has in Y2 what a move is worth, 0 where it changes nothing, which it counts in Y14. Y3 are the
// lines with the tile and Y4 the moves of such; Y5 is where the worths of such lines begin, Y6 how far
// their cells are shifted across, Y7 the rest of the worth.
#define MOVE(by, across, worth, still, spread) \
	VPSRLQ   $by, Y4, Y9                \
	VPAND    Y13, Y9, Y9                \
	VPCMPEQQ Y9, Y3, Y10                \
	PAIR(still, Y2, Y1)                 \
	VPAND    Y2, Y10, Y10               \
	VPADDQ   Y10, Y14, Y14              \
	VPOR     Y5, Y9, Y9                 \
	LOOK(0, Y9, Y2)                     \
	PAIR(worth, Y9, Y1)                 \
	VADDPD   Y9, Y2, Y2                 \
	VPSHUFB  bytes<>+spread(SB), Y4, Y9 \
	VPMULLW  Y12, Y9, Y9                \
	VPSRLW   $4, Y9, Y9                 \
	VPAND    Y11, Y9, Y9                \
	VPSLLVQ  Y6, Y9, Y9                 \
	PAIR(across, Y1, Y0)                \
	VPOR     Y1, Y9, Y9                 \
	VPAND    Y13, Y9, Y1                \
	LOOK(0, Y1, Y15)                    \
	VPSRLQ   $48, Y9, Y1                \
	LOOK(0, Y1, Y0)                     \
	VADDPD   Y0, Y15, Y15               \
	VPSRLQ   $16, Y9, Y1                \
	VPAND    Y13, Y1, Y1                \
	LOOK(524288, Y1, Y0)                \
	VPSRLQ   $32, Y9, Y9                \
	VPAND    Y13, Y9, Y9                \
	LOOK(524288, Y9, Y1)                \
	VADDPD   Y1, Y0, Y0                 \
	VADDPD   Y0, Y15, Y15               \
	VADDPD   Y15, Y2, Y2                \
	VADDPD   Y7, Y2, Y2                 \
	VPANDN   Y2, Y10, Y2

// func lastMovesAVX2(moves *[1 << 16]uint64, worths *[2 << 16]float64, lines *[8]Line, empty uint64, base, extra, most float64) (twos, fours float64, legal int64)
TEXT ·lastMovesAVX2(SB), NOSPLIT, $112-80
	MOVQ           moves+0(FP), DI
	MOVQ           worths+8(FP), SI
	MOVQ           lines+16(FP), R8
	MOVQ           empty+24(FP), R9
	POPCNTQ        R9, CX
	SHLQ           $3, CX                  // two tiles, four moves each
	VPBROADCASTQ   numbers<>+0(SB), Y13
	VPBROADCASTQ   numbers<>+8(SB), Y12
	VPBROADCASTQ   numbers<>+16(SB), Y11
	VPXOR          Y14, Y14, Y14
	VMOVUPD        X14, 96(SP)             // the sums
	VBROADCASTSD   most+48(FP), Y0
	VBROADCASTF128 numbers<>+32(SB), Y1
	VSUBPD         Y1, Y0, Y0
	VMOVUPD        Y0, 0(SP)               // most after a 2, after a 4
	LEAQ           inside<>(SB), DX

next:
	TESTQ        R9, R9
	JEQ          done
	BSFQ         R9, AX
	LEAQ         -1(R9), BX
	ANDQ         BX, R9
	MOVQ         AX, BX
	ANDQ         $0x30, AX                 // 16 times the row
	ANDQ         $0x0c, BX                 // 4 times the column
	LEAQ         (R8)(AX*4), R10
	MOVQ         BX, R11
	SHLQ         $4, R11
	ADDQ         R8, R11
	SHRQ         $1, AX
	VPBROADCASTQ (DX)(AX*1), Y5
	VPBROADCASTQ (DX)(BX*2), Y1
	VPBLENDD     $0xf0, Y1, Y5, Y5
	SHRQ         $1, AX
	VMOVQ        AX, X6
	VMOVQ        BX, X1
	VPBROADCASTQ X6, Y6
	VPBROADCASTQ X1, Y1
	VPBLENDD     $0xf0, Y6, Y1, Y2         // where the tile lies in its lines
	VPBLENDD     $0xf0, Y1, Y6, Y6
	VMOVDQU      tiles<>(SB), Y3
	VPSLLVQ      Y2, Y3, Y3
	PAIR(0, Y1, Y2)
	VPOR         Y1, Y3, Y3
	VPCMPEQD     Y8, Y8, Y8
	VPGATHERQQ   Y8, (DI)(Y3*8), Y4
	VPSRLQ       $32, Y4, Y0               // gains, as floats
	VPBROADCASTQ numbers<>+24(SB), Y1
	VPOR         Y1, Y0, Y0
	VSUBPD       Y1, Y0, Y0
	PAIR(56, Y1, Y2)
	VADDPD       Y0, Y1, Y1
	VMOVUPD      Y1, 32(SP)
	VBROADCASTSD extra+40(FP), Y7
	VMULPD       Y1, Y7, Y7
	VBROADCASTSD base+32(FP), Y0
	VADDPD       Y7, Y0, Y7
	MOVE(0, 8, 24, 40, 0)
	VMOVUPD      Y2, 64(SP)
	MOVE(16, 16, 32, 48, 32)
	VXORPD       Y0, Y0, Y0
	VMAXPD       64(SP), Y0, Y0
	VMAXPD       Y2, Y0, Y0
	VMOVUPD      32(SP), Y1
	VMOVUPD      0(SP), Y2
	VSUBPD       Y1, Y2, Y2
	VMINPD       Y2, Y0, Y0
	VADDPD       Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPD       X1, X0, X0
	VADDPD       96(SP), X0, X0
	VMOVUPD      X0, 96(SP)
	JMP          next

done:
	VEXTRACTI128 $1, Y14, X1
	VPADDQ       X1, X14, X14
	VPSHUFD      $0x4e, X14, X1
	VPADDQ       X1, X14, X14
	VMOVQ        X14, AX
	ADDQ         AX, CX
	VMOVUPD      96(SP), X0
	VMOVUPD      X0, twos+56(FP)
	MOVQ         CX, legal+72(FP)
	VZEROUPPER
	RET
