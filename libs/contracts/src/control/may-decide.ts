import type { Signer } from '@ovn-steward/shared/log/signer';
import { aboutOf } from '@ovn-steward/contracts/control/control-about';

/**
 * The kind of keys under which executors publish on the control topic; everything else there is for
 * people to decide.
 */
const OF_EXECUTORS = 'heard';

/**
 * Why a signer may not have written that under that key; undefined when they may.
 * @param type of the decision; undefined for a tombstone and for what cannot be read: who may
 *   decide only some things may not write those either.
 */
export function whyMayNotDecide(
  { name, role, clusters, decisions }: Signer,
  key: string,
  type: string | undefined,
): string | undefined {
  const about = aboutOf(key);
  if (about === undefined) return undefined; // it is about no cluster, and is refused as such
  if (clusters !== undefined && !clusters.includes(about.cluster))
    return `${name} may decide nothing about cluster ${about.cluster}`;
  const wanted = about.kind === OF_EXECUTORS ? 'executor' : 'approver';
  if (role !== wanted)
    return `${name} signs as ${role}, and this is for ${wanted === 'approver' ? 'an approver to decide' : 'an executor to publish'}`;
  if (wanted === 'executor' && about.id !== name)
    return `${name} may publish what it heard itself, and not what ${about.id} did`;
  if (decisions === undefined) return undefined;
  return type !== undefined && decisions.includes(type)
    ? undefined
    : `${name} may not decide this: ${type ?? 'a record without a type'}`;
}
