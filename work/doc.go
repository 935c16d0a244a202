// Package work is the one way in which long jobs are worked off: in units, each a
// pure function of the job and its number, by one worker or many, in one process
// or several.
//
// The typical steps are:
//
//  1. A [Job] says what all units follow from; its name tells it from others.
//
//  2. A [Task] says how a unit is worked out: in parts, which workers do side by
//     side, and which are then joined into the bytes that are the unit's result.
//
//  3. A [Store] knows which units are there, lets one process at a time work on a
//     unit, and takes whole results.
//
//  4. A [Crew] of workers runs until the store has every unit ([Crew.Run]).
//
//  5. Where the context says so ([WithElsewhere]), Run hands the units over to
//     somebody else ([Elsewhere]). A process anywhere that has the same program
//     makes them again of the job's JSON and of files by their digests ([Kinds]).
//
// Nothing of value is lost with a process: what it had begun is begun anew by
// another, or by the next run, with the same result.
package work
