import { homedir } from 'node:os';

/**
 * A word as a shell hands it to a completion, without its quotes, its backslashes and its tilde.
 * Nothing in it is evaluated.
 */
export function unquoted(word: string): string {
  const home = word === '~' || word.startsWith('~/') ? homedir() + word.slice(1) : word;
  return home.replaceAll(
    /'([^']*)(?:'|$)|"((?:[^"\\]|\\.)*)(?:"|$)|\\(.)/gs,
    (_all, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replaceAll(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
