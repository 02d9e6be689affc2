import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

/** Where a person is asked. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Whether a person wants it: by `--yes`, else asked where there is a terminal to ask at; nobody to ask, Ctrl-C and Ctrl-D are a no. */
export async function confirmed(
  { yes, dryRun }: { readonly yes?: boolean; readonly dryRun?: boolean },
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (!input.isTTY || !output.isTTY) return false;
  const prompt = createInterface({ input, output, terminal: true });
  const closed = once(prompt, 'close').then(() => 'no'); // else Ctrl-D leaves a question that nobody answers, and the process ends as if all were done
  try {
    const answer = prompt.question(`${question} [y/N] `).catch(() => 'no'); // what Node makes of Ctrl-C
    return /^y(es)?$/i.test((await Promise.race([answer, closed])).trim());
  } finally {
    prompt.close();
  }
}
