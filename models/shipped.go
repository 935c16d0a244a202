package models

import "io/fs"

// ShippedFiles returns the models that come with plyfit, for use with [LoadFS]:
// handwritten/GAME.json and learned/GAME.json, with their tables.
func ShippedFiles() fs.FS { return shipped }
