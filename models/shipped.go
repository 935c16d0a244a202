package models

import "io/fs"

// ShippedFiles are the models that come with plyfit: handwritten/GAME.json and
// learned/GAME.json, with their tables, for [LoadFS].
func ShippedFiles() fs.FS { return shipped }
