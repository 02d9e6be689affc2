import { safeText } from '@ovn-steward/shared/safe-text';
import type { Report } from './report';
import type { Section } from './section';
import { sectionsOf } from './sections';
import { conclusionOf, reportTitle } from './title';

/**
 * A report as Markdown (CommonMark with the tables of GitHub), piece by piece. Empty sections are
 * left out.
 */
export function* markdownReport(report: Report): Generator<string> {
  yield `# ${markdownText(reportTitle(report))}\n\n${markdownText(conclusionOf(report))}\n`;
  for (const section of sectionsOf(report)) yield* sectionMarkdown(section);
}

/** One section, as a table. */
export function* sectionMarkdown({ title, about, columns, rows }: Section): Generator<string> {
  let begun = false;
  for (const row of rows) {
    if (!begun) {
      yield `\n## ${title}\n${about ? `\n${markdownText(about)}\n` : ''}`;
      yield `\n${line(columns)}${line(columns.map(() => '---'))}`;
    }
    begun = true;
    yield line(row.map(markdownText));
  }
}

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;

/**
 * Whatever means something in Markdown or HTML, and what makes a link of itself (`http://`, `www.`,
 * an address of mail, a mention).
 */
const MEANINGFUL = /[\\`*_{}[\]()<>#+!|~&@]|:(?=\/\/)|(?<=www)\.|^[-=]|^\d+(?=[.)])/gi;

/** Foreign text in Markdown: it says what it says and formats nothing. */
export const markdownText = (text: string): string =>
  safeText(text, 1000).replace(MEANINGFUL, (it) => (/^[a-z\d]/i.test(it) ? `${it}\\` : `\\${it}`));
