import type { ActionRecord } from '@ovn-steward/contracts/actions/action';
import type { Control } from '@ovn-steward/contracts/control/control';
import type { ClusterIdentity } from '@ovn-steward/shared/cluster-identity';
import type { Random } from '@ovn-steward/systems/testing/kube-ovn/random';

type GiveUp = Extract<Control, { type: 'give-up' }>;
/** Without whose decision it is, and when it was made. */
export type DrawnGiveUp = Pick<GiveUp, 'type' | 'of' | 'claimedAt' | 'reason'> &
  Partial<Pick<GiveUp, 'cluster' | 'identity'>>;

const UNSETTLED: ReadonlySet<string> = new Set(['racing', 'putting-back', 'not-finished']);
/** Whether somebody is still to bring it to its end. */
export const isUnsettled = ({ claimedAt, endedAt, code }: ActionRecord): boolean =>
  claimedAt !== null && (endedAt === null || UNSETTLED.has(code));

/**
 * Somebody gives a claim up, mostly rightly: else one that is settled, an earlier or later claim of
 * the same action, one of other systems, or without saying why.
 * @param abroad the systems of another cluster.
 */
export function drawGiveUp(
  random: Random,
  actions: readonly ActionRecord[],
  abroad: ClusterIdentity,
): DrawnGiveUp | undefined {
  const claims = actions.filter((it) => it.claimedAt !== null);
  const { id, claimedAt, identity } =
    random.maybe(random.chance(0.85) ? claims.filter(isUnsettled) : claims) ?? {};
  if (id === undefined || claimedAt === null || claimedAt === undefined) return undefined;
  const right: DrawnGiveUp = {
    type: 'give-up',
    of: id,
    claimedAt,
    reason: 'it was removed by hand',
    ...(identity && random.chance(0.8) && { identity }),
  };
  if (random.chance(0.5)) return right;
  return random.pick<DrawnGiveUp>([
    { ...right, identity: abroad },
    { ...right, identity: abroad },
    { ...right, cluster: 'another' },
    {
      ...right,
      claimedAt: new Date(Date.parse(claimedAt) + (random.chance(0.5) ? 1 : -1)).toISOString(),
    },
    { ...right, reason: undefined as never },
    { ...right, reason: undefined as never },
  ]);
}
