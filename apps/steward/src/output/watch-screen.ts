import { pause } from '@ovn-steward/shared/pause';
import { terminal } from './terminal';

const [ALTERNATE, NORMAL, HOME, LINE_END, BELOW] = [
  '\u001b[?1049h\u001b[?25l',
  '\u001b[?25h\u001b[?1049l',
  '\u001b[H',
  '\u001b[K',
  '\u001b[J',
];

/**
 * Shows a text that changes until the signal aborts: on a terminal one screen that is drawn again,
 * elsewhere the lines that are new, as they come.
 * @param frame called for each drawing; gives the text.
 */
export async function watchScreen(
  frame: () => Promise<string>,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<void> {
  const isTerminal = terminal() !== undefined;
  let before: ReadonlySet<string> = new Set();
  if (isTerminal) process.stdout.write(ALTERNATE);
  try {
    while (!signal.aborted) {
      const lines = (await frame()).trimEnd().split('\n');
      if (isTerminal) process.stdout.write(drawn(lines, terminal()?.rows ?? lines.length));
      else for (const it of lines) if (!before.has(it)) process.stdout.write(`${it}\n`);
      before = new Set(lines);
      await pause(everyMs, signal);
    }
  } finally {
    if (isTerminal) process.stdout.write(NORMAL);
  }
}

/** The lines that fit; a last one says how many do not. */
export function drawn(lines: readonly string[], rows: number): string {
  const fits = lines.length <= rows;
  const shown = fits ? lines : lines.slice(0, Math.max(rows - 1, 0));
  const rest = fits ? [] : [`… and ${lines.length - shown.length} more lines`];
  return `${HOME}${[...shown, ...rest].map((it) => it + LINE_END).join('\n')}${BELOW}`;
}
