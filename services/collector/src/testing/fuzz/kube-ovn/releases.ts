/**
 * What differs between releases of Kube-OVN, as far as it is played (kube-ovn.md §0.3,
 * kube-ovn-live.md).
 */
export interface Release {
  readonly version: string;
  readonly finalizer: string;
  /**
   * What its collection at a start asks of IP objects: nothing, whether the subnet is there, or
   * whether the owner is.
   */
  readonly collectsIps: 'no' | 'subnet' | 'owner';
  /** Whether groups, sets, ACLs and balancers have `vendor`. */
  readonly tagsAll: boolean;
  /**
   * What a start does to ACLs without `parent`: nothing, removes all, removes those with `vendor`.
   */
  readonly parentlessAcls: 'kept' | 'removed' | 'own';
  /** Whether a start moves every ACL of tier 0 to 2. */
  readonly movesTiers: boolean;
  /** Whether its collection takes port groups of others. */
  readonly takesGroups: boolean;
  /** Whether an `ipBlock` is written into the match of an ACL; else it is in the rule's set. */
  readonly inlinesBlocks: boolean;
  /** Whether the NAT of a floating IP has an option that nobody else writes, by a slip. */
  readonly marksNats: boolean;
  /** Whether the end of a machine is heard of (#5367). */
  readonly forgetsMachines: boolean;
  /**
   * Whether an entry of a balancer goes with its check; elsewhere only the end of its SwitchLBRule
   * takes that (LoadBalancerDeleteVip).
   */
  readonly clearsChecks: boolean;
}

/** Whether it is that release or a later one. */
export function isAtLeast({ version }: Release, major: number, minor: number): boolean {
  const [its = 0, itsMinor = 0] = version.slice(1).split('.').map(Number);
  return its > major || (its === major && itsMinor >= minor);
}

const OLD = 'kube-ovn-controller';
const NEW = 'kubeovn.io/kube-ovn-controller';

export const RELEASES: readonly Release[] = [
  {
    version: 'v1.12.35',
    finalizer: OLD,
    collectsIps: 'no',
    tagsAll: false,
    parentlessAcls: 'kept',
    movesTiers: false,
    takesGroups: false,
    inlinesBlocks: false,
    marksNats: true,
    forgetsMachines: false,
    clearsChecks: false,
  },
  {
    version: 'v1.13.2',
    finalizer: NEW,
    collectsIps: 'no',
    tagsAll: false,
    parentlessAcls: 'kept',
    movesTiers: false,
    takesGroups: true,
    inlinesBlocks: false,
    marksNats: true,
    forgetsMachines: false,
    clearsChecks: false,
  },
  {
    version: 'v1.14.4',
    finalizer: NEW,
    collectsIps: 'subnet',
    tagsAll: false,
    parentlessAcls: 'removed',
    movesTiers: true,
    takesGroups: true,
    inlinesBlocks: false,
    marksNats: true,
    forgetsMachines: true,
    clearsChecks: false,
  },
  {
    version: 'v1.14.41',
    finalizer: NEW,
    collectsIps: 'owner',
    tagsAll: false,
    parentlessAcls: 'removed',
    movesTiers: true,
    takesGroups: true,
    inlinesBlocks: false,
    marksNats: true,
    forgetsMachines: true,
    clearsChecks: true,
  },
  {
    version: 'v1.15.3',
    finalizer: NEW,
    collectsIps: 'owner',
    tagsAll: true,
    parentlessAcls: 'own',
    movesTiers: true,
    takesGroups: false,
    inlinesBlocks: false,
    marksNats: true,
    forgetsMachines: true,
    clearsChecks: false,
  },
  {
    version: 'v1.16.2',
    finalizer: NEW,
    collectsIps: 'owner',
    tagsAll: true,
    parentlessAcls: 'own',
    movesTiers: true,
    takesGroups: false,
    inlinesBlocks: true,
    marksNats: false,
    forgetsMachines: true,
    clearsChecks: true,
  },
  {
    version: 'v1.17.0',
    finalizer: NEW,
    collectsIps: 'owner',
    tagsAll: true,
    parentlessAcls: 'own',
    movesTiers: true,
    takesGroups: false,
    inlinesBlocks: true,
    marksNats: false,
    forgetsMachines: true,
    clearsChecks: true,
  },
];
