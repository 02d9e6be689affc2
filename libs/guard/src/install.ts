import { Failure } from '@ovn-steward/shared/errors';
import type {
  Kubernetes,
  KubernetesObject,
  ObjectVersion,
  RefusedWrite,
} from '@ovn-steward/systems/kubernetes/kubernetes';
import { isAsDeclared, isOurs, OURS, type Part, type PolicyState } from './policy-state';

/** The object as it is sent. */
export const policyManifest = (
  { manifest: { kind, metadata, spec } }: Pick<Part, 'manifest'>,
  apiVersion: string,
): Readonly<Record<string, unknown>> => ({
  apiVersion,
  kind,
  metadata: { ...metadata, labels: OURS },
  spec,
});

/**
 * Makes the policy as it is declared, bound to what `state` saw; what is so already is left
 * alone.
 * @throws Failure `guard-refused` when a name is taken by something that is not ours or that
 *   changed meanwhile, `source-forbidden` without the right, `source-not-served`.
 */
export async function installPolicy(
  state: PolicyState,
  kubernetes: Pick<Kubernetes, 'create' | 'patch'>,
  signal: AbortSignal,
): Promise<void> {
  if (state.is === 'not-served')
    throw new Failure(
      'source-not-served',
      `The API server does not serve ${state.policy.needs}, which ${state.policy.id} needs: Kubernetes has it from 1.30 on, or 1.36 if it mutates. Nothing was changed.`,
    );
  for (const { current } of state.parts) if (current && !isOurs(current)) throw foreign(current);
  for (const part of state.parts) {
    if (isAsDeclared(part)) continue;
    const { manifest, current } = part;
    const written = current
      ? await kubernetes.patch(
          objectVersionOf(current, manifest.kind),
          [{ op: 'replace', path: '/spec', value: manifest.spec }],
          signal,
        )
      : await kubernetes.create(manifest.kind, policyManifest(part, state.apiVersion), signal);
    if (written.is === 'refused')
      throw refusal(written, `${manifest.kind} ${manifest.metadata.name}`);
  }
}

/**
 * Deletes our objects of the policy, the binding first. Other objects are left as they are.
 * @throws Failure as `installPolicy`.
 */
export async function removePolicy(
  state: PolicyState,
  kubernetes: Pick<Kubernetes, 'delete'>,
  signal: AbortSignal,
): Promise<void> {
  if (state.is === 'not-served') return;
  for (const { current, manifest } of [...state.parts].reverse()) {
    if (!current || !isOurs(current)) continue;
    const removed = await kubernetes.delete(objectVersionOf(current, manifest.kind), signal);
    if (removed.is === 'refused')
      throw refusal(removed, `${manifest.kind} ${manifest.metadata.name}`);
  }
}

export const objectVersionOf = (
  { metadata: { name, uid, resourceVersion } }: KubernetesObject,
  kind: string,
): ObjectVersion => ({ kind, name, uid, resourceVersion });

const foreign = ({ kind, metadata: { name } }: KubernetesObject): Failure =>
  new Failure(
    'guard-refused',
    `${String(kind)} ${name} is there and has no label app.kubernetes.io/managed-by=ovn-steward, so it is somebody else's and is left alone. Nothing was changed. Check it, and rename or remove it if it is not needed.`,
  );

function refusal({ why, message }: RefusedWrite, what: string): Failure {
  if (why === 'forbidden')
    return new Failure(
      'source-forbidden',
      `We may not write ${what}: ${message}. docs/guard.md lists the rights that are needed.`,
    );
  return new Failure(
    'guard-refused',
    `${what} was not written: ${message}. Try again; if that does not help, inspect it with kubectl.`,
  );
}
