import { type Entity, keyOf } from '../world/entity';
import { isListed, LISTED_KINDS, type ListEvidence, there } from './listed-kinds';
import {
  ofClusterPolicy,
  ofEip,
  ofIp,
  ofOwners,
  ofPod,
  ofRuleOfEip,
  ofService,
  ofSubnet,
  ofSwitchRule,
} from './evidence-of-objects';
import { ofBalancer, ofPolicyRow, ofPort } from './evidence-of-rows';

/** What speaks of them. */
export const LIST_EVIDENCE_KINDS = [
  ...LISTED_KINDS,
  'SwitchLBRule',
  'Port_Group',
  'Address_Set',
  'Load_Balancer',
  'Logical_Switch_Port',
  'IP',
  'OvnEip',
  'Subnet',
  'Pod',
  'Deployment',
] as const;
export type ListEvidenceKind = (typeof LIST_EVIDENCE_KINDS)[number];

/**
 * What each kind says of objects of listed kinds, besides being there itself; the others say no
 * more.
 */
const EVIDENCE_OF: {
  readonly [K in ListEvidenceKind]?: (entity: Entity<K>) => readonly ListEvidence[];
} = {
  Port_Group: ofPolicyRow,
  Address_Set: ofPolicyRow,
  Load_Balancer: ofBalancer,
  Logical_Switch_Port: ofPort,
  ClusterNetworkPolicy: ofClusterPolicy,
  Service: ofService,
  SwitchLBRule: ofSwitchRule,
  IP: ofIp,
  OvnEip: ofEip,
  OvnFip: ofRuleOfEip,
  OvnSnatRule: ofRuleOfEip,
  OvnDnatRule: ofRuleOfEip,
  Subnet: ofSubnet,
  Pod: ofPod,
  StatefulSet: ofOwners,
  Deployment: ofOwners,
  VirtualMachineInstance: ofOwners,
};

/** All that an entity says of objects of listed kinds. */
export function listEvidenceOf(entity: Entity<ListEvidenceKind>): readonly ListEvidence[] {
  const read = EVIDENCE_OF[entity.kind] as
    ((entity: Entity<ListEvidenceKind>) => readonly ListEvidence[]) | undefined;
  return [
    ...(isListed(entity.kind) ? [there(entity.kind, keyOf(entity))] : []),
    ...(read?.(entity) ?? []),
  ];
}
