/**
 * The kinds of which a recording shows whether their lists are whole: other things name their
 * objects.
 */
export const LISTED_KINDS = [
  'Service',
  'NetworkPolicy',
  'AdminNetworkPolicy',
  'BaselineAdminNetworkPolicy',
  'ClusterNetworkPolicy',
  'SecurityGroup',
  'IPPool',
  'VpcEgressGateway',
  'VirtualMachine',
  'VirtualMachineInstance',
  'StatefulSet',
  'Node',
  'Vpc',
  'Vip',
  'OvnFip',
  'OvnSnatRule',
  'OvnDnatRule',
] as const;
export type ListedKind = (typeof LISTED_KINDS)[number];

/**
 * What an entity says of one object of a kind. `there`: it is that object. `named`: a row or object
 * was made for it, and may have outlived it. `needed`: what lives only with it is alive, so that it
 * was left out of the recording.
 */
export interface ListEvidence {
  readonly kind: ListedKind;
  /**
   * `namespace/name` or name; of Services an address, port and protocol as well; of rules for
   * OvnEips the OvnEip.
   */
  readonly key: string;
  readonly type: 'there' | 'named' | 'needed';
}

const LISTED: ReadonlySet<string> = new Set(LISTED_KINDS);
export const isListed = (kind: string): kind is ListedKind => LISTED.has(kind);

export const there = (kind: ListedKind, key: string): ListEvidence => ({
  kind,
  key,
  type: 'there',
});
export const namedEvidence = (kind: ListedKind, key: string): ListEvidence => ({
  kind,
  key,
  type: 'named',
});
export const needed = (kind: ListedKind, key: string): ListEvidence => ({
  kind,
  key,
  type: 'needed',
});
