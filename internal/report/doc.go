// Package report writes what a run found: one [Page] of headings, sentences,
// tables and figures, as a self-contained HTML file and as Markdown.
//
// The typical steps are:
//
//  1. Add blocks to a [Page]: [Heading], [Text], [List], [Table], [Code], and
//     [Figure], whose picture a [Chart] draws as SVG.
//
//  2. Write the page: Page.HTML for a browser, Page.Markdown for a place that
//     shows Markdown. A single table is printed for a terminal by [Table.Print].
package report
