import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from './colours';
import { terminal } from './terminal';
import { padded, widthOf } from './text-width';

/** A table, before it is laid out. Cells are raw: they are made safe to print here. */
export interface Cells {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** How a row is coloured. */
  readonly colour?: (row: number) => (text: string) => string;
}

/**
 * The head and the rows as lines, each column as wide as its widest cell; the last is not padded.
 */
function columns(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((it, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column]!)), it.length),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === head.length - 1 ? cell : padded(cell, widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * A table as lines. On a terminal that is narrower, each row is a block with a line for each column
 * that holds something, so that no name is broken or cut.
 * @param width columns of the terminal; without one nothing is too wide.
 */
export function tableText({ head, rows, colour }: Cells, width = terminal()?.columns): string {
  const safe = rows.map((row) => row.map((it) => safeText(it, 1000)));
  const [first, ...lines] = columns(head, safe);
  const painted = (text: string, row: number): string => (colour?.(row) ?? String)(text);
  if ([first!, ...lines].every((it) => widthOf(it) <= (width ?? Infinity)))
    return [pc.bold(first!), ...lines.map(painted), ''].join('\n');
  const label = Math.max(...head.map((it) => it.length));
  return safe
    .map((cells, row) =>
      cells
        .flatMap((cell, column) => {
          if (column > 0 && (cell === '' || cell === '-')) return [];
          if (column === 0) return [painted(cell, row)];
          return [`  ${head[column]!.padEnd(label)}  ${cell}`];
        })
        .join('\n'),
    )
    .join('\n')
    .concat(safe.length === 0 ? `${pc.bold(first!)}\n` : '\n');
}

/** A cell cannot end its column, nor begin anything of Markdown. */
const markdownCell = (text: string): string =>
  safeText(text, 1000).replace(/[\\|`*_<>[\]]/g, '\\$&');

/** The same table in Markdown. */
export const tableMarkdown = ({ head, rows }: Cells): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(markdownCell))]
    .map((row) => `| ${row.join(' | ')} |\n`)
    .join('');
