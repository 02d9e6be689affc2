import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { World } from '../world/world';

/**
 * Whether what a finding is about is there: the whole object, or the one entry of it that was
 * wrong.
 */
export function isStillThere({ subject }: Finding, world: World): boolean {
  const entity = world.entity(subject.kind, subject.uid);
  if (entity === undefined || subject.part === undefined) return entity !== undefined;
  const { column, key } = subject.part;
  const held = columnIn(entity.object, column);
  // A port has the uids of its groups, and the entry is the name of one.
  if (column === '_port_groups')
    return ((held as readonly string[] | undefined) ?? []).some(
      (it) => world.entity('Port_Group', it)?.name === key,
    );
  if (Array.isArray(held)) return held.includes(key);
  return typeof held === 'object' && held !== null && Object.hasOwn(held, key);
}

/** By its path: `vips`, `metadata.finalizers`. */
const columnIn = (object: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (it, name) =>
        typeof it === 'object' && it !== null ? (it as Record<string, unknown>)[name] : undefined,
      object,
    );
