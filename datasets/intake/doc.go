// Package intake makes data sets of positions that come from elsewhere: labelled
// EPD and its variants, CSV and chess games in PGN, plain or compressed by gzip or zstd.
//
// The typical steps are:
//
//  1. [Read] goes through the files, line by line or game by game, and hands every
//     position that the game can read to a [Collection]. Lines that cannot be read
//     are counted and reported ([LineError]) up to a stated limit.
//
//  2. [Collection.Write] puts the positions together by episode and writes a data
//     set like those of self-play, in which each episode keeps the name that it
//     had (datasets.Record.ID).
//
// From there on a fit does not know the difference. [WriteEPD] leads the other way.
package intake
