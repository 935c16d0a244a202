// Package intake imports positions from other sources into data sets. It reads labelled EPD and its
// variants, CSV, and chess games in PGN. Files may be compressed with gzip or zstd.
//
// The typical steps are:
//
//  1. [Read] reads the files line by line or game by game. It adds every position that it can parse
//     to a [Collection]. Lines that cannot be read are counted and reported as a [LineError]. If
//     there are more of them than allowed, Read fails.
//
//  2. [Collection.Write] groups the positions by episode and writes a data set. Each episode keeps
//     its original name (datasets.Record.ID).
//
// The data set can be used like one from self-play. [WriteEPD] exports a data set.
package intake
