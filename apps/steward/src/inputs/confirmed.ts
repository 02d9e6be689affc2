import { createInterface } from 'node:readline/promises';

/** Whether a person wants it: by `--yes`, else asked where there is a terminal to ask at; nobody to ask is a no. */
export async function confirmed({ yes, dryRun }: { readonly yes?: boolean; readonly dryRun?: boolean }, question: string): Promise<boolean> {
  if (dryRun) return false;
  if (yes) return true;
  if (!process.stdin.isTTY || !process.stderr.isTTY) return false;
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}
