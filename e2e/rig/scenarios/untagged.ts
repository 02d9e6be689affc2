import type { Entry } from '../faults';
import type { Rig } from '../rig';

/**
 * Whether a line about a difference is about a row that carries no tag: releases before v1.15 tag
 * neither groups nor sets, and ovn-steward keeps what nothing proves to be Kube-OVN's. The
 * controller's own start removes them there.
 * @param left what is left of what was planted, while it is there.
 */
export async function untaggedIn(
  { nbctl }: Rig,
  left: readonly Entry[],
): Promise<(line: string) => boolean> {
  const names: string[] = [];
  for (const { table, uuid, name } of left)
    if (table !== undefined && table !== 'Load_Balancer') {
      const tag = await nbctl('--if-exists', 'get', table, uuid!, 'external_ids:vendor');
      if (!tag.includes('kube-ovn')) names.push(`${table} ${name}`);
    }
  return (line) => names.some((it) => line.endsWith(`: ${it}`));
}
