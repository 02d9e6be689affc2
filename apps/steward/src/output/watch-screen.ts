import { pause } from '@ovn-steward/shared/pause';
import { terminal } from './terminal';

const ALTERNATE = '\u001b[?1049h\u001b[?25l';
const NORMAL = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const LINE_END = '\u001b[K';
const BELOW = '\u001b[J';

export interface WatchedScreen {
  readonly everyMs: number;
  readonly signal: AbortSignal;
  /**
   * Each text is a document, of which single lines say nothing: what stands before each. Undefined:
   * each line says something by itself.
   */
  readonly separator?: string | undefined;
}

/**
 * Shows a text that changes until the signal aborts: on a terminal one screen that is drawn again,
 * elsewhere the lines that are new, as they come, or each document that differs from the last.
 * @param frame called for each drawing; gives the text.
 */
export async function watchScreen(
  frame: () => Promise<string>,
  { everyMs, signal, separator }: WatchedScreen,
): Promise<void> {
  const isTerminal = terminal() !== undefined;
  const news = separator === undefined ? newLines() : newDocuments(separator);
  if (isTerminal) process.stdout.write(ALTERNATE);
  try {
    while (!signal.aborted) {
      const text = (await frame()).trimEnd();
      const lines = text.split('\n');
      const shown = isTerminal ? drawn(lines, terminal()?.rows ?? lines.length) : news(text);
      if (shown !== '') process.stdout.write(shown);
      await pause(everyMs, signal);
    }
  } finally {
    if (isTerminal) process.stdout.write(NORMAL);
  }
}

/** Of each text the lines that the one before did not have; of an empty one nothing. */
function newLines(): (text: string) => string {
  let before: ReadonlySet<string> = new Set(['']);
  return (text) => {
    const lines = text.split('\n');
    const fresh = lines.filter((it) => !before.has(it));
    before = new Set(['', ...lines]);
    return fresh.map((it) => `${it}\n`).join('');
  };
}

/** Each text that differs from the one before, whole. */
function newDocuments(separator: string): (text: string) => string {
  let before: string | undefined;
  return (text) => {
    if (text === before) return '';
    before = text;
    return `${separator}${text}\n`;
  };
}

/** The lines that fit; a last one says how many do not. */
export function drawn(lines: readonly string[], rows: number): string {
  const fits = lines.length <= rows;
  const shown = fits ? lines : lines.slice(0, Math.max(rows - 1, 0));
  const rest = fits ? [] : [`… and ${lines.length - shown.length} more lines`];
  return `${HOME}${[...shown, ...rest].map((it) => it + LINE_END).join('\n')}${BELOW}`;
}
