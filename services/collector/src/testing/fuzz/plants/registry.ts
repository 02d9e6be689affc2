import { Engine } from '@ovn-steward/judgement/engine/engine';
import { kubeOvnControllers } from '@ovn-steward/judgement/relations/kube-ovn-controllers';
import { podsByMachine } from '@ovn-steward/judgement/relations/pods-by-machine';
import { portsUp } from '@ovn-steward/judgement/relations/ports-up';
import { RELATIONS } from '@ovn-steward/judgement/relations/registry';
import { healthy, type Rule } from '@ovn-steward/judgement/rule-kit/rule';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { TALLIES } from '@ovn-steward/judgement/tallies/registry';
import type { Entity } from '@ovn-steward/judgement/world/entity';
import { World } from '@ovn-steward/judgement/world/world';
import { GRACE, type MakeEngine } from '../episode';
import { CLUSTER } from '../feeds/change-stream';
import { BlindWorld, ForgetfulWorld, HastyWorld, TrustingWorld } from './careless-world';
import { type Lies, lyingTo, without, withoutAny } from './lying-view';
import { SILENCES } from './silences';

/** A fault put into rules, ownership or engine on purpose, to see whether it is found. */
export interface Plant {
  readonly name: string;
  /** For the table of docs/faults.md. */
  readonly about: string;
  readonly makeEngine: MakeEngine;
}

const engineOf = (options: Partial<ConstructorParameters<typeof Engine>[0]>): Engine =>
  new Engine({
    cluster: CLUSTER,
    grace: GRACE,
    rules: RULES,
    world: new World(RELATIONS, TALLIES),
    ...options,
  });

const plant = (
  name: string,
  about: string,
  options: () => Partial<ConstructorParameters<typeof Engine>[0]>,
): Plant => ({
  name,
  about,
  makeEngine: () => engineOf(options()),
});

/** Rules that see a lying view. */
const lied = (name: string, about: string, lies: Lies, of?: (rule: Rule) => boolean): Plant => {
  const rules = lyingTo(RULES, lies, of);
  return plant(name, about, () => ({ rules }));
};

/** One rule that says nothing of some subjects. */
function silent(name: string, about: string, id: string, of: (subject: Entity) => boolean): Plant {
  const rules = RULES.map((rule): Rule =>
    rule.id === id
      ? { ...rule, check: (subject, view) => (of(subject) ? healthy : rule.check(subject, view)) }
      : rule,
  );
  return plant(name, about, () => ({ rules }));
}

const NO_GRACE = Object.fromEntries(Object.keys(GRACE).map((it) => [it, 0])) as typeof GRACE;
const DOUBTLESS = RULES.map(({ doubt: _doubt, conflict: _conflict, ...rule }): Rule => rule);
const UNRESERVED = RULES.map((rule): Rule => {
  if (rule.subject !== 'IP') return rule;
  return {
    ...rule,
    check(subject, view) {
      const object = subject.object as { readonly metadata: { readonly labels?: object } };
      const labels = { ...object.metadata.labels, 'ovn.kubernetes.io/ip_reserved': 'false' };
      const metadata = { ...object.metadata, labels };
      const unreserved = new Proxy(subject, {
        get: (entity, name): unknown =>
          name === 'object' ? { ...object, metadata } : Reflect.get(entity, name, entity),
      });
      return rule.check(unreserved as never, view);
    },
  };
});

/** Every fault that can be planted with `--plant`. */
export const PLANTS: readonly Plant[] = [
  plant('no-grace', 'a suspicion is confirmed at once', () => ({ grace: NO_GRACE })),
  plant('trusting', 'a kind that cannot be read any more is taken for known', () => ({
    world: new TrustingWorld(),
  })),
  plant('hasty', 'a source that fell behind does not hold up a confirmation', () => ({
    world: new HastyWorld(),
  })),
  plant('blind', 'both', () => ({ world: new BlindWorld() })),
  plant('forgetful', 'every fifth thing a change moved is not checked again', () => ({
    world: new ForgetfulWorld(),
  })),
  plant('doubtless', 'another living holder of an address does not keep its record', () => ({
    rules: DOUBTLESS,
  })),
  plant('unreserved', 'a reservation keeps no record', () => ({ rules: UNRESERVED })),
  lied('ownerless', 'every row is taken for Kube-OVN’s', () => ({
    ownership: () => ({ verdict: 'candidate', reasons: [] }) as never,
  })),
  lied('no-statefulset', 'StatefulSets keep nothing', without('StatefulSet')),
  lied('no-machine', 'virtual machines keep nothing', without('VirtualMachine')),
  lied('no-launcher', 'a launcher keeps nothing of its machine', withoutAny(podsByMachine)),
  lied('no-controller', 'a controller that is there is overlooked', withoutAny(kubeOvnControllers)),
  lied('no-chassis', 'ports that are up are overlooked', withoutAny(portsUp)),
  lied(
    'no-record',
    'a port whose record is there is judged by itself',
    without('IP'),
    ({ id }) => id === 'orphaned-logical-switch-port',
  ),
  silent(
    'silent-of-web',
    'pods called web never lack their port',
    'missing-logical-switch-port',
    ({ name }) => name.startsWith('web'),
  ),
  silent(
    'silent-of-sets',
    'records of StatefulSets never leak',
    'leaked-ip',
    ({ object }) => (object as { spec?: { podType?: string } }).spec?.podType === 'StatefulSet',
  ),
  lied('no-policies', 'port groups are not asked for their policies', without('NetworkPolicy')),
  silent(
    'silent-of-groups',
    'a policy without its group is no trouble',
    'network-policy-without-acls',
    () => true,
  ),
  silent(
    'silent-of-ports',
    'a port or a block that a policy allows may lack its ACL',
    'network-policy-allow-missing',
    () => true,
  ),
  silent(
    'silent-of-gateways',
    'a pod with a gateway of its own may lack its router policy',
    'pod-gateway-policy-missing',
    () => true,
  ),
  silent(
    'silent-of-ends',
    'a controller that ends again and again after it worked is no trouble',
    'controller-ends-often',
    () => true,
  ),
  silent(
    'silent-of-sessions',
    'a BFD session on a port that is gone is no trouble',
    'bfd-session-without-port',
    () => true,
  ),
  silent(
    'silent-of-halves',
    'the IPv6 half of a floating IP that is gone is no trouble',
    'orphaned-nat',
    ({ object }) => (object as { external_ip?: string }).external_ip?.includes(':') === true,
  ),
  silent(
    'silent-of-uplinks',
    'an uplink with another tag than its Vlan’s is no trouble',
    'localnet-tag-wrong',
    () => true,
  ),
  silent(
    'silent-of-blocks',
    'the NAT of a deleted rule for a whole subnet is no trouble',
    'orphaned-nat',
    ({ object }) => (object as { type?: string }).type === 'snat',
  ),
  silent(
    'silent-of-taken-nats',
    'a ready rule for a whole subnet may lack its NAT',
    'ovn-snat-rule-without-nat',
    () => true,
  ),
  ...SILENCES.map(({ name, about, rule }) => silent(name, about, rule, () => true)),
];
