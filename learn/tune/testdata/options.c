// A UCI engine for connect four whose score is a sum over discs, weighed by the options Centre, Inner
// and Edge.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 7, ROWS = 6 };
static const char *names[] = {"Centre", "Inner", "Edge"};
static int values[] = {30, 10, 5};
static const int kind[COLUMNS] = {2, 2, 1, 0, 1, 2, 2}; // of a column: which option weighs it

int main(void) {
	static char line[1 << 16];
	int height[COLUMNS] = {0}, score = 0, ply = 0;
	while (fgets(line, sizeof line, stdin)) {
		char *word = strtok(line, " \r\n");
		if (!word) continue;
		if (!strcmp(word, "uci")) {
			printf("id name options\noption name UCI_Variant type combo default cfour var cfour\n");
			for (int i = 0; i < 3; i++) printf("option name %s type spin default %d min 0 max 100\n", names[i], values[i]);
			printf("uciok\n");
		} else if (!strcmp(word, "isready")) {
			printf("readyok\n");
		} else if (!strcmp(word, "quit")) {
			return 0;
		} else if (!strcmp(word, "setoption")) {
			strtok(NULL, " \r\n");
			char *name = strtok(NULL, " \r\n");
			strtok(NULL, " \r\n");
			char *value = strtok(NULL, " \r\n");
			for (int i = 0; i < 3 && name && value; i++)
				if (!strcmp(name, names[i])) values[i] = atoi(value);
		} else if (!strcmp(word, "position")) {
			memset(height, 0, sizeof height);
			score = ply = 0;
			while ((word = strtok(NULL, " \r\n")))
				if (!strncmp(word, "P@", 2)) {
					int c = word[2] - 'a';
					height[c]++;
					score += (ply++ % 2 ? -1 : 1) * values[kind[c]];
				}
		} else if (!strcmp(word, "go")) {
			int best = -1, most = -1;
			for (int c = 0; c < COLUMNS; c++) {
				int x = values[kind[c]] + (31 * c + 17 * ply) % 23;
				if (height[c] < ROWS && x > most) best = c, most = x;
			}
			printf("info depth 1 score cp %d\nbestmove P@%c%d\n", ply % 2 ? -score : score, 'a' + best, height[best] + 1);
		}
		fflush(stdout);
	}
}
