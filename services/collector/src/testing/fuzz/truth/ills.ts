import type { KubernetesObject } from '@ovn-steward/systems/kubernetes/kubernetes';
import { nameOf } from '@ovn-steward/systems/testing/kube-ovn/shapes';
import { alive, annotationOf, type Cluster, keyIn, rowNamed } from '../cluster';
import { isLive, machineOf, networksOf } from '../kube-ovn/pod';
import { specOf } from '../kube-ovn/nat-gateway-parts';
import { givenTo, vipSpec } from '../kube-ovn/vips';
import { addressIlls, addressOf } from './address-ills';
import { isWanted } from './alive';
import { controllerIlls } from './controller-ills';
import { dnatIlls } from './dnat-ills';
import { floatingIlls, snatIlls } from './floating-ills';
import { gatewayIlls } from './gateway-ills';
import type { Ill } from './ill';
import { meddledIlls } from './meddled-ills';
import { natGatewayIlls } from './nat-gateway-ills';
import type { Label } from './labels';
import { placementIlls } from './placement-ills';
import { policyIlls } from './policy-ills';
import { poolIlls } from './pool-ills';
import { routeIlls } from './route-ills';
import { securityIlls } from './security-ills';
import { outsideIlls } from './outside-ills';
import { serviceIlls } from './service-ills';
import { sessionIlls } from './session-ills';
import { tenantIlls } from './tenant-ills';
import { isUninstalled, uninstalledIlls } from './uninstall-ills';
import { uplinkIlls } from './uplink-ills';
import { vipIlls } from './vip-ills';
import { workloadIlls } from './workload-ills';

const ALLOCATED = '.kubernetes.io/allocated';

/** All that is wrong now. */
export const illsOf = (cluster: Cluster): Iterable<Ill> =>
  isUninstalled(cluster) ? uninstalledIlls(cluster, illsOfLiving(cluster)) : illsOfLiving(cluster);

function* illsOfLiving(cluster: Cluster): Generator<Ill> {
  yield* leaks(cluster);
  yield* orphans(cluster);
  for (const pod of cluster.objects.all('Pod')) yield* outages(cluster, pod);
  yield* addressIlls(cluster);
  yield* risks(cluster);
  yield* securityIlls(cluster);
  yield* policyIlls(cluster);
  yield* gatewayIlls(cluster);
  yield* controllerIlls(cluster);
  yield* sessionIlls(cluster);
  yield* floatingIlls(cluster);
  yield* snatIlls(cluster);
  yield* uplinkIlls(cluster);
  yield* routeIlls(cluster);
  yield* tenantIlls(cluster);
  yield* dnatIlls(cluster);
  yield* outsideIlls(cluster);
  yield* vipIlls(cluster);
  yield* natGatewayIlls(cluster);
  yield* workloadIlls(cluster);
  yield* serviceIlls(cluster);
  yield* meddledIlls(cluster);
  yield* poolIlls(cluster);
  yield* placementIlls(cluster);
}

const isOwned = (cluster: Cluster, label: Label): boolean =>
  label.owners.some((it) => isWanted(cluster, it));
const isReserved = (ip: KubernetesObject): boolean =>
  (ip.metadata['labels'] as Record<string, string> | undefined)?.[
    'ovn.kubernetes.io/ip_reserved'
  ] === 'true';

/** How many records there are of each address. */
class Counts {
  readonly #counts = new Map<string, number>();

  add(address: string): void {
    this.#counts.set(address, this.of(address) + 1);
  }

  of(address: string): number {
    return this.#counts.get(address) ?? 0;
  }
}

/**
 * Records of nobody, records of what an owner that lives has no more, and records that do not go.
 */
function* leaks(cluster: Cluster): Generator<Ill> {
  const living = new Counts();
  const used = new Counts();
  const terminating = new Counts();
  const all = [...cluster.objects.all('IP')].map((ip) => {
    const label = cluster.labels.get(ip.metadata.uid);
    const isHeld = label !== undefined && (isReserved(ip) || isOwned(cluster, label));
    // A reservation, or what is on its way out, uses the address for nobody that can be named.
    const isUsed = isHeld && !isReserved(ip) && alive(ip);
    return { ip, label, isHeld, isUsed, address: addressOf(ip) };
  });
  for (const { ip, address, isHeld, isUsed } of all) {
    if (isHeld) living.add(address);
    if (isUsed) used.add(address);
    if (!alive(ip)) terminating.add(address);
  }
  for (const record of all) {
    const { name, uid } = record.ip.metadata;
    // Its own owner counts too: one that lives may have left the network the record is of.
    const isHeldByOther = living.of(record.address) > (record.isHeld ? 1 : 0);
    const isUsedByOther = used.of(record.address) > (record.isUsed ? 1 : 0);
    // Whose a record is that is being deleted need not be known: it goes, or is found to hang,
    // first.
    const unheld = terminating.of(record.address) > 0 ? 'may' : 'must';
    const byRecords = !isHeldByOther ? unheld : isUsedByOther ? 'report' : 'keep';
    const expected = expectedOfVip(cluster, record.address) ?? byRecords;
    if (!alive(record.ip))
      yield { rule: 'stuck-ip-deletion', uid, what: `IP ${name} does not go`, expected: 'must' };
    else if (record.label === undefined || isReserved(record.ip)) continue;
    else if (!isOwned(cluster, record.label))
      yield { rule: 'leaked-ip', uid, what: `IP ${name} is nobody's`, expected };
    else if (isDetached(cluster, record.ip))
      yield {
        rule: 'ip-of-removed-interface',
        uid,
        what: `IP ${name} is of no network of its pod`,
        expected,
      };
  }
}

/**
 * Where a Vip has the address as well nothing may be done; of one that only asks for it nobody has
 * to know that it was not given it.
 */
function expectedOfVip(cluster: Cluster, address: string): Ill['expected'] | undefined {
  let expected: Ill['expected'] | undefined;
  for (const vip of cluster.objects.all('Vip')) {
    const { subnet, v4ip } = vipSpec(vip);
    if (`${subnet} ${givenTo(vip) ?? v4ip}` !== address || expected === 'keep') continue;
    expected = !alive(vip) ? 'keep' : givenTo(vip) === undefined ? 'may' : 'report';
  }
  return expected;
}

/** Whether its pod runs without the network it is of. */
function isDetached(cluster: Cluster, ip: KubernetesObject): boolean {
  const { namespace = '', podName = '', podType } = specOf(ip);
  const suffix = ip.metadata.name.slice(`${podName}.${namespace}`.length);
  const pod = cluster.objects.get('Pod', namespace, podName);
  if (suffix === '' || podType === 'VirtualMachine' || !isLive(pod)) return false;
  const { phase } = pod['status'] as { phase?: string };
  return (
    phase === 'Running' &&
    annotationOf(pod, `ovn${ALLOCATED}`) === 'true' &&
    !networksOf(cluster, pod).some((it) => it.suffix === suffix)
  );
}

/** Ports of nobody whose record is gone or going. */
function* orphans(cluster: Cluster): Generator<Ill> {
  for (const [uid, row] of cluster.rows('Logical_Switch_Port')) {
    const label = cluster.labels.get(uid);
    if (label === undefined || isOwned(cluster, label)) continue;
    const ip = cluster.objects.get('IP', undefined, label.name);
    if (alive(ip)) continue;
    yield {
      rule: 'orphaned-logical-switch-port',
      uid,
      what: `port ${label.name} is nobody's`,
      expected: row['up'] === true || (ip !== undefined && isReserved(ip)) ? 'may' : 'must',
    };
  }
}

/** What a living pod lacks. */
function* outages(cluster: Cluster, pod: KubernetesObject): Generator<Ill> {
  if (!isLive(pod)) return;
  const { uid, name, namespace = '' } = pod.metadata;
  const isServed = [...cluster.objects.all('Pod')].some(
    (it) => annotationOf(it, `ovn${ALLOCATED}`) === 'true',
  );
  if (annotationOf(pod, `ovn${ALLOCATED}`) !== 'true') {
    const { phase } = pod['status'] as { phase?: string };
    yield {
      rule: 'pod-without-address',
      uid,
      what: `pod ${name} has no address`,
      expected: isServed && phase === 'Pending' ? 'must' : 'may',
    };
  }
  for (const [key, value] of Object.entries(
    (pod.metadata['annotations'] as object | undefined) ?? {},
  )) {
    if (!key.endsWith(ALLOCATED) || value !== 'true') continue;
    const provider = key.slice(0, -ALLOCATED.length);
    const port = nameOf({
      namespace,
      pod: machineOf(pod) ?? name,
      suffix: provider === 'ovn' ? '' : `.${provider}`,
    });
    const subnet = annotationOf(pod, `${provider}.kubernetes.io/logical_switch`) ?? '';
    const isKnown =
      cluster.objects.get('Subnet', undefined, subnet) !== undefined ||
      rowNamed(cluster, 'Logical_Switch', subnet) !== undefined;
    if (!rowNamed(cluster, 'Logical_Switch_Port', port))
      yield {
        rule: 'missing-logical-switch-port',
        uid,
        what: `pod ${name} lacks port ${port}`,
        expected: isKnown ? 'must' : 'may',
      };
    else if (!alive(cluster.objects.get('IP', undefined, port)))
      yield { rule: 'missing-ip', uid, what: `pod ${name} lacks IP ${port}`, expected: 'must' };
  }
}

/** One of Neutron's alone: whose a row is that has keys of both is not known. */
const hasGroupOfNeutron = (cluster: Cluster): boolean =>
  [...cluster.rows('Port_Group').values()].some(
    ({ external_ids: ids }) =>
      keyIn(ids, 'neutron:security_group_id') !== undefined && keyIn(ids, 'vendor') === undefined,
  );

/** Rows of others that the next start of this release removes. */
function* risks(cluster: Cluster): Generator<Ill> {
  const controller = cluster.objects.get('Deployment', 'kube-system', 'kube-ovn-controller');
  if (!controller) return;
  const isMoved = [...cluster.rows('ACL').values()].some(
    (it) =>
      it['tier'] !== 0 && keyIn(it['external_ids'], 'neutron:security_group_rule_id') !== undefined,
  );
  if (isMoved)
    yield {
      rule: 'retiered-acls',
      uid: controller.metadata.uid,
      what: 'ACLs of Neutron are in another tier',
      expected: 'must',
    };
  for (const uid of cluster.damage.possible())
    yield { rule: 'neighbour-damaged', uid, what: 'a group of others was harmed', expected: 'may' };
  if (cluster.release.takesGroups)
    yield {
      rule: 'neighbours-at-risk',
      uid: controller.metadata.uid,
      what: 'groups of others would go',
      expected: hasGroupOfNeutron(cluster) ? 'must' : 'may',
    };
  if (cluster.release.parentlessAcls !== 'removed') return;
  const isForeign = [...cluster.rows('ACL').values()].some(
    (it) => keyIn(it['external_ids'], 'parent') === undefined,
  );
  if (isForeign || cluster.damage.isAny)
    yield {
      rule: 'acls-at-risk',
      uid: controller.metadata.uid,
      what: 'ACLs of others would go, or are gone',
      expected: isForeign ? 'must' : 'may',
    };
}
