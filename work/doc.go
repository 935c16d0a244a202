// Package work runs a long job as independent units, each a pure function of the job
// and its number: here by one worker or many, or in other processes.
//
// The typical steps are:
//
//  1. A [Job] says what all units follow from; its name tells it from others.
//
//  2. A [Task] says how a unit is computed: in parts, which workers do side by
//     side, and which are then joined into the bytes that are the unit's result.
//
//  3. A [Pool] of workers runs until every unit of a [Run] is put where results are
//     kept: in a [Journal], or in files of their own.
//
//  4. Where the context says so ([WithExecutor]), the units go to an [Executor]. A
//     process anywhere that has the same program makes them again of the job's JSON
//     and of files by their digests ([Kinds]).
//
// A folder or file is held by one process at a time ([Alone], [Hold]).
//
// What a process had begun when it was killed is begun anew by the next run, with the same result.
package work
