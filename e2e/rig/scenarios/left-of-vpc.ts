import type { Rig } from '../rig';

/**
 * Destroys what Kube-OVN itself leaves of a deleted Vpc, also after its next start: its sets, and
 * in some releases its balancers (kube-ovn.md, row 44).
 * @param left what differs from a healthy network, a line each. Gives the lines that are not that.
 */
export async function destroyLeftOf(
  vpc: string,
  left: readonly string[],
  { nbctl }: Rig,
): Promise<readonly string[]> {
  const row = new RegExp(`left: (Load_Balancer|Address_Set) ((?:vpc-)?${vpc}[.-]\\S+)$`);
  for (const [, table, name] of left.flatMap((it) => [row.exec(it) ?? []]))
    if (table !== undefined) await nbctl('destroy', table, name!);
  return left.filter((it) => !row.test(it));
}
