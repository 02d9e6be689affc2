/** The head and the rows as lines, each column as wide as its widest cell; the last is not padded. */
export function columns(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const widths = head.map((it, column) =>
    Math.max(it.length, ...rows.map((row) => row[column]!.length)),
  );
  return [head, ...rows].map((row) =>
    row
      .map((cell, column) => (column === head.length - 1 ? cell : cell.padEnd(widths[column]!)))
      .join('  ')
      .trimEnd(),
  );
}
