package models

import "io/fs"

// ShippedFiles returns the models that come with plyfit, for use with [LoadFS], such as
// handwritten/othello.json and learned/othello.json, with their tables.
func ShippedFiles() fs.FS { return shipped }
