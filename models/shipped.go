package models

import "io/fs"

// ShippedFiles are the models that come with plyfit: handwritten/GAME.json and
// learned/GAME.json, with their tables, for [LoadFS].
func ShippedFiles() fs.FS { return shipped }

// Shipped is the file at path among the shipped models, such as
// "handwritten/connect4.json"; ok is false where there is none.
func Shipped(path string) (data []byte, ok bool) {
	data, err := shipped.ReadFile(path)
	return data, err == nil
}
