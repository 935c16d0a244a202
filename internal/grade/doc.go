// Package grade gives points to what the students of a class hand in: programs that
// answer lines of JSON, and evaluation files. docs/grade.md is its page.
//
//  1. An [Assignment] is a small JSON file ([Read], or one that is shipped: [Shipped]):
//     exercises, what each is worth, and the seed that all random things follow from.
//
//  2. A [Submission] is a file or a folder ([Find]), a class a folder of them
//     ([FindAll]).
//
//  3. [Run] grades them, each by itself: what one does, a time-out included, changes
//     nothing for another, or in the next game. It starts programs on a copy of the
//     submission, with little of our environment.
//
//  4. The [Grades] are the answer for scripts; [Grades.Pages] are views of it for the
//     teacher and the students. There is no time and no path of a machine in them: the
//     same submissions give the same bytes.
package grade
