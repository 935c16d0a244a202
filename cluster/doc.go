// Package cluster has the units of a job computed on other machines. A NATS
// server with JetStream, the hub, hands them out.
//
// The typical steps are:
//
//  1. [Dial] connects a process to the hub, and [Link.Ensure] makes the streams that
//     the hub lacks.
//
//  2. A [Coordinator] is the ordinary command. It publishes the units that its store
//     lacks, with the job and its files, and puts what comes back into the store.
//
//  3. A [Worker] takes one unit after the other, makes it again from the job, and
//     publishes the result.
//
//  4. [ReadStatus] tells how far the jobs are, and who works on them.
//
// The hub holds nothing of value. A NATS server acknowledges a message before it is safely on disk,
// so nothing relies on it: the store of the command is the only truth, every unit can be computed
// again with the same result, and anyone who finds that the hub has lost something brings it there
// again. Whatever is killed, the same command goes on.
package cluster
