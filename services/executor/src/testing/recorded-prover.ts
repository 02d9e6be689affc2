import { userProtection } from '@ovn-steward/judgement/protection';
import type { Systems } from '@ovn-steward/systems/systems';
import { createProver, type Prover, type ProverOptions } from '../prove/prover';
import { KUBE_OVN, RECORDED_CLUSTER } from './recorded-engine';

/** A prover in a recorded cluster of which the user keeps nothing. */
export const recordedProver = (systems: Systems, more: Partial<ProverOptions> = {}): Prover =>
  createProver({
    cluster: RECORDED_CLUSTER,
    systems,
    isProtected: userProtection([]),
    kubeOvn: KUBE_OVN,
    ...more,
  });
