import { alive, type Cluster, keyIn, rowNamed, ROUTER, uuidsOf } from '../cluster';
import { dnatOf, dnatStatus } from '../kube-ovn/dnat-rules';
import { statusOf } from '../kube-ovn/floating-ips';
import { isAtLeast } from '../kube-ovn/releases';
import type { Ill } from './ill';

/** What is wrong with ports of external addresses that lead inside, and with those addresses. */
export function* dnatIlls(cluster: Cluster): Generator<Ill> {
  for (const rule of cluster.objects.all('OvnDnatRule')) {
    const { uid, name } = rule.metadata;
    const { ready, v4Eip, externalPort } = dnatStatus(rule);
    const [, row] = rowNamed(cluster, 'Load_Balancer', name) ?? [];
    const vip = row && keyIn(row['vips'], `${v4Eip}:${externalPort}`);
    const what = `OvnDnatRule ${name}`;
    if (alive(rule) && ready === true && externalPort !== dnatOf(rule).externalPort)
      yield { rule: 'ovn-dnat-rule-change-ignored', uid, what, expected: 'must' };
    // A balancer that is left still leads inside.
    const isLeft = row !== undefined;
    if (!alive(rule))
      yield {
        rule: 'stuck-ovn-dnat-rule-deletion',
        uid,
        what,
        expected: isLeft ? 'report' : 'must',
      };
    else if (ready === true && vip === undefined)
      yield { rule: 'ovn-dnat-rule-without-vip', uid, what, expected: 'must' };
  }
  yield* leftBalancers(cluster);
  yield* balancersAtRisk(cluster);
  const eips = [...cluster.objects.all('OvnEip')];
  for (const eip of eips) {
    const { uid, name } = eip.metadata;
    if (!alive(eip)) {
      const expected = isNamed(cluster, name) ? 'report' : 'must';
      yield { rule: 'stuck-ovn-eip-deletion', uid, what: `OvnEip ${name}`, expected };
      continue;
    }
    const isSecond = eips.some(
      (it) => alive(it) && statusOf(it).v4Ip === statusOf(eip).v4Ip && bornOf(it) < bornOf(eip),
    );
    if (keepsFormer(cluster, name, statusOf(eip).v4Ip))
      yield { rule: 'ovn-eip-change-ignored', uid, what: name, expected: 'must' };
    if (isSecond) yield { rule: 'duplicate-ovn-eip-address', uid, what: name, expected: 'must' };
  }
}

/** Whether a rule that is ready leads from what another OvnEip of that name had. */
const keepsFormer = ({ objects }: Cluster, eip: string, address: string | undefined): boolean =>
  [...objects.all('OvnDnatRule')].some((rule) => {
    const { ready, v4Eip } = dnatStatus(rule);
    return alive(rule) && dnatOf(rule).ovnEip === eip && ready === true && v4Eip !== address;
  });

const isNamed = ({ objects }: Cluster, eip: string): boolean =>
  [...objects.all('OvnDnatRule')].some((it) => dnatOf(it).ovnEip === eip);

/**
 * v1.12 takes at its next start what is called as a rule, and as nothing else of its own. What is
 * left of a deleted rule is no loss.
 */
function* balancersAtRisk(cluster: Cluster): Generator<Ill> {
  if (isAtLeast(cluster.release, 1, 13)) return;
  const owners = [...cluster.rows('Load_Balancer').keys()]
    .map((it) => cluster.labels.get(it)?.owners[0])
    .filter((it) => it?.kind === 'OvnDnatRule');
  const controller = cluster.objects.get('Deployment', 'kube-system', 'kube-ovn-controller');
  if (owners.length === 0 || !controller) return;
  const { uid } = controller.metadata;
  const isServed = owners.some((it) => cluster.objects.get('OvnDnatRule', undefined, it!.name));
  const expected = isServed ? 'must' : 'may';
  yield { rule: 'neighbours-at-risk', uid, what: 'balancers of DNAT rules would go', expected };
}

const bornOf = ({ metadata }: { metadata: Readonly<Record<string, unknown>> }): string =>
  `${String(metadata['creationTimestamp'])} ${String(metadata['uid'])}`;

/** Balancers of rules that are gone: those whose vips are gone, too, lie on no router. */
function* leftBalancers(cluster: Cluster): Generator<Ill> {
  const used = uuidsOf(rowNamed(cluster, 'Logical_Router', ROUTER)![1]['load_balancer']);
  for (const [uid, row] of cluster.rows('Load_Balancer')) {
    const label = cluster.labels.get(uid);
    const [owner] = label?.owners ?? [];
    if (owner?.kind !== 'OvnDnatRule' || cluster.objects.get(owner.kind, undefined, owner.name))
      continue;
    const [vip] = (row['vips'] as [string, [string, string][]])[1].map(([it]) => it);
    const [address, port] = vip?.split(':') ?? [];
    const isOfEip = [...cluster.objects.all('OvnEip')].some((it) => statusOf(it).v4Ip === address);
    const isOther = [...cluster.objects.all('OvnDnatRule')].some(
      (it) => dnatOf(it).externalPort === port,
    );
    const isTagged = keyIn(row['external_ids'], 'vendor') !== undefined;
    // An empty one may be anybody's, unless it lies on a router of Kube-OVN's.
    const isKnown = isTagged && used.includes(uid) && (vip === undefined || (isOfEip && !isOther));
    const expected = isKnown ? 'must' : 'may';
    yield { rule: 'orphaned-load-balancer', uid, what: `of OvnDnatRule ${owner.name}`, expected };
  }
}
