import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Where a person confirms. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/**
 * Whether a person confirms: by `--yes`, else at the terminal where there is one. No terminal,
 * Ctrl-C and Ctrl-D count as no.
 */
export async function confirmed(
  { yes, dryRun }: { readonly yes?: boolean; readonly dryRun?: boolean },
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (!input.isTTY || !output.isTTY) return false;
  const prompt = createInterface({ input, output, terminal: true });
  // Else Ctrl-D leaves the question open, and the process ends as if all were done.
  const closed = once(prompt, 'close').then(() => 'no');
  try {
    const answer = prompt.question(`${question} [y/N] `).catch(() => 'no'); // what Node makes of Ctrl-C
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim());
  } finally {
    prompt.close();
  }
}
