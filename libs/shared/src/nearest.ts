/** Edits (insert, delete, replace, swap two neighbours) between two texts. */
function distance(a: string, b: string): number {
  let older: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const edits = [
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      ];
      if (swapped) edits.push((older[j - 2] as number) + 1);
      row.push(Math.min(...edits));
    }
    older = last;
    last = row;
  }
  return last[b.length] as number;
}

const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');

/**
 * The known word a mistyped one most likely means; undefined when none is near. Case, `-` and `_`
 * do not count.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = plain(word.slice(0, 100));
  const ranked = known
    .map((it) => ({ it, edits: distance(typed, plain(it)) }))
    .sort((a, b) => a.edits - b.edits);
  const [best] = ranked;
  return best && best.edits <= Math.max(2, Math.floor(best.it.length / 3)) ? best.it : undefined;
}
