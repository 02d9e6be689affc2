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
    if (longer.length <= columns || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = `${' '.repeat(indent)}${word}`;
    }
  }
  return [...lines, line].join('\n');
}
