/* EinStein würfelt nicht for plyfit: rules:cmd=(./ewn)
 *
 *     cc -O2 -o ewn ewn.c
 *
 * Each player has six numbered stones on a board of 5x5 squares. A die selects
 * the stone to move. If that stone has been captured, the player chooses
 * between the next lower and the next higher number. Stones move one square
 * towards the opposite corner and capture whatever is there, including stones
 * of their own side. The first player to reach the opposite corner or to
 * capture all enemies wins. The stones have fixed squares at the start.
 *
 * Player 0 has the stones 1 to 6 and moves right and down; player 1 has the
 * stones a to f. A position consists of the 25 cells, row by row from the top,
 * the player to move, and the die, or - before the roll.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 5, CELLS = SIZE * SIZE };

static const char start[] = "123..45...6...f...ed..cba 0 -";

static const char game[] =
    "\"protocol\":1,\"name\":\"ewn\",\"version\":\"1\",\"players\":2,"
    "\"min\":-1,\"max\":1,\"sum\":\"zero\",\"max_plies\":200,\"chance\":true,"
    "\"board\":{\"rows\":5,\"columns\":5,\"symbols\":\".123456abcdef\","
    "\"swap\":\".abcdef123456\",\"flip\":\"half\",\"symmetries\":[\"diagonal\"]},"
    "\"terms\":[\"stones\",\"nearest\"]";

static int owner(char stone) { return stone == '.' ? -1 : stone >= 'a'; }

static char stone(int player, int number) { return (player ? 'a' - 1 : '0') + number; }

static int on_board(const char *cells, char stone) { return memchr(cells, stone, CELLS) != NULL; }

/* count returns the player's number of stones. */
static int count(const char *cells, int player) {
  int n = 0;
  for (int i = 0; i < CELLS; i++) n += owner(cells[i]) == player;
  return n;
}

/* nearest returns the moves that the player's most advanced stone needs. */
static int nearest(const char *cells, int player) {
  int best = SIZE;
  for (int i = 0; i < CELLS; i++) {
    int cell = player ? i : CELLS - 1 - i; /* counted from the player's goal */
    int row = cell / SIZE, column = cell % SIZE, needed = row > column ? row : column;
    if (owner(cells[i]) == player && needed < best) best = needed;
  }
  return best;
}

/* winner returns the player who has won, or -1. */
static int winner(const char *cells) {
  for (int player = 0; player < 2; player++)
    if (nearest(cells, player) == 0 || count(cells, 1 - player) == 0) return player;
  return -1;
}

/* view prints the keys that every position has, without the closing brace. */
static void view(const char *cells, int player, char die) {
  int won = winner(cells);
  printf("{\"position\":\"%.25s %d %c\",\"cells\":\"%.25s\",\"terms\":[%d,%d],\"turn\":", cells,
         player, die, cells, count(cells, 0) - count(cells, 1),
         nearest(cells, 1) - nearest(cells, 0));
  if (won >= 0)
    printf("\"over\",\"utility\":%s", won ? "[-1,1]" : "[1,-1]");
  else if (die == '-')
    printf("\"chance\"");
  else
    printf("%d", player);
}

/* find returns the stones that the die allows to move. */
static int find(const char *cells, int player, int die, char *stones) {
  int low = die, high = die, n = 0;
  while (low > 0 && !on_board(cells, stone(player, low))) low--;
  while (high <= 6 && !on_board(cells, stone(player, high))) high++;
  if (low > 0) stones[n++] = stone(player, low);
  if (high <= 6 && high != low) stones[n++] = stone(player, high);
  return n;
}

/* moves prints the moves, or the positions after them. */
static void moves(const char *cells, int player, int die, int after) {
  char stones[2];
  const char *separator = "";
  int n = find(cells, player, die, stones);
  for (int i = 0; i < n; i++) {
    int from = (const char *)memchr(cells, stones[i], CELLS) - cells;
    for (int step = 1; step < 4; step++) { /* along the row, along the column, both */
      int row = from / SIZE + (step & 2 ? player ? -1 : 1 : 0);
      int column = from % SIZE + (step & 1 ? player ? -1 : 1 : 0);
      if (row < 0 || row >= SIZE || column < 0 || column >= SIZE) continue;
      printf("%s", separator);
      separator = ",";
      if (after) {
        char new[CELLS];
        memcpy(new, cells, CELLS);
        new[from] = '.';
        new[row *SIZE + column] = stones[i];
        view(new, 1 - player, '-');
        printf("}");
      } else {
        printf("\"%c%d%c%d\"", 'a' + from % SIZE, SIZE - from / SIZE, 'a' + column, SIZE - row);
      }
    }
  }
}

/* valid reports whether a position has the right form and no stone twice. */
static int valid(const char *p) {
  if (strlen(p) != CELLS + 4 || p[25] != ' ' || p[27] != ' ') return 0;
  if (!strchr("01", p[26]) || !strchr("-123456", p[28])) return 0;
  for (int i = 0; i < CELLS; i++) {
    if (!strchr(".123456abcdef", p[i])) return 0;
    if (p[i] != '.' && memchr(p + i + 1, p[i], CELLS - 1 - i)) return 0;
  }
  return count(p, 0) + count(p, 1) > 0;
}

static void describe(const char *position) {
  const char *cells = *position ? position : start;
  if (!valid(cells)) {
    printf("{\"error\":\"want 25 cells (. 1-6 a-f), the player (0 or 1) and the die (1-6 or -)\"}");
    return;
  }
  int player = cells[26] - '0', die = cells[28];
  view(cells, player, die);
  if (winner(cells) >= 0) {
    printf("}");
  } else if (die == '-') {
    printf(",\"luck\":%d,\"moves\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\"],\"probabilities\":[", player);
    for (int i = 1; i <= 6; i++) printf("%s%.17g", i > 1 ? "," : "", 1.0 / 6);
    printf("],\"after\":[");
    for (int i = 1; i <= 6; i++) {
      printf("%s", i > 1 ? "," : "");
      view(cells, player, '0' + i);
      printf("}");
    }
    printf("]}");
  } else {
    printf(",\"moves\":[");
    moves(cells, player, die - '0', 0);
    printf("],\"after\":[");
    moves(cells, player, die - '0', 1);
    printf("]}");
  }
}

/* answer prints the answer to a question. Positions of this game need no
 * escapes, so a position with a backslash is wrong in any case. */
static void answer(char *line) {
  char *id = strstr(line, "\"id\":"), *positions = strstr(line, "\"positions\":");
  printf("{\"id\":%ld,", id ? strtol(id + 5, NULL, 10) : 0);
  if (!positions) {
    printf("%s}\n", game);
    return;
  }
  printf("\"answers\":[");
  const char *separator = "";
  for (char *p = strchr(positions, '['); (p = strchr(p + 1, '"'));) {
    char *text = ++p;
    while (*p && *p != '"') p += *p == '\\' && p[1] ? 2 : 1;
    if (!*p) break;
    *p = 0;
    printf("%s", separator);
    separator = ",";
    describe(text);
  }
  printf("]}\n");
}

int main(void) {
  size_t size = 1 << 16, used = 0;
  char *line = malloc(size);
  while (line && fgets(line + used, (int)(size - used), stdin)) {
    used += strlen(line + used);
    if (line[used - 1] == '\n') {
      answer(line);
      fflush(stdout);
      used = 0;
    } else if (used + 1 == size) {
      line = realloc(line, size *= 2);
    }
  }
  return 0;
}
