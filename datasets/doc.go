// Package datasets keeps the output of self-play: records on disk as Parquet shards in a folder,
// and the samples that learners read.
//
// A [Record] is one decision of one episode with the raw ingredients of a label (outcome, search
// value); the label is chosen when fitting.
//
// The typical steps to write a data set are:
//
//  1. Describe it in a [Plan].
//
//  2. [Fill] its folder. Fill locks the folder for one process, lists the missing shards, and at
//     the end reads all of them and completes dataset.json (a [Manifest]) with their digests.
//
//  3. For each missing shard, [WriteShard] under the name of [ShardName]. A shard appears whole or
//     not at all, so calling Fill again resumes a killed run.
//
// To read one, [Open] it and range over Set.Records; [Verify] compares every record with the
// digests. docs/datasets.md describes the files for other writers.
//
// A [Sample] is a record after a feature set and a label were applied to it: a row for a learner.
// features.Sampler makes [Samples] of a data set, and [Keep] saves them between passes.
package datasets
