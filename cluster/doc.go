// Package cluster computes the units of a job on other machines. A NATS server with JetStream, the
// hub, distributes them.
//
// The typical steps are:
//
//  1. [Dial] connects a process to the hub, and [Link.Ensure] creates the streams that the hub
//     lacks.
//
//  2. A [Coordinator] runs in the command that needs the results. It publishes the units that its
//     store lacks, together with the job and its files, and puts the results into the store.
//
//  3. A [Worker] receives units, computes them from the job and publishes the results.
//
//  4. [ReadStatus] returns the progress of the jobs and the list of workers.
//
// The hub is not a reliable store: by default, a NATS server acknowledges a message before it is
// safely on disk. Only the command's store counts. Every unit can be computed again with the same
// result, and the coordinator publishes again whatever the hub has lost. If any process is killed,
// run the same command again to resume.
package cluster
