import { timeLimit } from '@ovn-steward/shared/time-limit';
import { KubeFailure, StatusFailure } from '@ovn-steward/systems/kubernetes/kube-failure';
import {
  bytesOf,
  firstBytes,
  type KubeAccess,
  type KubeRequest,
  sendRequest,
  serverOf,
} from '@ovn-steward/systems/kubernetes/kube-request';
import { type SeenLease, seenLease } from './lease-record';

export interface LeasePlace {
  readonly namespace: string;
  readonly name: string;
}

/** Reads and writes one Lease. What it throws is a KubeFailure that says what to do. */
export interface LeaseClient {
  /** undefined when there is none. */
  read(signal: AbortSignal): Promise<SeenLease | undefined>;
  /** undefined when there is one already. */
  create(spec: Record<string, unknown>, signal: AbortSignal): Promise<SeenLease | undefined>;
  /** undefined when it is no longer what was seen. */
  replace(
    seen: SeenLease,
    spec: Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<SeenLease | undefined>;
}

/** A Lease has some hundred bytes. */
const MOST_BYTES = 1024 * 1024;

/** The only object we write to a cluster while observing it, and only in our own namespace. */
export function leaseClient(
  access: KubeAccess,
  { namespace, name }: LeasePlace,
  attemptMs: number,
): LeaseClient {
  const collection = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
  const path = `${collection}/${name}`;
  const request = requesting(access, { namespace, name }, attemptMs);

  return {
    read: async (signal) => (await request({ method: 'GET', path }, [200, 404], signal)).seen,
    async create(spec, signal) {
      const body = JSON.stringify({
        apiVersion: 'coordination.k8s.io/v1',
        kind: 'Lease',
        metadata: { name, namespace, labels: { 'app.kubernetes.io/part-of': 'ovn-steward' } },
        spec,
      });
      return (await request({ method: 'POST', path: collection, body }, [200, 201, 409], signal))
        .seen;
    },
    async replace({ object }, spec, signal) {
      return (
        await request(
          {
            method: 'PUT',
            path,
            body: JSON.stringify({ ...object, spec: { ...othersFields(object['spec']), ...spec } }),
          },
          [200, 201, 404, 409],
          signal,
        )
      ).seen;
    },
  };
}

/** Sends one request within its time. */
function requesting(access: KubeAccess, { namespace, name }: LeasePlace, attemptMs: number) {
  const limits = { connectMs: attemptMs, idleMs: attemptMs };
  return async (
    request: KubeRequest,
    statuses: readonly number[],
    signal: AbortSignal,
  ): Promise<{ status: number; seen: SeenLease | undefined }> => {
    const within = timeLimit(attemptMs, signal);
    try {
      const response = await sendRequest(access, request, statuses, limits, within);
      const text = await firstBytes(bytesOf(response, serverOf(access), limits.idleMs), MOST_BYTES);
      const status = response.statusCode ?? 0;
      return { status, seen: status < 300 ? leaseIn(text, request, access) : undefined };
    } catch (error) {
      if (within.aborted && !signal.aborted)
        throw new KubeFailure(
          'source-unreachable',
          `${serverOf(access)} did not answer ${request.method} ${request.path} within ${attemptMs / 1000} s. It is tried again.`,
          undefined,
          { cause: error },
        );
      throw explained(error, namespace, name);
    }
  };
}

/** Fields of the spec that we do not know stay; of those we do, none that is not written again. */
function othersFields(spec: unknown): Record<string, unknown> {
  const {
    holderIdentity: _holder,
    leaseDurationSeconds: _seconds,
    acquireTime: _acquired,
    renewTime: _renewed,
    leaseTransitions: _transitions,
    ...others
  } = (spec ?? {}) as Record<string, unknown>;
  return others;
}

function leaseIn(text: string, { method, path }: KubeRequest, access: KubeAccess): SeenLease {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const seen = seenLease(parsed);
  if (!seen)
    throw new KubeFailure(
      'source-broken',
      `${serverOf(access)} answered ${method} ${path} with something that is no Lease. Check that the server address leads to a Kubernetes API server.`,
    );
  return seen;
}

function explained(error: unknown, namespace: string, name: string): unknown {
  if (!(error instanceof KubeFailure)) return error;
  const answer = error instanceof StatusFailure ? error.answer : error.message;
  if (error.code === 'source-forbidden')
    return new KubeFailure(
      error.code,
      `The Lease ${namespace}/${name} may not be used: ${answer} Grant get, create and update on leases in that namespace to this identity, as deploy/rbac.yaml does, or set lease.enabled to never.`,
      error.retryAfterMs,
      { cause: error },
    );
  if (error.code === 'source-not-served')
    return new KubeFailure(
      error.code,
      `The Lease ${namespace}/${name} cannot be made: ${answer} Create the namespace, or name another (lease.namespace).`,
      error.retryAfterMs,
      { cause: error },
    );
  return error;
}
