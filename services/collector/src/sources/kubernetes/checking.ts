import { objectKey } from '@ovn-steward/contracts/identity/reference';
import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { Page } from '@ovn-steward/systems/kubernetes/list-pages';
import { isEarlierRevision, type Seen } from './seen';

/**
 * Reads a consistent list and compares it with what was published. Resolves with the list's
 * resourceVersion when it shows the same uids at the same resourceVersions and nothing else: then
 * everything that happened before the list began is published. Undefined at the first difference,
 * and where none can be excluded: a resourceVersion that is not decimal, or a list from before
 * `cursor`, as after a restore of etcd. (That one resourceVersion of one uid is one content is
 * Kubernetes' promise; the full read each few hours compares contents.)
 */
export async function unchangedAt(
  pages: AsyncIterable<Page>,
  seen: Seen,
  cursor: string,
): Promise<string | undefined> {
  const shown = new Set<string>();
  let resourceVersion: string | undefined;
  for await (const page of pages) {
    for (const raw of page.items) {
      const key = keyOf(raw, seen);
      if (key === undefined || shown.has(key)) return undefined;
      shown.add(key);
    }
    resourceVersion = page.resourceVersion;
  }
  if (
    shown.size !== seen.size ||
    resourceVersion === undefined ||
    isEarlierRevision(resourceVersion, cursor)
  )
    return undefined;
  return resourceVersion;
}

/** Undefined for what was not published, or published otherwise. */
function keyOf(raw: unknown, seen: Seen): string | undefined {
  const { namespace, name, uid, resourceVersion } =
    isRecord(raw) && isRecord(raw['metadata']) ? raw['metadata'] : {};
  if (typeof name !== 'string' || typeof uid !== 'string' || typeof resourceVersion !== 'string')
    return undefined;
  const key = objectKey(typeof namespace === 'string' ? namespace : undefined, name);
  return seen.holds(key, uid, resourceVersion) ? key : undefined;
}
