import { kubernetesKind } from '@ovn-steward/shared/kinds';
import {
  eventFields,
  eventName,
  eventReporter,
  eventsPath,
  FOR_CLUSTER_SCOPED,
  microTime,
  type WritableEvent,
} from './event-writer';
import { isRecord } from './is-record';
import type { KubeAccess } from './kube-request';
import { kubernetesRequests, type KubernetesRequests } from './kubernetes-requests';
import { KubeFailure } from './kube-failure';
import { type KindPaths, places } from './places';
import { statusIn } from './status';

/** What an event was written for last: the same occurrence is not counted twice. */
const OCCURRENCE = 'ovn-steward.dev/occurrence';
const TIMEOUT_MS = 10_000;

/** An event that may happen again; the uid of its object is read if it is not known. */
export interface RepeatedEvent extends WritableEvent {
  /** Events of one object with one reason, note and series are one Event, which counts them. */
  readonly series: string;
  /** Names this time: written again it counts once. */
  readonly occurrence: string;
}

export interface EventSeries {
  /**
   * Writes an Event of events.k8s.io/v1, or counts this time into the one there is.
   * @returns false when the namespace of the object does not exist, or is being deleted: there is
   *   nowhere to write it.
   * @throws Failure for anything else that is not written.
   */
  write(event: RepeatedEvent, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

/**
 * Writes events to the cluster, as `reporter` (a qualified name). The account needs create, get and
 * patch on `events.events.k8s.io`, and get on each kind of object that is given without its uid.
 */
export function eventSeries(access: KubeAccess, reporter: string): EventSeries {
  const requests = kubernetesRequests(access, TIMEOUT_MS);
  const paths = places(requests);
  return {
    async write(event, signal) {
      const namespace = event.regarding.namespace ?? FOR_CLUSTER_SCOPED;
      const path = eventsPath(namespace);
      const uid =
        event.regarding.uid ?? (await uidOf({ requests, paths }, event.regarding, signal));
      const whole: WritableEvent = {
        ...event,
        regarding: { ...event.regarding, ...(uid !== undefined && { uid }) },
      };
      // The server refuses another note for an Event that it has (ValidateEventUpdate,
      // pkg/apis/core/validation/events.go in kubernetes).
      const { note } = eventFields(whole);
      const name = eventName(whole, [event.series, event.reason, event.regarding, note]);
      const body = newEvent(whole, { name, namespace, reporter, occurrence: event.occurrence });
      const { status, body: answer } = await requests.write(
        { method: 'POST', path, body: JSON.stringify(body) },
        [200, 201, 202, 403, 404, 409],
        signal,
      );
      if (status < 300) return true;
      if (status === 409 && statusIn(answer)?.reason === 'AlreadyExists')
        return count(requests, `${path}/${name}`, event.occurrence, signal);
      if (namespaceEnds(answer)) return false;
      throw notWritten(path, status, answer);
    },
    close: () => requests.close(),
  };
}

/**
 * Without the uid `kubectl describe` does not show the event. Undefined where there is no such
 * object.
 */
async function uidOf(
  { requests, paths }: { requests: KubernetesRequests; paths: KindPaths },
  regarding: RepeatedEvent['regarding'],
  signal: AbortSignal,
): Promise<string | undefined> {
  const kind = kubernetesKind(regarding.kind);
  if (kind === undefined) return undefined;
  const path = paths.object(kind, regarding.namespace, regarding.name);
  const { body } = await requests.read(path, [200, 404], signal);
  const metadata = isRecord(body) && isRecord(body['metadata']) ? body['metadata'] : {};
  return typeof metadata['uid'] === 'string' ? metadata['uid'] : undefined;
}

function notWritten(path: string, status: number, answer: unknown): KubeFailure {
  const [code, advice] =
    status === 403
      ? (['source-forbidden', 'Grant create, get and patch on events of events.k8s.io.'] as const)
      : (['source-broken', 'Check that the API server serves events.k8s.io/v1.'] as const);
  const why = statusIn(answer)?.message ?? 'it does not say why';
  return new KubeFailure(
    code,
    `POST ${path} was answered with HTTP ${status}: ${why}. ${advice}`,
    undefined,
    undefined,
    status,
  );
}

const newEvent = (
  event: WritableEvent,
  {
    name,
    namespace,
    reporter,
    occurrence,
  }: { name: string; namespace: string; reporter: string; occurrence: string },
): object => ({
  apiVersion: 'events.k8s.io/v1',
  kind: 'Event',
  ...eventFields(event),
  metadata: { name, namespace, annotations: { [OCCURRENCE]: occurrence } },
  eventTime: microTime(new Date()),
  reportingController: reporter,
  reportingInstance: eventReporter(),
});

/** A namespace that is not there, or takes nothing new (NamespaceLifecycle). */
function namespaceEnds(body: unknown): boolean {
  const status = statusIn(body);
  return (
    (status?.reason === 'NotFound' && status.resource === 'namespaces') ||
    (status?.causes.includes('NamespaceTerminating') ?? false)
  );
}

/** Counts into the Event there is. Expired meanwhile, it is written again at the next time. */
async function count(
  requests: KubernetesRequests,
  path: string,
  occurrence: string,
  signal: AbortSignal,
): Promise<boolean> {
  const { status, body } = await requests.read(path, [200, 404], signal);
  if (status === 404 || !isRecord(body)) throw changedMeanwhile(path);
  const metadata = isRecord(body['metadata']) ? body['metadata'] : {};
  const annotations = isRecord(metadata['annotations']) ? metadata['annotations'] : {};
  if (annotations[OCCURRENCE] === occurrence) return true;
  const counted = isRecord(body['series']) ? Number(body['series']['count']) : 1;
  const patch = {
    metadata: {
      resourceVersion: metadata['resourceVersion'],
      annotations: { [OCCURRENCE]: occurrence },
    },
    series: { count: counted + 1, lastObservedTime: microTime(new Date()) },
  };
  const answer = await requests.write(
    {
      method: 'PATCH',
      path,
      body: JSON.stringify(patch),
      contentType: 'application/merge-patch+json',
    },
    [200, 404, 409],
    signal,
  );
  if (answer.status !== 200) throw changedMeanwhile(path);
  return true;
}

const changedMeanwhile = (path: string): KubeFailure =>
  new KubeFailure('source-unreachable', `${path} changed meanwhile. It is tried again.`);
