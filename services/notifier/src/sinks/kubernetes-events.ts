import type {
  ActionsNotification,
  NotifiedAction,
} from '@ovn-steward/contracts/notifications/actions-notification';
import type {
  Notification,
  NotifiedFinding,
} from '@ovn-steward/contracts/notifications/notification';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import type { SinkSettings } from '@ovn-steward/shared/settings/notify-settings';
import { eventSeries, type RepeatedEvent } from '@ovn-steward/systems/kubernetes/event-series';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import type { CommonSettings, Message, Outcome, Sender } from '../send/sender';

const REPORTER = 'ovn-steward.dev/notifier';
/**
 * What is about no subnet and no VPC is about the cluster, for which this namespace stands, as in
 * Events of the executor.
 */
const WHOLE_CLUSTER = { kind: 'Namespace', name: 'kube-system' };

/**
 * Events of events.k8s.io/v1: one for each object that a notification is about. Of a row of OVN
 * that is its Subnet, else its Vpc, else the namespace `kube-system`. The next notification of one
 * group about one object is counted into its Event.
 */
export function kubernetesEvents(
  { kubeconfig, context, cluster }: SinkSettings,
  common: Pick<CommonSettings, 'cluster'>,
): Sender {
  const series = eventSeries(
    kubeAccess({
      ...(kubeconfig !== undefined && { kubeconfig }),
      ...(context !== undefined && { context }),
    }),
    REPORTER,
  );
  return {
    cluster: cluster ?? common.cluster,
    async send(message, signal): Promise<Outcome> {
      const events = eventsOf(message);
      try {
        for (const event of events) await series.write(event, signal);
        return { delivered: true, requests: events.length };
      } catch (error) {
        const refusedThis = error instanceof Failure && error.code === 'source-broken';
        return { delivered: false, ofSink: !refusedThis, why: messageOf(error) };
      }
    },
    close: () => Promise.resolve(series.close()),
  };
}

/** The Events of a notification. */
const eventsOf = (message: Message): RepeatedEvent[] =>
  message.about === 'findings'
    ? ofFindings(message.notification, message.before)
    : ofActions(message.notification);

type Regarding = RepeatedEvent['regarding'];
interface Concerned {
  readonly regarding: Regarding;
  readonly findings: NotifiedFinding[];
}

function ofFindings(notification: Notification, before: Notification | undefined): RepeatedEvent[] {
  const isOver = notification.state === 'resolved';
  const shown = isOver ? (before?.findings ?? []) : notification.findings;
  const left = notification.open - notification.findings.length;
  const events = concernedBy(shown).map(({ regarding, findings }): RepeatedEvent => {
    const worst = findings[0]!;
    return {
      regarding,
      series: notification.group,
      occurrence: notification.id,
      type: isOver || worst.severity === 'info' ? 'Normal' : 'Warning',
      reason: isOver ? `${camelCase(worst.rule)}Resolved` : camelCase(worst.rule),
      action: 'Audit',
      note: isOver ? `Resolved: ${notification.title}` : noteOf(findings),
    };
  });
  if (left <= 0) return events;
  return [
    ...events,
    {
      regarding: scopeOf(shown[0]?.scope),
      series: `${notification.group} more`,
      occurrence: notification.id,
      type: 'Warning',
      reason: 'MoreFindings',
      action: 'Audit',
      note: `${left} more of: ${notification.title} (steward findings)`,
    },
  ];
}

function noteOf(findings: readonly NotifiedFinding[]): string {
  const worst = findings[0]!;
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more about this object)` : '';
  return `${worst.summary}${more} steward explain ${worst.id.slice(0, 12)}`;
}

/** The objects that the findings are about, each once, with its findings, the worst first. */
function concernedBy(findings: readonly NotifiedFinding[]): Concerned[] {
  const found = new Map<string, Concerned>();
  for (const finding of findings) {
    const regarding = regardingOf(finding.subject, finding.scope);
    const key = JSON.stringify([regarding.kind, regarding.namespace, regarding.name]);
    const known = found.get(key);
    if (known) known.findings.push(finding);
    else found.set(key, { regarding, findings: [finding] });
  }
  return [...found.values()];
}

const ofActions = (notification: ActionsNotification): RepeatedEvent[] =>
  notification.actions.map((action) => ({
    regarding: regardingOf(action.target, action.scope),
    series: `${notification.group} ${action.id}`,
    occurrence: notification.id,
    type: notification.state === 'failed' ? 'Warning' : 'Normal',
    reason: `Action${camelCase(notification.state)}`,
    action: camelCase(action.action),
    note: actionNote(notification.state, action),
  }));

const actionNote = (state: string, { action, target, reason, id }: NotifiedAction): string =>
  `${state} ${action} of ${target.kind} ${target.name || target.uid}: ${reason} steward actions ${id.slice(0, 12)}`;

function regardingOf(
  { source, kind, namespace, name, uid }: Reference,
  scope: Parameters<typeof scopeOf>[0],
): Regarding {
  const known = source === 'kubernetes' && name !== '' && kubernetesKind(kind);
  return known
    ? { kind, name, uid, ...(known.namespaced && namespace !== undefined && { namespace }) }
    : scopeOf(scope);
}

function scopeOf(
  scope:
    | { readonly vpc?: string | null | undefined; readonly subnet?: string | null | undefined }
    | undefined,
): Regarding {
  if (scope?.subnet) return { kind: 'Subnet', name: scope.subnet };
  return scope?.vpc ? { kind: 'Vpc', name: scope.vpc } : WHOLE_CLUSTER;
}

const camelCase = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((it) => it.slice(0, 1).toUpperCase() + it.slice(1))
    .join('');
