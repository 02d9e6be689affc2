import { waitFor } from '@ovn-steward/testbed/run/wait';
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

/** Waits until the router of a deleted Vpc is gone: until then what is left of it may be in use. */
export const routerGone = ({ nbctl }: Rig, vpc: string): Promise<unknown> =>
  waitFor(
    async () =>
      !(await nbctl('--bare', '--columns=name', 'list', 'Logical_Router'))
        .split('\n')
        .includes(vpc),
    { what: `router ${vpc} to be gone`, timeoutMs: 60_000 },
  );
