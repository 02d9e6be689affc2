import { safeText } from '@ovn-steward/shared/safe-text';
import type { Finding } from '../findings/finding';
import type { Reference } from '../identity/reference';
import type { Notification } from '../notifications/notification';

/** The version of OCSF whose class Detection Finding (2004) this is. */
const OCSF_VERSION = '1.5.0';

/** `severity_id` of OCSF; severities of later versions are Other. */
const SEVERITIES: ReadonlyMap<string, number> = new Map([
  ['info', 1],
  ['warning', 3],
  ['critical', 5],
]);
const OTHER = 99;

/** `activity_id`: what happened to the finding. */
const ACTIVITIES = { create: 1, update: 2, close: 3 } as const;
/** `status_id`: New, Suppressed and Resolved. */
const STATUSES: ReadonlyMap<string, number> = new Map([
  ['suspected', 1],
  ['confirmed', 1],
  ['open', 1],
  ['suppressed', 3],
  ['resolved', 4],
]);
/** `confidence_id`: a finding that was seen once may be a moment between two steps. */
const CONFIDENCES: ReadonlyMap<string, number> = new Map([
  ['suspected', 1],
  ['confirmed', 3],
]);
/** `type_id` of an analytic: a rule. */
const RULE = 1;

interface Detection {
  readonly activity: keyof typeof ACTIVITIES;
  readonly state: string;
  readonly severity: string;
  readonly at: string;
  readonly message: string;
  /** Of the event: the same event sent again has the same. */
  readonly uid: string;
  readonly version: string | undefined;
}

/** The fields of the class that both kinds of events have. */
function event({ activity, state, severity, at, message, uid, version }: Detection): object {
  const activityId = ACTIVITIES[activity];
  return {
    activity_id: activityId,
    category_uid: 2,
    class_uid: 2004,
    type_uid: 200_400 + activityId,
    time: Date.parse(at),
    severity_id: SEVERITIES.get(severity) ?? OTHER,
    severity,
    status_id: STATUSES.get(state) ?? OTHER,
    status: state,
    ...(CONFIDENCES.has(state) && { confidence_id: CONFIDENCES.get(state) }),
    message,
    metadata: {
      version: OCSF_VERSION,
      uid,
      product: {
        name: 'ovn-steward',
        vendor_name: 'ovn-steward',
        ...(version !== undefined && { version }),
      },
    },
  };
}

const resource = ({ kind, namespace, name, uid }: Reference): object => ({
  type: kind,
  uid,
  ...(name !== '' && { name: safeText(name) }),
  ...(namespace !== undefined && { namespace: safeText(namespace) }),
});

/**
 * A finding as an event of OCSF. `version`: of what writes it. Pure: the same finding gives the
 * same event.
 */
export function findingAsOcsf(finding: Finding, version?: string): object {
  const { id, revision, rule, state, severity, subject, concerns, remedy, proof } = finding;
  const message = safeText(finding.summary, 1000);
  return {
    ...event({
      activity: state === 'resolved' ? 'close' : revision === 1 ? 'create' : 'update',
      state,
      severity,
      message,
      version,
      at: finding.resolvedAt ?? finding.lastSeen,
      uid: `${id}-${revision}`,
    }),
    finding_info: {
      uid: id,
      title: rule,
      desc: message,
      types: [finding.class],
      analytic: { uid: rule, name: rule, type: 'Rule', type_id: RULE },
      created_time: Date.parse(finding.firstSeen),
      first_seen_time: Date.parse(finding.firstSeen),
      last_seen_time: Date.parse(finding.lastSeen),
    },
    resources: [subject, ...concerns].map(resource),
    evidences: proof.map((data) => ({ data })),
    ...(remedy && { remediation: { desc: safeText(remedy.advice, 1000) } }),
    unmapped: {
      cluster: finding.cluster,
      ...(finding.scope && { scope: finding.scope }),
      ...(finding.cause && { cause: finding.cause }),
      owner: finding.owner,
    },
  };
}

/**
 * A notification as an event of OCSF: the findings of one cause are one detection, whose resources
 * they are about.
 */
export function notificationAsOcsf(notification: Notification, version?: string): object {
  const { id, group, state, severity, findings, added, open } = notification;
  const message = safeText(notification.title, 1000);
  const rules = [...new Set(findings.map((it) => it.rule))];
  return {
    ...event({
      activity: state === 'resolved' ? 'close' : added === open ? 'create' : 'update',
      state,
      severity,
      message,
      version,
      at: notification.at,
      uid: id,
    }),
    count: Math.max(open, 1),
    finding_info: {
      uid: group,
      title: message,
      types: [...new Set(findings.map((it) => it.class))],
      related_analytics: rules.map((it) => ({ uid: it, name: it, type: 'Rule', type_id: RULE })),
      created_time: Date.parse(notification.since),
      first_seen_time: Date.parse(notification.since),
    },
    resources: findings.map((it) => resource(it.subject)),
    unmapped: {
      cluster: notification.cluster,
      ...(notification.cause && { cause: notification.cause }),
      findings: findings.map((it) => it.id),
    },
  };
}
