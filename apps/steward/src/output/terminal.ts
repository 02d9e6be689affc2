import { widthOf } from './text-width';

/** The terminal that standard output is, or undefined where it is a pipe or a file. */
export function terminal(): { readonly columns: number; readonly rows: number } | undefined {
  const { isTTY, columns, rows } = process.stdout;
  return isTTY === true && columns > 0 ? { columns, rows } : undefined;
}

/**
 * A text in lines of at most so many columns, broken between words alone: a name that is longer
 * stays whole. Further lines are indented.
 */
export function wrapped(text: string, columns: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) <= columns || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    }
  }
  return [...lines, line].join('\n');
}

/** A command to be copied stays on one line. */
const COMMAND = /^\s*steward /;

/**
 * A text of several lines, each broken between words to the width of the terminal and indented two
 * further than it begins. Without a terminal it is left as it is.
 */
export const fitted = (text: string, columns = terminal()?.columns): string =>
  columns === undefined
    ? text
    : text
        .split('\n')
        .map((line) => {
          if (widthOf(line) <= columns || COMMAND.test(line)) return line;
          const indent = /^ */.exec(line)![0].length;
          return `${' '.repeat(indent)}${wrapped(line.slice(indent), columns - indent, 2)
            .split('\n')
            .join(`\n${' '.repeat(indent)}`)}`;
        })
        .join('\n');
