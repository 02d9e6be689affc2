import type { Built } from './builders';

/** What names, keys and values may be when somebody means harm, or a tool is broken. */
export const HOSTILE: readonly string[] = [
  '',
  '__proto__',
  'constructor',
  'toString',
  'a\nb',
  '\u0000',
  '/',
  '//',
  'a/b/c/d',
  '.',
  '[::',
  '$',
  '@',
  '*',
  '(',
  '%s',
  '-1',
  '1e999',
  '999.999.999.999',
  'null',
  'x'.repeat(10_000),
];

/**
 * Columns that say what holds a row or what it is: written by the collector, never by a stranger.
 */
const OURS = new Set(['_parents', '_port_groups']);

/** The same object with every text in it, its name among them, being this one. */
export const everyText = (built: Built, text: string): Built => ({
  ...built,
  name: text,
  object: replaced(built.object, text) as Record<string, unknown>,
});

function replaced(value: unknown, text: string): unknown {
  if (typeof value === 'string') return text;
  if (Array.isArray(value)) return value.map((it) => replaced(it, text));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, it]) => [key, OURS.has(key) ? it : replaced(it, text)]),
  );
}

/**
 * The same object with one more entry of this text in each map of texts (`external_ids`, labels,
 * `vips`, …).
 */
export const everyMap = (built: Built, text: string): Built => ({
  ...built,
  object: enlarged(built.object, text) as Record<string, unknown>,
});

function enlarged(value: unknown, text: string): unknown {
  if (Array.isArray(value)) return value.map((it) => enlarged(it, text));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const isMapOfTexts = entries.length > 0 && entries.every(([, it]) => typeof it === 'string');
  return Object.fromEntries([
    ...entries.map(([key, it]) => [key, OURS.has(key) ? it : enlarged(it, text)] as const),
    ...(isMapOfTexts ? [[text, text] as const] : []),
  ]);
}
