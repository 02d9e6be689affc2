/** How the two systems agree about ports, by names. */
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
}

export type PairingState = 'paired' | 'mispaired' | 'unknown';

export interface PairingVerdict {
  readonly is: PairingState;
  /** One sentence, with no figure in it: it moves when the verdict does. */
  readonly reason: string;
}

/** At most one in so many may contradict: in one cluster it is a pod that was made again a moment ago. */
const ONE_IN = 20;
/** So many may contradict, or be up without an owner, in any cluster: pods that were made again, or deleted by force, a moment ago. */
const FEW = 2;

const mispaired = (reason: string): PairingVerdict => ({ is: 'mispaired', reason });
const unknown = (reason: string): PairingVerdict => ({ is: 'unknown', reason });

/**
 * Whether the Kubernetes is the one of the Northbound, by how often both agree.
 *
 * - Agreement in a MAC made at random is no chance: the weakest are 24 random bits, and one is enough to begin with. It counts as such only for nodes and for pods
 *   whose names are random too; a bare pod, a machine and a StatefulSet may have name and MAC from a manifest that lives in two clusters.
 * - As soon as as many disagree as agree it is another Kubernetes; less than that but more than one in twenty, nobody can know.
 * - A port that a chassis holds up has an owner somewhere. When more nodes are missed so than agree, or more than one in twenty of the pods, or all pods of a namespace,
 *   Kubernetes was not read whole, or at another time, or is the copy of one: what it does not have proves nothing.
 * - Ports that are not there are no such sign, where nodes agree: that they are lost is what is to be found.
 *
 * @param emptied namespaces of which ports are up and no pod has its port.
 */
export function decidePairing(counts: PairingCounts, emptied: ReadonlySet<string>): PairingVerdict {
  const { agree, disagree, nodesMissed, podsMissed } = counts;
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
  if (disagree > FEW && disagree * ONE_IN > agree)
    return unknown(
      'too many pods and nodes have another MAC address than the ports of their names: this Kubernetes may be another one than that of the network',
    );
  if (counts.random === 0)
    return unknown(
      'only MAC addresses agree that somebody may have given in two clusters: none of a node, and none of a pod with a name made at random',
    );
  if (nodesMissed > counts.nodesAgree)
    return unknown(
      'chassis hold the ports of nodes up that this Kubernetes does not have: it may be another one than that of the network, or was not read whole',
    );
  if (podsMissed > FEW && podsMissed * ONE_IN > agree + podsMissed)
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
  return { is: 'paired', reason: 'MAC addresses made at random are the same on both sides' };
}
