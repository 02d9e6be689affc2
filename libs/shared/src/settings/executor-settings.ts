import { z } from 'zod';
import { KUBE_OVN_CONTROLLER } from '../kube-ovn-controller';
import { Duration } from './duration';
import { Mode } from '../mode';
import { Freeze } from './freeze';
import { TimeWindow } from './time-window';
import { NamespaceName, ObjectName } from './object-names';

/**
 * How many effects an hour may see in one place: a share of what is there, but at least and at most
 * so many.
 */
const ceiling = (byDefault: {
  readonly least: number;
  readonly share: number;
  readonly most: number;
}) =>
  z
    .strictObject({
      least: z.number().int().min(0).default(byDefault.least),
      /** 0.01 is one in a hundred. */
      share: z.number().min(0).max(1).default(byDefault.share),
      most: z.number().int().min(0).default(byDefault.most),
    })
    .refine(({ least, most }) => least <= most, { path: ['least'], message: 'more than most' })
    .prefault({});

/** What the executor may do, how much of it, and when. */
export const ExecutorSettings = z.strictObject({
  /** Of every rule that `rules` does not name. */
  mode: Mode.default('observe'),
  /** By the rule's id. The ids are checked where the rules are known (`modes`). */
  rules: z.record(z.string().min(1), Mode).default({}),
  /** How many different people must allow what a rule proposes, by the rule's id. */
  approvers: z.record(z.string().min(1), z.number().int().min(1).max(9)).default({}),
  /** In any time t no more than burst + perSecond × t. */
  rate: z
    .strictObject({
      perSecond: z.number().positive().max(10_000).default(5),
      burst: z.number().int().min(1).max(10_000).default(10),
    })
    .prefault({}),
  ceilings: z
    .strictObject({
      rule: ceiling({ least: 10, share: 0.01, most: 500 }),
      subnet: ceiling({ least: 5, share: 0.1, most: 200 }),
      vpc: ceiling({ least: 10, share: 0.05, most: 500 }),
      cluster: ceiling({ least: 20, share: 0.02, most: 1000 }),
    })
    .prefault({}),
  /** None: always. Several: in any of them. */
  windows: z.array(TimeWindow).default([]),
  /** Win over windows. */
  freezes: z.array(Freeze).default([]),
  /** When to stand back from other controllers that delete. */
  yield: z
    .strictObject({
      afterLease: Duration.prefault('10m'),
      afterTaken: Duration.prefault('6m'),
      taken: z.number().int().min(1).default(3),
    })
    .prefault({}),
  proofAge: Duration.prefault('5s'),
  /** What is prevented rather than mended. */
  guard: z
    .strictObject({
      /** Off: it writes to every Vpc, and Kube-OVN since v1.13.4 holds its Vpcs itself. */
      vpcFinalizer: z.boolean().default(false),
      /**
       * Off: only where the policy pod-gate is installed, or pod templates carry the gate, is there
       * anything to lift.
       */
      podGates: z.boolean().default(false),
      podGateTimeout: Duration.prefault('30m'),
    })
    .prefault({}),
  /** How long an object may wait for its finalizers. */
  finishWithin: Duration.prefault('10m'),
  /** The Lease by which Kube-OVN's controllers elect their leader. */
  kubeOvn: z
    .strictObject({
      namespace: NamespaceName.default('kube-system'),
      lease: ObjectName.default(KUBE_OVN_CONTROLLER),
    })
    .prefault({}),
});
