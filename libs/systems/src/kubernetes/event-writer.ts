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
export const FOR_CLUSTER_SCOPED = 'default';

/**
 * Writes events of events.k8s.io/v1. An event is named by what it says: written twice it is one.
 * @param reportingController a qualified name.
 */
export function eventWriter(
  requests: KubernetesRequests,
  reportingController: string,
): Pick<Kubernetes, 'writeEvent'> {
  const reporter = { reportingController, reportingInstance: eventReporter() };
  return {
    async writeEvent(event, signal) {
      try {
        const { namespace = FOR_CLUSTER_SCOPED } = event.regarding;
        const body = JSON.stringify(eventOf(event, namespace, reporter, new Date()));
        const { status } = await requests.repeat(
          { method: 'POST', path: eventsPath(namespace), body },
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

/** An event, perhaps without the uid of its object: `kubectl describe` does not show it then. */
export interface WritableEvent extends Omit<ObjectEvent, 'regarding'> {
  readonly regarding: Omit<ObjectEvent['regarding'], 'uid'> & { readonly uid?: string };
}

/** The collection of the events of a namespace. */
export const eventsPath = (namespace: string): string =>
  `/apis/events.k8s.io/v1/namespaces/${encodeURIComponent(namespace)}/events`;

function eventOf(
  event: ObjectEvent,
  namespace: string,
  reporter: Readonly<Record<'reportingController' | 'reportingInstance', string>>,
  at: Date,
): Record<string, unknown> {
  const fields = eventFields(event);
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    ...fields,
    metadata: { name: eventName(event, [fields, event.note]), namespace },
    eventTime: microTime(at),
    ...reporter,
  };
}

/**
 * The object of an event, and what is said of it, within the lengths that the API server allows.
 */
export const eventFields = ({ regarding, type, reason, action, note }: WritableEvent) => ({
  regarding: { apiVersion: apiVersionOf(kindOf(regarding.kind)), ...regarding },
  type,
  reason: reason.slice(0, WORD_CHARACTERS),
  action: action.slice(0, WORD_CHARACTERS),
  note: firstBytes(note, NOTE_BYTES),
});

/** The name of an event: that of its object, and a digest of what makes it another event. */
export function eventName({ regarding: { name } }: WritableEvent, identity: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 16);
  return `${name.slice(0, NAME_CHARACTERS).replace(/[^a-z0-9]+$/, '')}.${digest}`;
}

/** `metav1.MicroTime`. */
export const microTime = (at: Date): string => `${at.toISOString().slice(0, -1)}000Z`;

/** Which process reports, within the length that the API server allows. */
export const eventReporter = (): string => hostname().slice(0, WORD_CHARACTERS) || 'ovn-steward';

/** As many whole characters as the bytes have room for. */
function firstBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = most;
  while ((bytes[end]! & 0xc0) === 0x80) end--; // inside a character
  return bytes.toString('utf8', 0, end);
}
