import { spawnSync } from 'node:child_process';
import type { Command } from 'commander';
import { terminal } from './terminal';

/** The option of every command that pages. */
export const withPager = (command: Command): Command =>
  command.option('--no-pager', 'print longer output than the terminal without PAGER (less)');

/**
 * Prints a text: through the pager of `PAGER`, or less, where it is longer than the terminal it
 * goes to. Without a terminal, with `--no-pager`, with an empty `PAGER` and where the pager cannot
 * be started it is printed as it is.
 */
export function printPaged(
  text: string,
  { pager: wanted }: { readonly pager?: boolean },
  screen: { readonly rows: number } | undefined = terminal(),
): void {
  const pager = process.env['PAGER'] ?? 'less';
  if (wanted !== false && pager !== '' && screen && text.split('\n').length > screen.rows) {
    // F: end where it fits after all. R: keep colours. X: leave the text on the screen.
    const env = { LESS: 'FRX', ...process.env };
    const stdio = ['pipe', 'inherit', 'inherit'] as ['pipe', 'inherit', 'inherit'];
    const { error, status } = spawnSync(pager, { input: text, shell: true, stdio, env });
    // 126 and 127 are a shell's words for what cannot be run.
    if (status !== 126 && status !== 127 && !isUnstarted(error)) return;
  }
  process.stdout.write(text);
}

/** A pager that is left before it read everything closes its pipe: that is no failure to start. */
const isUnstarted = (error: Error | undefined): boolean =>
  error !== undefined && (error as NodeJS.ErrnoException).code !== 'EPIPE';
