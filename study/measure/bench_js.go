package measure

import "embed"

// benches is empty, because the static site does not score models.
var benches embed.FS
