// Package grade grades the submissions of a class, which are programs that answer lines of JSON, or
// evaluation files. The page docs/grade.md describes grading for teachers.
//
//  1. An [Assignment] contains exercises with their points, and the seed of all random
//     numbers. [Read] reads it from a small JSON file, and [Shipped] returns those that
//     come with plyfit.
//
//  2. A [Submission] is a file or a folder. [Find] finds a single submission, and
//     [FindAll] finds all submissions in the folder of a class.
//
//  3. [Run] grades each submission independently. A fault, such as a time-out, affects
//     neither other submissions nor the next game. Programs run in a copy of the
//     submission, with few environment variables.
//
//  4. [Grades] contains the results in a form for scripts. [Grades.Pages] returns pages
//     for the teacher and the students. The results contain no times and no paths of the
//     machine, so grading the same submissions again normally gives the same bytes.
package grade
