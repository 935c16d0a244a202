// Package work divides a long job into independent units and computes them with local workers or in
// other processes. The result of a unit depends only on the job and the number of the unit.
//
// The typical steps are:
//
//  1. A [Job] describes everything that the results depend on. [Job.Name] identifies it.
//
//  2. A [Task] defines how a unit is computed. A unit consists of parts that workers compute in
//     parallel. The results of the parts are then joined into the bytes of the unit's result.
//
//  3. A [Pool] of workers computes all units of a [Run] and stores their results, for example in a
//     [Journal] or in one file per unit.
//
//  4. If the context has an [Executor] (see [WithExecutor]), the units are sent to that executor
//     instead. Any process of the same program can reconstruct the units from the job's JSON and
//     the files that it refers to by digest. See [Kinds].
//
// Only one process at a time can work on a directory or file. See [Alone] and [Hold].
//
// If a process is killed, the next run recomputes the unfinished units and obtains the same
// results.
package work
