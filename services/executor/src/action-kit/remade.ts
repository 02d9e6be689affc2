import { isRecord } from '@ovn-steward/systems/kubernetes/is-record';
import type { Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import type { HolderKind } from '@ovn-steward/judgement/kube-ovn/address-holders';
import { KUBE_OVN_FINALIZERS } from '@ovn-steward/judgement/kube-ovn/finalizers';

/** What is created so that an object comes back, and what that does not bring back. */
export interface Recreation {
  readonly manifest: Readonly<Record<string, unknown>>;
  /** A sentence each. */
  readonly losses: readonly string[];
}

type Text = Readonly<Record<string, unknown>>;

interface Remade {
  /** What making it again never brings back, a sentence each. */
  readonly losses: readonly [string, ...string[]];
  /** What is created, where the controller does not take the object for new as it was recorded. */
  readonly recreation?: (
    manifest: Text,
    spec: Text,
    kubernetes: Kubernetes,
    signal: AbortSignal,
  ) => Recreation | Promise<Recreation>;
}

/**
 * Whether it holds addresses, too: undo asks who has them by now, of the kinds that `HOLDER_KINDS`
 * knows. The compiler takes nothing else for an answer.
 */
const remade = <
  T extends {
    readonly [K in keyof T]: Remade & {
      readonly holdsAddresses: K extends HolderKind ? true : false;
    };
  },
>(
  kinds: T,
): T => kinds;

const NEW_UID = 'it is made with a new uid';

/**
 * The kinds of which undo makes objects again, and how; the controller makes their status. An
 * action deletes only what can be made again, so its kind has to be here (`deletesObject`);
 * `strip-finalizer` ends the deletion of other kinds, too.
 *
 * Tried with v1.17-dev, and so in the source of v1.13 to v1.16: an IP that has a finalizer when it
 * is made is passed over, and its address given away; a Vip of a switch's balancer is refused with
 * the MAC of the router's port in it; the others are taken as they were.
 */
const REMADE = remade({
  IP: {
    holdsAddresses: true,
    losses: [
      NEW_UID,
      'the controller makes a port for it only when its pod is there',
      'a controller that starts with its collection on removes it again while its pod is not there, unless it is reserved',
    ],
    recreation: takenIp,
  },
  IptablesEIP: {
    holdsAddresses: true,
    losses: [
      NEW_UID,
      "the controller gives the address to the gateway's pod again, with another MAC address",
    ],
  },
  OvnDnatRule: {
    holdsAddresses: false,
    losses: [NEW_UID, 'the controller recreates its load balancer'],
  },
  OvnEip: {
    holdsAddresses: true,
    losses: [NEW_UID, 'the controller recreates its ports and status, with another MAC address'],
    recreation: (manifest, spec) => ({
      manifest,
      losses:
        spec['type'] === 'lrp'
          ? ["its router port does not come back with it: the controller makes it with its Vpc's"]
          : [],
    }),
  },
  Vip: {
    holdsAddresses: true,
    losses: [NEW_UID, 'the controller recreates its port and status'],
    recreation: (manifest, spec) => ({ manifest: withoutRouterMac(manifest, spec), losses: [] }),
  },
});

export type RemadeKind = keyof typeof REMADE;

export const REMADE_KINDS = Object.keys(REMADE) as readonly RemadeKind[];

export const isRemadeKind = (kind: string): kind is RemadeKind => Object.hasOwn(REMADE, kind);

const remadeAs = (kind: RemadeKind): Remade => REMADE[kind];

/** What making an object of that kind again never brings back, a sentence each. */
export const lossesOf = (kind: RemadeKind): readonly string[] => remadeAs(kind).losses;

const recordIn = (manifest: Text, field: string): Text => {
  const found = manifest[field];
  return isRecord(found) ? found : {};
};

/**
 * An object as Kube-OVN's controller takes it for new, from the record of one that was removed.
 * @throws Failure when the subnet cannot be read.
 */
export async function recreation(
  kind: RemadeKind,
  manifest: Text,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<Recreation> {
  const make = remadeAs(kind).recreation;
  return make
    ? make(manifest, recordIn(manifest, 'spec'), kubernetes, signal)
    : { manifest, losses: [] };
}

/**
 * What putting back an object does not bring, beyond what is so of every one of its kind: to be
 * said before it is removed.
 * @throws Failure when the subnet cannot be read.
 */
export const notRestored = async (
  kind: string,
  manifest: Text,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<readonly string[]> =>
  isRemadeKind(kind)
    ? (await recreation(kind, manifest, kubernetes, signal)).losses
    : [`objects of kind ${kind} are not made again`];

const UNNOTICED =
  'the controller takes no notice of it until it starts again, and may give its address away until then';

/**
 * Pods and machines: what the controller makes reservations for, by the name that a port of theirs
 * has (kube-ovn.md §3.1).
 */
const RESERVED_FOR: ReadonlySet<unknown> = new Set([
  undefined,
  '',
  'StatefulSet',
  'VirtualMachine',
]);

async function takenIp(
  manifest: Text,
  spec: Text,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<Recreation> {
  const { finalizers, ...metadata } = recordIn(manifest, 'metadata');
  const others = (Array.isArray(finalizers) ? finalizers : []).filter(
    (it) => !KUBE_OVN_FINALIZERS.has(String(it)),
  );
  const port = await portNameOf(spec, kubernetes, signal);
  if (others.length > 0 || metadata['name'] !== port || !RESERVED_FOR.has(spec['podType']))
    return { manifest, losses: [UNNOTICED] };
  // The controller gives it a finalizer only where something of it changes: it writes the empty
  // lists.
  const filled = Object.entries(spec).filter(
    ([, value]) => !(Array.isArray(value) && value.length === 0),
  );
  return { manifest: { ...manifest, metadata, spec: Object.fromEntries(filled) }, losses: [] };
}

/** undefined where the subnet is not there to say by which provider it is named. */
async function portNameOf(
  { podName, namespace, subnet }: Text,
  kubernetes: Kubernetes,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (typeof podName !== 'string' || typeof namespace !== 'string' || typeof subnet !== 'string')
    return undefined;
  const found = subnet && (await kubernetes.get('Subnet', undefined, subnet, signal));
  if (!found || podName === '' || namespace === '') return undefined;
  const { provider } = recordIn(found, 'spec');
  const own = typeof provider !== 'string' || provider === '' || provider === 'ovn';
  return `${podName}.${namespace}${own ? '' : `.${provider}`}`;
}

function withoutRouterMac(manifest: Text, spec: Text): Text {
  if (spec['type'] !== 'switch_lb_vip') return manifest;
  const { macAddress: _, ...kept } = spec;
  return { ...manifest, spec: kept };
}
