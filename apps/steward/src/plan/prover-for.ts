import { createProver } from '@ovn-steward/executor';
import { userProtection } from '@ovn-steward/judgement/protection';
import type { Systems } from '@ovn-steward/systems/systems';
import type { Channel } from '../inputs/decisions';

/** Proves findings of the channel's cluster on these systems, as its settings say. */
export const proverFor = (
  { cluster, config }: Pick<Channel, 'cluster' | 'config'>,
  systems: Systems,
): ReturnType<typeof createProver> =>
  createProver({
    cluster,
    systems,
    isProtected: userProtection(config.protect),
    kubeOvn: config.executor.kubeOvn,
    uninstalled: config.uninstalled,
  });
