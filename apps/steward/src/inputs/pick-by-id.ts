import { Failure } from '@ovn-steward/shared/errors';

const PLURALS = {
  action: 'actions',
  'action or plan': 'actions or plans',
  finding: 'findings',
  'finding that stands': 'findings that stand',
} as const;

/**
 * The one whose id is this, or begins so.
 * @throws Failure `input-not-found`; `list` says how to see which there are.
 */
export function pickById<T extends { readonly id: string }>(
  id: string,
  all: Iterable<T>,
  what: keyof typeof PLURALS,
  list: string,
): T {
  const found = [...all].filter((it) => it.id.startsWith(id));
  const exact = found.find((it) => it.id === id);
  if (exact !== undefined) return exact;
  if (found.length === 1 && id !== '') return found[0]!;
  throw new Failure(
    'input-not-found',
    found.length === 0
      ? `No ${what} begins with ${JSON.stringify(id)}; list them with ${list}`
      : `${found.length === 1 ? `1 ${what} begins` : `${found.length} ${PLURALS[what]} begin`} with ${JSON.stringify(id)}; give more of the id`,
  );
}
