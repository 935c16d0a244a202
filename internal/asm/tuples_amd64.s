#include "go_asm.h"
#include "textflag.h"

// The lower half of each cell, two bits; and of each byte, four.
DATA tuple3<>+0(SB)/8, $0x3333333333333333
DATA tuple3<>+8(SB)/8, $0x3333333333333333
GLOBL tuple3<>(SB), RODATA|NOPTR, $16

DATA tuplef<>+0(SB)/8, $0x0f0f0f0f0f0f0f0f
DATA tuplef<>+8(SB)/8, $0x0f0f0f0f0f0f0f0f
GLOBL tuplef<>(SB), RODATA|NOPTR, $16

// Factors of bytes: every second one goes above the one before it.
DATA tuplepair<>+0(SB)/8, $0x1001100110011001
DATA tuplepair<>+8(SB)/8, $0x1001100110011001
GLOBL tuplepair<>(SB), RODATA|NOPTR, $16

// Two halves, four bits, the other way round.
DATA tupleback<>+0(SB)/8, $0x0d0905010c080400
DATA tupleback<>+8(SB)/8, $0x0f0b07030e0a0602
GLOBL tupleback<>(SB), RODATA|NOPTR, $16

// Rows from the top and from the bottom, of the board and of its columns.
DATA tupleup<>+0(SB)/8, $0x0001020303020100
DATA tupleup<>+8(SB)/8, $0x0405060707060504
DATA tupleup<>+16(SB)/8, $0x0001020303020100
DATA tupleup<>+24(SB)/8, $0x0405060707060504
GLOBL tupleup<>(SB), RODATA|NOPTR, $32

// The halves of three cells.
DATA tuplenear<>+0(SB)/8, $0x0000003f0000003f
DATA tuplenear<>+8(SB)/8, $0x0000003f0000003f
DATA tuplenear<>+16(SB)/8, $0x0000003f0000003f
DATA tuplenear<>+24(SB)/8, $0x0000003f0000003f
GLOBL tuplenear<>(SB), RODATA|NOPTR, $32

// SWAP exchanges the cells in the bits of mask with those so many bits above them.
#define SWAP(mask, by) \
	MOVQ BX, R8         \
	SHRQ $by, R8        \
	XORQ BX, R8         \
	MOVQ $mask, R9      \
	ANDQ R9, R8         \
	XORQ R8, BX         \
	SHLQ $by, R8        \
	XORQ R8, BX

// HALVES packs the lower halves in x, those of a row to a word.
#define HALVES(x, y) \
	VPAND      X13, x, x  \
	VPSRLQ     $2, x, y   \
	VPOR       y, x, x    \
	VPAND      X14, x, x  \
	VPMADDUBSW X12, x, x

// RECTANGLE makes to of x, the halves of all cells from a row on: three of the row, and those in far
// of the next.
#define RECTANGLE(x, to, y) \
	VPSRLD $2, x, y              \
	VPAND  Tuples_far(SI), y, y  \
	VPAND  Y15, x, to            \
	VPOR   y, to, to

// JOIN adds the upper halves and the place of the tuple's table to the lower halves.
#define JOIN(high, low, table) \
	VPSLLVD Y11, high, high                      \
	VPOR    high, low, low                       \
	VPADDD  (Tuples_behind+table)(SI), low, low

// PLACES writes the places of the board in AX to DI. The lanes of a vector are the images by even
// and by odd numbers.
#define PLACES \
	MOVQ        AX, BX                      \
	SWAP(0x0000f0f00000f0f0, 12)            \
	SWAP(0x00000000ff00ff00, 24)            \
	VMOVQ       AX, X0                      \
	VPINSRQ     $1, BX, X0, X0              \
	VPSRLQ      $2, X0, X1                  \
	HALVES(X0, X2)                          \
	HALVES(X1, X3)                          \
	VPACKUSWB   X1, X0, X0                  \
	VPSRLD      $4, X0, X1                  \
	VPAND       X14, X0, X2                 \
	VPAND       X14, X1, X1                 \
	VMOVDQU     tupleback<>(SB), X3         \
	VPSHUFB     X2, X3, X2                  \
	VPSHUFB     X1, X3, X1                  \
	VPSLLD      $4, X2, X2                  \
	VPOR        X2, X1, X1                  \
	VINSERTI128 $1, X1, Y0, Y0              \
	VPSRLDQ     $8, Y0, Y1                  \
	VPSHUFB     tupleup<>(SB), Y0, Y0       \
	VPSHUFB     tupleup<>(SB), Y1, Y1       \
	VPSRLD      $8, Y0, Y2                  \
	VPSRLD      $8, Y1, Y3                  \
	RECTANGLE(Y0, Y4, Y8)                   \
	RECTANGLE(Y1, Y5, Y9)                   \
	RECTANGLE(Y2, Y6, Y8)                   \
	RECTANGLE(Y3, Y7, Y9)                   \
	VMOVDQU     Tuples_run(SI), Y10         \
	VPAND       Y10, Y0, Y0                 \
	VPAND       Y10, Y1, Y1                 \
	VPAND       Y10, Y2, Y2                 \
	VPAND       Y10, Y3, Y3                 \
	JOIN(Y1, Y0, 0)                         \
	JOIN(Y3, Y2, 32)                        \
	JOIN(Y5, Y4, 64)                        \
	JOIN(Y7, Y6, 96)                        \
	VPUNPCKLDQ  Y2, Y0, Y1                  \
	VPUNPCKHDQ  Y2, Y0, Y0                  \
	VPUNPCKLDQ  Y6, Y4, Y2                  \
	VPUNPCKHDQ  Y6, Y4, Y3                  \
	VPUNPCKLQDQ Y2, Y1, Y4                  \
	VPUNPCKHQDQ Y2, Y1, Y5                  \
	VPUNPCKLQDQ Y3, Y0, Y6                  \
	VPUNPCKHQDQ Y3, Y0, Y7                  \
	VMOVDQU     Y4, 0(DI)                   \
	VMOVDQU     Y5, 32(DI)                  \
	VMOVDQU     Y6, 64(DI)                  \
	VMOVDQU     Y7, 96(DI)

// func tuplePlacesAVX2(t *Tuples, boards []uint64, at []int32)
TEXT ·tuplePlacesAVX2(SB), NOSPLIT, $0-56
	MOVQ    t+0(FP), SI
	MOVQ    boards_base+8(FP), DX
	MOVQ    boards_len+16(FP), CX
	MOVQ    at_base+32(FP), DI
	VMOVDQU tuple3<>(SB), X13
	VMOVDQU tuplef<>(SB), X14
	VMOVDQU tuplepair<>(SB), X12
	VMOVDQU tuplenear<>(SB), Y15
	VMOVDQU Tuples_shift(SI), Y11

next:
	SUBQ $1, CX
	JLT  done
	MOVQ (DX), AX
	PLACES
	ADDQ $8, DX
	ADDQ $128, DI
	JMP  next

done:
	VZEROUPPER
	RET
