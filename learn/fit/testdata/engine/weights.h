// What the engine's author guessed.
static const int eval_weights[10][2] = {
	{0, 0},   // tempo
	{0, 0},   // edge
	{10, 10}, // outer
	{20, 20}, // inner
	{30, 30}, // centre
	{0, 0},   // one
	{10, 10}, // two
	{10, 10}, // ready
	{10, 10}, // odd
	{10, 10}, // even
};
