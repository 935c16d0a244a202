// A small engine for connect four, with an evaluation of ten tapered terms, to be
// tuned: it speaks UCI, `engine trace ROWS SEED` writes what its evaluation counts in
// games against itself, `engine label FILE` what it counts in positions of a file, and
// `engine weights` what it plays with.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weights.h" // eval_weights[TERMS][2]: middlegame, endgame

enum { COLS = 7, ROWS = 6, SQUARES = 42, TERMS = 10, WIN = 30000 };
static const char *names[TERMS] = {"tempo", "edge", "outer", "inner", "centre", "one", "two", "ready", "odd", "even"};

typedef struct { signed char at[COLS][ROWS], height[COLS]; int ply; } Board; // 1 first player, -1 second

static int side(const Board *b) { return b->ply % 2 ? -1 : 1; }
static void play(Board *b, int c) { b->at[c][b->height[c]++] = side(b); b->ply++; }
static void undo(Board *b, int c) { b->at[c][--b->height[c]] = 0; b->ply--; }

static int won(const Board *b, int c) { // by the man that stands on top of column c
	static const int dc[4] = {1, 0, 1, 1}, dr[4] = {0, 1, 1, -1};
	int r = b->height[c] - 1, who = b->at[c][r];
	for (int d = 0; d < 4; d++) {
		int n = 1;
		for (int s = -1; s <= 1; s += 2)
			for (int x = c + s * dc[d], y = r + s * dr[d]; x >= 0 && x < COLS && y >= 0 && y < ROWS && b->at[x][y] == who; x += s * dc[d], y += s * dr[d])
				n++;
		if (n >= 4) return 1;
	}
	return 0;
}

// count is what the evaluation counts, the first player's less the second's.
static void count(const Board *b, int x[TERMS]) {
	static const int dc[4] = {1, 0, 1, 1}, dr[4] = {0, 1, 1, -1};
	memset(x, 0, TERMS * sizeof *x);
	x[0] = side(b);
	for (int c = 0; c < COLS; c++)
		for (int r = 0; r < b->height[c]; r++) x[1 + (c < 4 ? c : 6 - c)] += b->at[c][r];
	for (int c = 0; c < COLS; c++)
		for (int r = 0; r < ROWS; r++)
			for (int d = 0; d < 4; d++) {
				int ec = c + 3 * dc[d], er = r + 3 * dr[d], own = 0, other = 0, empty = 0, ready = 0;
				if (ec >= COLS || er < 0 || er >= ROWS) continue;
				for (int k = 0; k < 4; k++) {
					int v = b->at[c + k * dc[d]][r + k * dr[d]];
					own += v > 0, other += v < 0;
					if (!v) empty = r + k * dr[d] + 1, ready = b->height[c + k * dc[d]] == r + k * dr[d];
				}
				if ((own && other) || own + other == 0 || own + other == 4) continue;
				int n = own + other, s = own ? 1 : -1;
				if (n < 3) x[4 + n] += s; // lines of four with one man, with two
				else x[ready ? 7 : empty % 2 ? 8 : 9] += s; // with three, by the row of the empty square
			}
}

static double evaluate(const Board *b) { // of the player to move
	int x[TERMS];
	double mg = 0, eg = 0, phase = (double)(SQUARES - b->ply) / SQUARES;
	count(b, x);
	for (int i = 0; i < TERMS; i++) mg += x[i] * (double)eval_weights[i][0], eg += x[i] * (double)eval_weights[i][1];
	return side(b) * (phase * mg + (1 - phase) * eg);
}

// What tuning needs: a row for each position, with the game and how it ended.
static void trace(const Board *b, int game, double result) {
	int x[TERMS];
	count(b, x);
	printf("%d,%d", game, SQUARES - b->ply);
	for (int i = 0; i < TERMS; i++) printf(",%d", x[i]);
	printf(",%g\n", result);
}

static uint64_t state;
static unsigned draw(unsigned n) { // splitmix64
	uint64_t z = state += 0x9e3779b97f4a7c15u;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u, z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((z ^ z >> 31) % n);
}

static double search(Board *b, int depth, double alpha, double beta, int *best) {
	static const int order[COLS] = {3, 2, 4, 1, 5, 0, 6};
	if (b->ply == SQUARES) return 0;
	if (depth == 0) return evaluate(b);
	for (int i = 0; i < COLS; i++) {
		int c = order[i];
		if (b->height[c] == ROWS) continue;
		if (best && *best < 0) *best = c;
		play(b, c);
		double v = won(b, c) ? WIN - b->ply : -search(b, depth - 1, -beta, -alpha, NULL);
		undo(b, c);
		if (v > alpha) {
			alpha = v;
			if (best) *best = c;
			if (alpha >= beta) break;
		}
	}
	return alpha;
}

static void write_header(void) {
	printf("game,phase");
	for (int i = 0; i < TERMS; i++) printf(",%s", names[i]);
	printf(",label\n");
}

static void write_traces(long rows, uint64_t seed) {
	state = seed;
	write_header();
	for (int game = 0; rows > 0; game++) {
		Board b = {0}, seen[SQUARES];
		int n = 0;
		double result = 0.5;
		while (b.ply < SQUARES) {
			int c = -1;
			if (b.ply < 6 || draw(8) == 0) {
				do c = draw(COLS); while (b.height[c] == ROWS);
			} else {
				search(&b, 2, -2 * WIN, 2 * WIN, &c);
				seen[n++] = b;
			}
			play(&b, c);
			if (won(&b, c)) { result = b.ply % 2; break; }
		}
		for (int i = 0; i < n && rows > 0; i++, rows--) trace(&seen[i], game, result);
	}
}

// Rows of game,ply,position,result: a position is the columns played, from 1.
static void label(const char *file) {
	static char line[256];
	FILE *in = fopen(file, "r");
	if (!in) exit(1);
	write_header();
	while (fgets(line, sizeof line, in)) {
		int game, ply;
		char moves[SQUARES + 8];
		double result;
		Board b = {0};
		if (sscanf(line, "%d,%d,%49[^,],%lf", &game, &ply, moves, &result) != 4) continue; // the header
		for (char *m = moves; *m >= '1' && *m <= '7'; m++) play(&b, *m - '1');
		trace(&b, game, result);
	}
}

int main(int argc, char **argv) {
	static char line[1 << 16];
	Board b = {0};
	if (argc == 4 && !strcmp(argv[1], "trace")) {
		write_traces(atol(argv[2]), strtoull(argv[3], NULL, 10));
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "label")) {
		label(argv[2]);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "weights")) {
		printf("name,mg,eg\n");
		for (int i = 0; i < TERMS; i++) printf("%s,%g,%g\n", names[i], (double)eval_weights[i][0], (double)eval_weights[i][1]);
		return 0;
	}
	while (fgets(line, sizeof line, stdin)) {
		char *word = strtok(line, " \r\n");
		if (!word) continue;
		if (!strcmp(word, "uci")) printf("id name engine\noption name UCI_Variant type combo default cfour var cfour\nuciok\n");
		if (!strcmp(word, "isready")) printf("readyok\n");
		if (!strcmp(word, "quit")) return 0;
		if (!strcmp(word, "position")) {
			memset(&b, 0, sizeof b);
			while ((word = strtok(NULL, " \r\n")))
				if (!strncmp(word, "P@", 2)) play(&b, word[2] - 'a');
		}
		if (!strcmp(word ? word : "", "go")) {
			int depth = 4, best = -1;
			while ((word = strtok(NULL, " \r\n")))
				if (!strcmp(word, "depth") && (word = strtok(NULL, " \r\n"))) depth = atoi(word);
			double value = search(&b, depth, -2 * WIN, 2 * WIN, &best);
			printf("info depth %d score cp %.0f\n", depth, value);
			printf("bestmove P@%c%d\n", 'a' + best, b.height[best] + 1);
		}
		fflush(stdout);
	}
}
