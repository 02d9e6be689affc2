import { RULES as ALL_RULES } from '@ovn-steward/judgement/rules/registry';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { EXECUTOR_ACTIONS as REGISTRY } from '../../actions/registry';
import { isProposal, type Proposal } from '../../findings/proposal';
import { type Cluster, rowsOf } from './cluster';

const TABLES = [
  'Logical_Switch_Port',
  'Port_Group',
  'Address_Set',
  'Logical_Switch',
  'Logical_Router',
  'Logical_Router_Port',
  'Logical_Router_Policy',
  'DHCP_Options',
  'Load_Balancer',
  'ACL',
  'NB_Global',
] as const;
const ACTIONS = [...REGISTRY.map((it) => it.id), 'no-such-action'];
const RULES = [...ALL_RULES.map((it) => it.id), 'no-such-rule'];
const KINDS = [
  'IP',
  'Pod',
  'Subnet',
  'Vpc',
  'Node',
  'Namespace',
  'NetworkPolicy',
  'SecurityGroup',
  'Vip',
  'NetworkAttachmentDefinition',
] as const;

/** Anything there is. */
function anything(cluster: Cluster): Reference | undefined {
  const { random, kubernetes } = cluster;
  if (random.chance(0.3)) {
    const kind = random.pick(KINDS);
    const object = random.maybe(kubernetes.objects(kind));
    return (
      object && {
        source: 'kubernetes',
        kind,
        name: object.metadata.name,
        uid: object.metadata.uid,
        ...(object.metadata.namespace === undefined
          ? {}
          : { namespace: object.metadata.namespace }),
      }
    );
  }
  const table = random.pick(TABLES);
  const [uid, row] = random.maybe(rowsOf(cluster, table)) ?? [];
  if (uid === undefined) return undefined;
  const part =
    table === 'Load_Balancer' && random.chance(0.7)
      ? { part: { column: 'vips', key: '10.96.0.11:80' } }
      : {};
  return {
    source: 'ovn-nb',
    kind: table,
    uid,
    name: typeof row?.['name'] === 'string' ? row['name'] : '',
    ...part,
  };
}

/**
 * A finding that lies: a true one in which something was exchanged, made of nothing but inventions,
 * or of long ago.
 */
export function lie(cluster: Cluster, truths: readonly Proposal[]): Proposal | undefined {
  const { random } = cluster;
  const truth = random.maybe(truths);
  const thing = anything(cluster);
  if (!truth || !thing) return undefined;
  const invented = random.uuid();
  const lies: readonly (() => unknown)[] = [
    () => ({ ...truth, remedy: { ...truth.remedy, target: thing } }),
    () => ({ ...truth, subject: thing, remedy: { ...truth.remedy, target: thing } }),
    () => ({
      ...truth,
      id: invented,
      subject: thing,
      remedy: { ...truth.remedy, target: thing },
      proof: [{ fact: 'absent', source: 'kubernetes', kind: 'Pod', key: 'no/body' }],
    }),
    () => ({
      ...truth,
      id: invented,
      rule: random.pick(RULES),
      remedy: { ...truth.remedy, action: random.pick(ACTIONS) },
    }),
    () => ({ ...truth, remedy: { ...truth.remedy, action: random.pick(ACTIONS) } }),
    () => ({ ...truth, proof: truth.proof.slice(1) }),
    () => ({
      ...truth,
      owner: { owner: 'kube-ovn', verdict: 'candidate', confidence: 3, evidence: ['trust me'] },
    }),
    () => ({ ...truth, revision: truth.revision + 1 + random.int(5) }),
    () => ({ ...truth, subject: { ...truth.subject, uid: thing.uid } }),
    () => ({
      ...truth,
      remedy: {
        ...truth.remedy,
        target: { ...truth.remedy.target, part: { column: 'external_ids', key: 'vendor' } },
      },
    }),
    () => ({
      ...truth,
      id: invented,
      rule: random.pick(RULES),
      subject: thing,
      remedy: { action: random.pick(ACTIONS), target: anything(cluster) ?? thing, advice: 'do it' },
    }),
  ];
  const lying = random.pick(lies)() as Proposal;
  return isProposal(lying) ? lying : undefined;
}
