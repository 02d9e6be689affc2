import type { Change } from '@ovn-steward/contracts/changes/change';
import { contentHash } from '@ovn-steward/contracts/identity/ids';

/** A row or an object as a collector reports it. */
export type Reported = Pick<
  Extract<Change, { type: 'put' }>,
  'kind' | 'uid' | 'namespace' | 'name' | 'object'
>;

export type Hashed = Reported & { readonly hash: string };

export const hashed = (it: Reported): Hashed => ({ ...it, hash: contentHash(it.object) });

/**
 * A stream of a cluster: the first call reads everything that is reported, and ends with
 * a snapshot; each later one has what changed since.
 */
export function followedStream(
  cluster: string,
  source: 'ovn-nb' | 'kubernetes',
  name: string,
  kinds: readonly string[],
): (reported: readonly Hashed[]) => Change[] {
  let seq = 0;
  let before: ReadonlyMap<string, Hashed> | undefined;
  const base = () => ({
    version: 1 as const,
    id: `${name}-${++seq}`,
    cluster,
    source,
    stream: name,
    epoch: 1,
    seq,
    cursor: '',
    observedAt: '2026-01-01T00:00:00Z',
  });
  return (now) => {
    const reported = new Map(now.map((it) => [`${it.kind} ${it.uid}`, it]));
    const changes: Change[] = [];
    for (const [key, { object: _, hash: __, ...identity }] of before ?? [])
      if (!reported.has(key)) changes.push({ type: 'delete', ...base(), ...identity });
    for (const [key, entity] of reported) {
      const { hash, name: called } = before?.get(key) ?? {};
      if (hash !== entity.hash || called !== entity.name)
        changes.push({ type: 'put', ...base(), ...entity });
    }
    if (before === undefined)
      changes.push({
        type: 'snapshot-end',
        ...base(),
        kinds: [...kinds],
        count: reported.size,
        digest: '',
      });
    before = reported;
    return changes;
  };
}
