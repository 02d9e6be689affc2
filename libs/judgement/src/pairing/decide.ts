/** How the two systems agree about ports and networks, by names. */
export interface PairingCounts {
  /** Ports on both sides with one MAC, and with two. */
  agree: number;
  disagree: number;
  /** Of these, ports of nodes: nobody chooses a node's MAC. */
  nodesAgree: number;
  nodesDisagree: number;
  /** Of those that agree: where neither chance nor a copied manifest can be why. */
  random: number;
  /** Ports of nodes, and of pods, that a chassis holds up and nobody in Kubernetes has. */
  nodesMissed: number;
  podsMissed: number;
  /** Living pods and nodes whose port is not there. */
  portless: number;
  /** Logical switches and routers that have their Subnet or Vpc. */
  networks: number;
  /** Logical switches and routers of Kube-OVN's without their Subnet or Vpc. */
  networksMissed: number;
  /** Subnets and Vpcs whose logical switch or router is not there. */
  networksLost: number;
}

export const NO_PAIRING_COUNTS: Readonly<PairingCounts> = {
  agree: 0,
  disagree: 0,
  nodesAgree: 0,
  nodesDisagree: 0,
  random: 0,
  nodesMissed: 0,
  podsMissed: 0,
  portless: 0,
  networks: 0,
  networksMissed: 0,
  networksLost: 0,
};

export type PairingState = 'paired' | 'mispaired' | 'unknown';

export interface PairingVerdict {
  readonly is: PairingState;
  /** One sentence, with no figure in it: it moves when the verdict does. */
  readonly reason: string;
}

/** Of which kinds all is known. Of the others only what is there speaks, if anything. */
export interface Readable {
  readonly pods: boolean;
  readonly nodes: boolean;
  /** Subnets and Vpcs. */
  readonly networks: boolean;
  /** Whether both sides are recordings, of which one may be of a copy, or of another time. */
  readonly recorded: boolean;
}

/**
 * At most one in so many may contradict: in one cluster it is a pod that was made again a moment
 * ago.
 */
const ONE_IN = 20;
/**
 * So many may contradict, or be up without an owner, in any cluster: pods that were made again, or
 * deleted by force, a moment ago.
 */
const FEW = 2;
/**
 * One network may have lost its owner, and at most one in so many: Kube-OVN's finalizers stand
 * before that, so that somebody stripped them.
 */
const ONE_NETWORK_IN = 10;

const mispaired = (reason: string): PairingVerdict => ({ is: 'mispaired', reason });
const unknown = (reason: string): PairingVerdict => ({ is: 'unknown', reason });

/**
 * Whether `some` are more than a few, and more than one in twenty of all there are together with
 * them.
 */
const isTooMany = (some: number, others: number): boolean =>
  some > FEW && some * ONE_IN > others + some;

/**
 * Whether the Kubernetes is the one of the Northbound, by how often both agree.
 *
 * - Agreement in a MAC made at random is no chance: the weakest are 24 random bits, and one is
 *   enough to begin with. It counts as such only for nodes and for pods whose names are random too;
 *   a bare pod, a machine and a StatefulSet may have name and MAC from a manifest that lives in two
 *   clusters.
 * - As soon as as many disagree as agree it is another Kubernetes. Where fewer disagree, but more
 *   than one in twenty, the verdict is unknown.
 * - A port that a chassis holds up has an owner somewhere. When more nodes are missed so than
 *   agree, or more than one in twenty of the pods, or all pods of a namespace, Kubernetes was not
 *   read whole, or at another time, or is the copy of one: what it does not have proves nothing.
 * - The copy of a cluster, or its own past (a backup of etcd that was restored), has the same MACs.
 *   What differs are its networks: a Subnet or Vpc has a finalizer of Kube-OVN's until its switch
 *   or router is deleted, so that hardly any of these is ever without its owner, however much else
 *   is left over.
 * - Missing ports and networks are no such sign, where nodes agree: rules are to find that they are
 *   lost. They are a sign only where each side has what the other lacks: a cluster that lost rows
 *   does not also have pods that the other side does not know.
 *
 * The last two apply to recordings only, which can be mixed up by mistake. Two living systems that
 * answer at one time are of one time, and what was stripped of its finalizers there, be it half the
 * networks, is to be found.
 *
 * Where Pods cannot be read whole (one malformed object is enough), nodes alone decide, if all of
 * them agree; where Nodes cannot, more than a few pods have to. Rules that read what is not known
 * wait for it themselves.
 *
 * @param emptied namespaces of which ports are up and no pod has its port.
 */
export function decidePairing(
  all: PairingCounts,
  emptied: ReadonlySet<string>,
  readable: Readable,
): PairingVerdict {
  if (!readable.pods && !readable.nodes)
    return unknown(
      'neither Pods nor Nodes are known completely: nothing shows that this Kubernetes is that of the network',
    );
  const counts = readableOf(all, readable);
  return (
    byAddresses(counts, readable) ??
    byWhatIsMissed(counts, readable.pods ? emptied : new Set()) ??
    (readable.recorded ? byNetworks(counts) : undefined) ?? {
      is: 'paired',
      reason: 'MAC addresses made at random are the same on both sides',
    }
  );
}

/**
 * Without what kinds that are not known say: what was held of them before may have been deleted
 * long ago.
 */
function readableOf(all: PairingCounts, { pods, nodes, networks }: Readable): PairingCounts {
  const counts = { ...all };
  if (!pods) {
    counts.agree = all.nodesAgree;
    counts.disagree = all.nodesDisagree;
    counts.random = Math.min(all.random, all.nodesAgree);
    counts.podsMissed = 0;
    counts.portless = 0;
  }
  if (!nodes) {
    counts.agree = all.agree - all.nodesAgree;
    counts.disagree = all.disagree - all.nodesDisagree;
    counts.random = Math.max(0, all.random - all.nodesAgree);
    counts.nodesAgree = counts.nodesDisagree = counts.nodesMissed = 0;
  }
  if (!networks) counts.networks = counts.networksMissed = counts.networksLost = 0;
  return counts;
}

function byAddresses(counts: PairingCounts, { pods, nodes }: Readable): PairingVerdict | undefined {
  const { agree, disagree, nodesMissed, podsMissed, random } = counts;
  if ((disagree > 0 && disagree >= agree) || counts.nodesDisagree > counts.nodesAgree)
    return mispaired(
      'the MAC addresses of the pods and nodes here are not those of the ports of their names: this Kubernetes is another one than that of the network',
    );
  if (agree === 0 && nodesMissed + podsMissed > 0 && counts.portless > 0)
    return mispaired(
      'chassis hold ports up that nobody here has, and nobody here has a port there: this Kubernetes is another one than that of the network',
    );
  if (agree === 0)
    return unknown(
      'no pod and no node has a port of its name and its MAC address in the database: nothing shows that this Kubernetes is that of the network',
    );
  if (isTooMany(disagree, agree - disagree))
    return unknown(
      'too many pods and nodes have another MAC address than the ports of their names: this Kubernetes may be another one than that of the network',
    );
  if (random === 0)
    return unknown(
      'only MAC addresses agree that somebody may have given in two clusters: none of a node, and none of a pod with a name made at random',
    );
  if (!pods && (disagree > 0 || nodesMissed > 0))
    return unknown(
      'Pods are not known completely, and not all nodes have the MAC addresses of their ports: nothing else shows that this Kubernetes is that of the network',
    );
  if (!nodes && random <= FEW)
    return unknown(
      'Nodes are not known completely, and too few pods have the MAC addresses of their ports: nothing else shows that this Kubernetes is that of the network',
    );
  return undefined;
}

function byWhatIsMissed(
  counts: PairingCounts,
  emptied: ReadonlySet<string>,
): PairingVerdict | undefined {
  const { agree, nodesMissed, podsMissed } = counts;
  if (nodesMissed > counts.nodesAgree)
    return unknown(
      'chassis hold the ports of nodes up that this Kubernetes does not have: it may be another one than that of the network, or was not read whole',
    );
  if (isTooMany(podsMissed, agree))
    return unknown(
      'chassis hold the ports of too many pods up that this Kubernetes does not have: it was not read whole, or at another time than the database',
    );
  if (emptied.size > 0)
    return unknown(
      `chassis hold ports of namespace ${[...emptied].sort()[0]} up, of which this Kubernetes has no pod: that namespace may not have been read`,
    );
  if (counts.nodesAgree === 0 && counts.portless > agree)
    return unknown(
      'most pods have no port in the database: it may be that of another Kubernetes, or of another time',
    );
  return undefined;
}

function byNetworks({
  agree,
  networks,
  networksMissed,
  networksLost,
  ...counts
}: PairingCounts): PairingVerdict | undefined {
  // Where there is neither a Subnet nor a Vpc Kube-OVN was taken away, and none is missed.
  if (
    networks + networksLost > 0 &&
    networksMissed > 1 &&
    networksMissed * ONE_NETWORK_IN > networks + networksMissed
  )
    return unknown(
      'too many logical switches and routers of Kube-OVN have no Subnet or Vpc in this Kubernetes: it is a copy of that of the network, or was read at another time, or not whole',
    );
  if (
    counts.podsMissed + counts.nodesMissed + networksMissed > 0 &&
    isTooMany(counts.portless + networksLost, agree + networks)
  )
    return unknown(
      'each side has pods or networks that the other lacks: this Kubernetes is a copy of that of the network, or was read at another time',
    );
  return undefined;
}
