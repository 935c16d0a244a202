// Package datasets stores the output of self-play. Records are stored as Parquet shards in a
// directory. Learners read samples that are derived from the records.
//
// A [Record] is one decision of one episode. It contains the outcome and the search value, from
// which a label can be computed when a model is fitted.
//
// To write a data set:
//
//  1. Describe it in a [Plan].
//
//  2. Call [Fill] for its directory. Fill locks the directory and passes the list of missing shards
//     to a callback. At the end it reads all shards and completes dataset.json, the [Manifest],
//     with their digests.
//
//  3. In the callback, call [WriteShard] for each missing shard, using the file name returned by
//     [ShardName]. A shard is written atomically, so that calling Fill again resumes a killed run.
//
// To read a data set, call [Open] and range over Set.Records. [Verify] compares all records with
// the digests. The file docs/datasets.md documents the format for other programs.
//
// A [Sample] is a row for a learner. It results from applying a feature set and a label to a
// record. features.Sampler derives [Samples] from a data set, and [Keep] caches them between
// passes.
package datasets
