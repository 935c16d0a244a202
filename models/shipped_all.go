//go:build !js

package models

import "embed"

//go:embed handwritten learned measured.json
var shipped embed.FS
