import type { Workload } from '../world/kubernetes-objects';
import { defineRelation } from '../world/relation';

const PREFIX = 'vpc-nat-gw-';
/** On the workload and its pods, whatever they are called: a setting of Kube-OVN's names them. */
export const GATEWAY_LABEL = 'ovn.kubernetes.io/vpc-nat-gw';
/** On its pods: the gateway's name. */
export const GATEWAY = 'ovn.kubernetes.io/vpc_nat_gw';

/**
 * What a VpcNatGateway runs as, by the gateway's name: a StatefulSet or Deployment and its pods
 * (kube-ovn.md §1). A pod's name does not say where the gateway's ends, nor, where the prefix is
 * not the usual one, where it begins, so it is found under every name it may mean: more is then
 * kept, never less.
 */
export const natGatewayParts = defineRelation({
  id: 'nat-gateway-parts',
  kinds: ['Pod', 'StatefulSet', 'Deployment'],
  keys({ kind, name, object }) {
    const { labels, annotations } = object.metadata;
    const born =
      kind === 'Pod' ? undefined : (object as Workload).spec?.template?.metadata?.annotations;
    const names = [name, labels?.['app'] ?? ''];
    const named = [annotations?.[GATEWAY], born?.[GATEWAY]].filter(
      (it): it is string => typeof it === 'string' && it !== '',
    );
    return [...named, ...names.flatMap(labels?.[GATEWAY_LABEL] === 'true' ? anyOf : gatewaysOf)];
  },
});

function gatewaysOf(name: string): string[] {
  return name.startsWith(PREFIX) ? beginnings(name.slice(PREFIX.length)) : [];
}

/** `a-b-c` as a, a-b, a-b-c, b, b-c and c. */
const anyOf = (name: string): string[] =>
  ['', ...[...name.matchAll(/-/g)].map((it) => name.slice(0, it.index + 1))].flatMap((before) =>
    beginnings(name.slice(before.length)),
  );

const beginnings = (rest: string): string[] =>
  [...rest.matchAll(/-/g)]
    .map((it) => rest.slice(0, it.index))
    .concat(rest)
    .filter((it) => it !== '');
