import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import type { Entity } from '../world/entity';

/**
 * Kubernetes' own names. Somebody will copy the line into a shell: where a name is anything else,
 * as a recording or another object's spec may say, there is none.
 */
const PLAIN = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;

/** An object as kubectl names it, apart from its kind. */
type Named = Pick<Entity, 'kind' | 'name' | 'namespace'>;

/** `kubectl delete subnets.kubeovn.io apps`; undefined for what kubectl is not known so. */
export const kubectlDelete = (named: Named): string | undefined => line('delete', named, ' ');

/** `kubectl edit subnets.kubeovn.io apps`. */
export const kubectlEdit = (named: Named): string | undefined => line('edit', named, ' ');

/**
 * Changes nothing but an annotation, to another value each time: the controller handles the object
 * anew.
 */
export function kubectlChange(named: Named): string | undefined {
  const annotate = line('annotate --overwrite', named, ' ');
  return annotate === undefined ? undefined : `${annotate} retried-at=$(date +%s)`;
}

/** Waits until an object is deleted, five minutes at most. */
export const kubectlGone = (named: Named): string | undefined =>
  line('wait --for=delete --timeout=5m', named, '/');

/**
 * Makes an object of Kube-OVN's, does `meanwhile` and deletes it again; undefined where that cannot
 * be said on one line.
 */
export function kubectlThrowAway(
  kind: string,
  name: string,
  spec: Readonly<Record<string, string>>,
  meanwhile: string | undefined,
): string | undefined {
  const known = kubernetesKind(kind);
  const deletion = kubectlDelete({ kind, name });
  if (
    known === undefined ||
    deletion === undefined ||
    meanwhile === undefined ||
    !Object.values(spec).every((it) => PLAIN.test(it))
  )
    return undefined;
  return `echo '${JSON.stringify({ apiVersion: apiVersionOf(known), kind, metadata: { name }, spec })}' | kubectl create -f - && ${meanwhile} && ${deletion}`;
}

function line(
  verb: string,
  { kind, name, namespace = '' }: Named,
  between: string,
): string | undefined {
  const known = kubernetesKind(kind);
  if (
    known === undefined ||
    !PLAIN.test(name) ||
    !(namespace === '' ? !known.namespaced : PLAIN.test(namespace))
  )
    return undefined;
  return `kubectl ${verb} ${namespace === '' ? '' : `-n ${namespace} `}${known.resource}${known.group === '' ? '' : `.${known.group}`}${between}${name}`;
}
