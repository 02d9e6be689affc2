import {
  gateAt,
  gateWaitsFor,
  isChosen,
  desiredSubnet,
} from '@ovn-steward/judgement/readiness/gate-waits-for';
import { vpcNameOf } from '@ovn-steward/judgement/readiness/subnet-waits-for';
import { Failure } from '@ovn-steward/shared/errors';
import { GATE } from '@ovn-steward/shared/pod-gate';
import type {
  Kubernetes,
  KubernetesObject,
  RefusedWrite,
} from '@ovn-steward/systems/kubernetes/kubernetes';
import { NO_EVENTS } from './guard-event';

/** A pod whose gate was checked. */
export interface HeldPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Since when we know of it; milliseconds. */
  readonly heldMs: number;
}

export type GateEvent =
  /** What became of a pod's gate. `held`: published again only when the reason changes. */
  | {
      readonly type: 'pod-gate';
      readonly did: 'held' | 'lifted' | 'timed-out';
      readonly pod: HeldPod;
      readonly reason: string;
    }
  /** All that are held, after each round; empty once the guard has ended. */
  | { readonly type: 'pods-held'; readonly held: readonly HeldPod[] }
  | { readonly type: 'guard-failed'; readonly error: string };

export interface PodGatesOptions {
  readonly kubernetes: Pick<Kubernetes, 'get' | 'list' | 'patch' | 'writeEvent'>;
  /** After so long a gate is lifted though nothing is ready; undefined: never. */
  readonly timeoutMs: number | undefined;
  /** Milliseconds, only growing. */
  readonly now: () => number;
  /** For metrics and logs; must not throw. */
  readonly onEvent: (event: GateEvent) => void;
}

/** What Kubernetes' events of a pod say. */
const EVENTS = {
  lifted: { type: 'Normal', reason: 'SubnetReady' },
  held: { type: 'Normal', reason: 'WaitingForSubnet' },
  'timed-out': { type: 'Warning', reason: 'SubnetNotReadyInTime' },
} as const;

/**
 * Lifts our scheduling gate from pods whose subnet is ready and bound to their namespace, and no
 * other gate. What cannot be read keeps a pod held, until the time is over: then it is lifted all
 * the same, with a warning on the pod, since a pod that never starts is an outage too. The time
 * runs from when this process first saw the pod, so that no clock that was set lifts a gate early.
 */
export class PodGates {
  readonly #options: PodGatesOptions;
  readonly #firstSeen = new Map<string, number>();
  /** Why a pod is held, as it was published last; by uid. */
  readonly #reported = new Map<string, string>();

  constructor(options: PodGatesOptions) {
    this.#options = options;
  }

  /**
   * Checks every held pod once, and lifts the gates that may be lifted. Returns those still held.
   * @throws Failure when the pods cannot be listed.
   */
  async round(signal: AbortSignal): Promise<readonly HeldPod[]> {
    const { kubernetes } = this.#options;
    const pods = (await kubernetes.list('Pod', undefined, signal, 'unscheduled')).filter(
      (it) => gateAt(it) >= 0 && it.metadata.deletionTimestamp === undefined,
    );
    const reading = readingOnce(kubernetes, signal);
    const still: HeldPod[] = [];
    for (const pod of pods) {
      const held = this.#held(pod);
      if (!(await this.#check(pod, held, reading, signal))) still.push(held);
    }
    const uids = new Set(still.map((it) => it.uid));
    for (const map of [this.#firstSeen, this.#reported])
      for (const uid of map.keys()) if (!uids.has(uid)) map.delete(uid);
    return still;
  }

  #held({ metadata: { namespace = '', name, uid } }: KubernetesObject): HeldPod {
    const now = this.#options.now();
    const since = this.#firstSeen.get(uid) ?? now;
    this.#firstSeen.set(uid, since);
    return { namespace, name, uid, heldMs: now - since };
  }

  /** Whether its gate is lifted now. */
  async #check(
    pod: KubernetesObject,
    held: HeldPod,
    reading: Parameters<typeof judged>[1],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { timeoutMs, onEvent } = this.#options;
    const { waits, reason } = await judged(pod, reading);
    if (!waits) return this.#lift(pod, held, 'lifted', reason, signal);
    if (timeoutMs !== undefined && held.heldMs >= timeoutMs) {
      const late = `No longer held after ${Math.round(held.heldMs / 1000)} s, though it still waits for ${reason}. It may get an address of another subnet.`;
      return this.#lift(pod, held, 'timed-out', late, signal);
    }
    if (this.#reported.get(held.uid) === reason) return false;
    this.#reported.set(held.uid, reason);
    onEvent({ type: 'pod-gate', did: 'held', pod: held, reason });
    const note = `Held until its network is ready. It waits for ${reason}.`;
    await this.#writeEvent('held', held, note, signal);
    return false;
  }

  async #lift(
    pod: KubernetesObject,
    held: HeldPod,
    did: 'lifted' | 'timed-out',
    reason: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { kubernetes, onEvent } = this.#options;
    const written = await liftGate(pod, kubernetes, signal);
    if (written === 'conflict') return false; // it changed or went: the next round sees what it is now
    if (written !== 'lifted') {
      onEvent({
        type: 'guard-failed',
        error: `The gate of Pod ${held.namespace}/${held.name} could not be lifted: ${written.message}`,
      });
      return false;
    }
    onEvent({ type: 'pod-gate', did, pod: held, reason });
    await this.#writeEvent(did, held, reason, signal);
    return true;
  }

  async #writeEvent(
    type: keyof typeof EVENTS,
    { namespace, name, uid }: HeldPod,
    note: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { kubernetes, onEvent } = this.#options;
    const written = await kubernetes.writeEvent(
      {
        regarding: { kind: 'Pod', namespace, name, uid },
        ...EVENTS[type],
        action: 'subnet-gate',
        note,
      },
      signal,
    );
    if (!written && !signal.aborted) onEvent({ type: 'guard-failed', error: NO_EVENTS });
  }
}

/**
 * The pods that have our gate, `<namespace>/<name>`.
 * @throws Failure when the pods cannot be listed.
 */
export const heldPods = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  signal: AbortSignal,
): Promise<readonly string[]> =>
  (await kubernetes.list('Pod', undefined, signal, 'unscheduled'))
    .filter((it) => gateAt(it) >= 0)
    .map(({ metadata: { namespace, name } }) => `${namespace}/${name}`)
    .sort();

/** A pod that changes meanwhile is read again so often. */
const TRIES = 5;

/**
 * Removes our gate from every pod that has it: for a shutdown after which nothing lifts gates. A
 * pod that is deleted meanwhile has none any more. Returns how many it lifted, and the refusals.
 * @throws Failure when the pods cannot be listed.
 */
export async function liftAllGates(
  kubernetes: Pick<Kubernetes, 'list' | 'patch'>,
  signal: AbortSignal,
): Promise<{ readonly lifted: number; readonly refused: readonly string[] }> {
  let lifted = 0;
  for (let tries = 1; ; tries += 1) {
    const pods = (await kubernetes.list('Pod', undefined, signal, 'unscheduled')).filter(
      (it) => gateAt(it) >= 0,
    );
    const refused: string[] = [];
    let changed = 0;
    for (const pod of pods) {
      const written = await liftGate(pod, kubernetes, signal);
      if (written === 'lifted') lifted += 1;
      else
        refused.push(
          `${pod.metadata.namespace}/${pod.metadata.name}: ${written === 'conflict' ? 'it changed meanwhile' : written.message}`,
        );
      if (written === 'conflict') changed += 1;
    }
    if (changed === 0 || tries === TRIES) return { lifted, refused };
  }
}

async function liftGate(
  pod: KubernetesObject,
  kubernetes: Pick<Kubernetes, 'patch'>,
  signal: AbortSignal,
): Promise<'lifted' | 'conflict' | RefusedWrite> {
  const { namespace, name, uid, resourceVersion } = pod.metadata;
  const path = `/spec/schedulingGates/${gateAt(pod)}`;
  const version = {
    kind: 'Pod',
    name,
    uid,
    resourceVersion,
    ...(namespace !== undefined && { namespace }),
  };
  const written = await kubernetes.patch(
    version,
    [
      { op: 'test', path: `${path}/name`, value: GATE },
      { op: 'remove', path },
    ],
    signal,
  );
  if (written.is === 'patched') return 'lifted';
  return written.why === 'conflict' ? 'conflict' : written;
}

type Reading = (kind: string, namespace: string | undefined, name: string) => Promise<unknown>;

/** Many pods need the same subnet: within a round each object is read once. */
function readingOnce(kubernetes: Pick<Kubernetes, 'get'>, signal: AbortSignal): Reading {
  const read = new Map<string, Promise<unknown>>();
  return (kind, namespace, name) => {
    const key = `${kind} ${namespace ?? ''}/${name}`;
    if (!read.has(key)) read.set(key, kubernetes.get(kind, namespace, name, signal));
    return read.get(key)!;
  };
}

/** Whether the pod has to wait, and for what; what cannot be read is waited for. */
async function judged(
  pod: KubernetesObject,
  read: Reading,
): Promise<{ readonly waits: boolean; readonly reason: string }> {
  const { namespace: name = '' } = pod.metadata;
  try {
    const namespace = { name, object: await read('Namespace', undefined, name) };
    const desired = desiredSubnet(pod, namespace.object);
    const subnet = desired === undefined ? undefined : await read('Subnet', undefined, desired);
    const vpc = vpcNameOf(subnet);
    const waits = gateWaitsFor({
      pod,
      namespace,
      subnet,
      vpc: vpc === undefined ? undefined : await read('Vpc', undefined, vpc),
    });
    return waits.length === 0
      ? {
          waits: false,
          reason: `Subnet ${desired} is ready${isChosen(pod) ? '' : ` and bound to namespace ${name}`}.`,
        }
      : { waits: true, reason: waits.join('; ') };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { waits: true, reason: `what could not be read: ${error.message}` };
  }
}
