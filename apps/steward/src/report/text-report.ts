import { colours as pc } from '../output/colours';
import { padded, widthOf } from '../output/text-width';
import { safeText } from '@ovn-steward/shared/safe-text';
import type { Report } from './report';
import type { Section } from './section';
import { sectionsOf } from './sections';
import { conclusionOf, reportTitle } from './title';

/** A report for a terminal, piece by piece. Empty sections are left out. */
export function* textReport(report: Report): Generator<string> {
  yield `${pc.bold(safeText(reportTitle(report)))}\n${safeText(conclusionOf(report))}\n`;
  for (const section of sectionsOf(report)) yield* sectionText(section);
}

/**
 * Columns but the last are as wide as their first rows want: later rows may be wider, so that
 * nothing waits for the end of a long list.
 */
const LISTED = 200;

/** One section, its columns aligned. */
export function* sectionText({ title, about, columns, rows }: Section): Generator<string> {
  const first: string[][] = [];
  let widths: readonly number[] | undefined;
  const line = (cells: readonly string[]): string =>
    `  ${cells.map((it, at) => (at === cells.length - 1 ? it : padded(it, widths![at]!))).join('  ')}\n`;
  const begin = function* (): Generator<string> {
    if (first.length === 0) return;
    widths = columns.map((head, at) =>
      Math.max(head.length, ...first.map((it) => widthOf(it[at]!))),
    );
    yield `\n${pc.bold(title)}\n${about ? `  ${pc.dim(safeText(about, 1000))}\n` : ''}`;
    yield pc.dim(line(columns));
    for (const cells of first) yield line(cells);
  };
  for (const row of rows) {
    const cells = row.map((it) => safeText(it));
    if (widths !== undefined) yield line(cells);
    else if (first.push(cells) === LISTED) yield* begin();
  }
  if (widths === undefined) yield* begin();
}
