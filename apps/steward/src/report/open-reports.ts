import { isOpen } from '@ovn-steward/client';
import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import type { Reference } from '@ovn-steward/contracts/identity/reference';
import { apiVersionOf, kubernetesKind } from '@ovn-steward/shared/kinds';
import { safeText } from '@ovn-steward/shared/safe-text';
import { stringify } from 'yaml';
import type { Report } from './report';
import { namespaceOf } from './tenant-of';

/**
 * Objects of OpenReports as YAML documents, for `kubectl apply`: one a namespace, one a subnet, and
 * one for the rest.
 */
export function* openReports(report: Report): Generator<string> {
  for (const it of reportObjects(report)) yield `---\n${stringify(it, { lineWidth: 0 })}`;
}

/**
 * More would make an object that the API server refuses; `findings` in the properties says how many
 * there are.
 */
const MOST_RESOURCES = 20;
const SOURCE = 'ovn-steward';

interface Result {
  readonly policy: string;
  readonly rule: string;
  readonly result: 'fail' | 'warn' | 'skip' | 'error';
  readonly [more: string]: unknown;
}

/** A place findings are summarized for. */
interface Place {
  readonly kind: 'Report' | 'ClusterReport';
  readonly name: string;
  readonly namespace?: string;
  readonly scope?: object;
}

/**
 * The objects. A finding counts for the namespace that lost something, else for its subnet, else
 * for the cluster; in each there is one result for each rule, never one for each finding. What
 * could not be judged is an error of the cluster's object, so that its absence is not taken for
 * health.
 */
export function reportObjects(report: Report): readonly object[] {
  const places = new Map<string, { readonly place: Place; readonly findings: Finding[] }>();
  const at = (place: Place): Finding[] => {
    const key = `${place.kind}/${place.namespace ?? ''}/${place.name}`;
    if (!places.has(key)) places.set(key, { place, findings: [] });
    return places.get(key)!.findings;
  };
  at(CLUSTER); // also without findings: it says that there are none
  for (const it of report.findings) if (isListed(it)) at(placeOf(it)).push(it);
  return [...places.values()].map(({ place, findings }) => {
    const results = [
      ...byRule(findings).map(resultOf),
      ...(place === CLUSTER ? withheld(report.unknowns).map(errorOf) : []),
    ];
    return object(report, place, results);
  });
}

const CLUSTER: Place = { kind: 'ClusterReport', name: SOURCE };
const isListed = (it: Finding): boolean => isOpen(it) || it.state === 'suppressed';

/** In a namespace that no longer exists no object can be made. */
function placeOf(finding: Finding): Place {
  const namespace = finding.cause?.kind === 'Namespace' ? 'unknown' : namespaceOf(finding);
  const subnet = finding.scope?.subnet;
  if (namespace !== 'unknown')
    return {
      kind: 'Report',
      name: SOURCE,
      namespace,
      scope: { apiVersion: 'v1', kind: 'Namespace', name: namespace },
    };
  if (subnet === undefined || !isName(subnet)) return CLUSTER;
  return {
    kind: 'ClusterReport',
    name: `${SOURCE}-subnet-${subnet}`,
    scope: { apiVersion: 'kubeovn.io/v1', kind: 'Subnet', name: subnet },
  };
}

/** A DNS subdomain that leaves room for the prefix; OVN's own names may be others. */
const isName = (text: string): boolean =>
  text.length < 230 && /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(text);

function object({ cluster, asOf, doubt }: Report, place: Place, results: readonly Result[]) {
  const count = (of: Result['result']): number => results.filter((it) => it.result === of).length;
  return {
    apiVersion: 'openreports.io/v1alpha1',
    kind: place.kind,
    metadata: {
      name: place.name,
      ...(place.namespace !== undefined && { namespace: place.namespace }),
      labels: { 'app.kubernetes.io/managed-by': SOURCE },
      annotations: {
        'ovn-steward.dev/cluster': cluster,
        'ovn-steward.dev/as-of': asOf,
        ...(doubt !== null && { 'ovn-steward.dev/doubt': doubt }),
      },
    },
    source: SOURCE,
    ...(place.scope && { scope: place.scope }),
    summary: {
      pass: 0,
      fail: count('fail'),
      warn: count('warn'),
      error: count('error'),
      skip: count('skip'),
    },
    results,
  };
}

/** The findings of each rule; suppressed ones apart, since they are no failure. */
function byRule(findings: readonly Finding[]): readonly (readonly [Finding, ...Finding[]])[] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.state === 'suppressed'}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  return [...groups.values()];
}

const SEVERITIES: ReadonlyMap<string, string> = new Map([
  ['critical', 'critical'],
  ['warning', 'medium'],
  ['info', 'info'],
]);

function resultOf(findings: readonly [Finding, ...Finding[]]): Result {
  const [first] = findings;
  const { rule, severity } = first;
  const others = findings.length - 1;
  return {
    source: SOURCE,
    policy: SOURCE,
    rule,
    category: first.class,
    severity: SEVERITIES.get(severity) ?? 'medium',
    result: first.state === 'suppressed' ? 'skip' : severity === 'info' ? 'warn' : 'fail',
    scored: severity !== 'info',
    message: `${safeText(first.summary, 500)}${others === 0 ? '' : ` (and ${others} more of this rule)`}`,
    resources: findings.slice(0, MOST_RESOURCES).map(({ subject }) => resourceOf(subject)),
    timestamp: { seconds: Math.floor(Date.parse(first.firstSeen) / 1000), nanos: 0 },
    properties: {
      findings: String(findings.length),
      ids: findings
        .slice(0, MOST_RESOURCES)
        .map((it) => it.id.slice(0, 12))
        .join(' '),
      ...(first.remedy && { remedy: safeText(first.remedy.advice, 500) }),
    },
  };
}

const resourceOf = ({ source, kind, namespace, name, uid }: Reference): object => {
  const known = source === 'kubernetes' ? kubernetesKind(kind) : undefined;
  return {
    ...(known && { apiVersion: apiVersionOf(known) }),
    kind,
    name: safeText(name),
    ...(namespace !== undefined && { namespace: safeText(namespace) }),
    uid,
  };
};

/** How often a rule could not judge something, with the first reason. */
function withheld(unknowns: readonly Unknown[]): readonly { first: Unknown; count: number }[] {
  const rules = new Map<string, { first: Unknown; count: number }>();
  for (const unjudged of unknowns) {
    const before = rules.get(unjudged.rule);
    if (before === undefined) rules.set(unjudged.rule, { first: unjudged, count: 1 });
    else before.count++;
  }
  return [...rules.values()];
}

const errorOf = ({ first, count }: { first: Unknown; count: number }): Result => ({
  source: SOURCE,
  policy: SOURCE,
  rule: first.rule,
  result: 'error',
  message: `Could not be judged: ${safeText(first.reason, 500)}`,
  properties: { unjudged: String(count) },
});
