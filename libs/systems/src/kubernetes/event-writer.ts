import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { apiVersionOf } from '@ovn-steward/shared/kinds';
import type { KubernetesRequests } from './kubernetes-requests';
import type { Kubernetes, ObjectEvent } from './kubernetes';
import { kindOf } from './places';

/** Lengths that the API server enforces (k8s.io/kubernetes, pkg/apis/core/validation/events.go). */
const NOTE_BYTES = 1024;
const WORD_CHARACTERS = 128;
const NAME_CHARACTERS = 200;

/**
 * Events on objects without a namespace go into this one, where kubectl describe searches for them.
 */
const FOR_CLUSTER_SCOPED = 'default';

/**
 * Writes events of events.k8s.io/v1. An event is named by what it says: written twice it is one.
 */
export function eventWriter(requests: KubernetesRequests): Pick<Kubernetes, 'writeEvent'> {
  const reportingInstance = hostname().slice(0, WORD_CHARACTERS) || 'ovn-steward';
  return {
    async writeEvent(event, signal) {
      try {
        const { namespace = FOR_CLUSTER_SCOPED } = event.regarding;
        const body = JSON.stringify(eventOf(event, namespace, reportingInstance, new Date()));
        const { status } = await requests.write(
          {
            method: 'POST',
            path: `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`,
            body,
          },
          [200, 201, 202, 409],
          signal,
        );
        return status < 300 || status === 409;
      } catch {
        return false;
      }
    },
  };
}

function eventOf(
  { regarding, type, reason, action, note }: ObjectEvent,
  namespace: string,
  reportingInstance: string,
  at: Date,
): Record<string, unknown> {
  const { kind, name, uid } = regarding;
  const says = {
    regarding: {
      apiVersion: apiVersionOf(kindOf(kind)),
      kind,
      name,
      uid,
      ...(regarding.namespace !== undefined && { namespace }),
    },
    type,
    reason: reason.slice(0, WORD_CHARACTERS),
    action: action.slice(0, WORD_CHARACTERS),
    note: firstBytes(note, NOTE_BYTES),
  };
  const content = createHash('sha256')
    .update(JSON.stringify([says, note]))
    .digest('hex')
    .slice(0, 16);
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    ...says,
    metadata: {
      name: `${name.slice(0, NAME_CHARACTERS).replace(/[^a-z0-9]+$/, '')}.${content}`,
      namespace,
    },
    eventTime: `${at.toISOString().slice(0, -1)}000Z`, // metav1.MicroTime
    reportingController: 'ovn-steward.dev/executor',
    reportingInstance,
  };
}

/** As many whole characters as the bytes have room for. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end--; // inside a character
  return bytes.toString('utf8', 0, end);
}
