import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The README's list of the pages in docs, by their titles. */
export const pagesList = (folder: string): string =>
  readdirSync(folder)
    .filter((it) => it.endsWith('.md'))
    .sort()
    .map((it) => `- [docs/${it}](docs/${it}): ${titleOf(readFileSync(join(folder, it), 'utf8'))}`)
    .join('\n');

/** @throws Error for a page that does not begin with a title. */
function titleOf(text: string): string {
  const title = /^# (.+)$/m.exec(text)?.[1];
  if (title === undefined)
    throw new Error(`a page of docs has no title; it begins: ${text.slice(0, 60)}`);
  return title;
}
