import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type { World } from '../world/world';

/**
 * Whether a finding that a check does not find any more stays: what does harm is as it was, and
 * something that it harms is gone.
 *
 * @param parts as of `Lasting`: the keys of parts of which the first is true.
 */
export const isLasting = (
  finding: Finding | undefined,
  parts: readonly string[],
  world: World,
): boolean =>
  finding !== undefined &&
  parts.includes(finding.subject.part?.key ?? '') &&
  finding.concerns.some(({ kind, uid }) => world.entity(kind, uid) === undefined);
