import type { KubernetesKind } from '@ovn-steward/shared/kinds';
import { isRecord } from './is-record';
import type { RefusedWrite } from './kubernetes';

/** The parts of a Kubernetes `Status` we decide by (apimachinery, meta/v1). */
export interface KubernetesStatus {
  readonly reason: string;
  readonly message: string;
  /** The plural of the resource it is about. */
  readonly resource: string | undefined;
  readonly name: string | undefined;
  readonly causes: readonly string[];
}

/** Undefined when the answer is no Status. */
export function statusIn(body: unknown): KubernetesStatus | undefined {
  if (!isRecord(body) || body['kind'] !== 'Status') return undefined;
  const details = isRecord(body['details']) ? body['details'] : {};
  const causes = Array.isArray(details['causes']) ? details['causes'] : [];
  return {
    reason: textOf(body['reason']) ?? '',
    message: (textOf(body['message']) ?? '').slice(0, 400),
    resource: textOf(details['kind']),
    name: textOf(details['name']),
    causes: causes.flatMap((it: unknown) => (isRecord(it) ? (textOf(it['reason']) ?? []) : [])),
  };
}

/**
 * A 404 that speaks of this very object. One that does not (an unknown path, a proxy, a resource
 * that is not served) proves no absence.
 */
export function isAbsentStatus(
  body: unknown,
  kind: Pick<KubernetesKind, 'resource'>,
  name: string,
): boolean {
  const status = statusIn(body);
  return status?.reason === 'NotFound' && status.name === name && status.resource === kind.resource;
}

export const refused = (
  why: RefusedWrite['why'],
  body: unknown,
  otherwise: string,
): RefusedWrite => ({ is: 'refused', why, message: statusIn(body)?.message || otherwise });

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;
