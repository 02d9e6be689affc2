import { compareValues } from '@ovn-steward/shared/compare';
import { randomUUID } from 'node:crypto';
import type { Finding } from '@ovn-steward/contracts/findings/finding';
import type {
  Notification,
  NotifiedFinding,
} from '@ovn-steward/contracts/notifications/notification';
import { safeText } from '@ovn-steward/shared/safe-text';
import { rankOf } from '../sinks/matches';
import type { Due, Pending } from '../store/notifier-store';

/** More would fill the screen of whoever is woken; the number of all is said. */
const MOST_FINDINGS = 20;

/**
 * What a sink has to report a group whose open findings are these; undefined when it is no news.
 * News is a finding the sink was not sent, a severity worse than the last, and that none is open
 * any more. Fewer, or the same in other words, is none. `again`: the sink is sent it also without
 * news, while any is open.
 */
export function compose(
  { sink, group, delivered }: Pick<Due, 'sink' | 'group' | 'delivered'>,
  open: readonly Finding[],
  now: Date,
  again = false,
): Pending | undefined {
  const before = new Set(delivered?.ids);
  const ids = open.map((it) => it.id);
  const added = ids.filter((id) => !before.has(id)).length;
  const common = {
    version: 1 as const,
    id: randomUUID(),
    group,
    sink,
    added,
    at: now.toISOString(),
  };
  if (open.length === 0)
    return before.size === 0 ? undefined : { ids, last: { ...common, ...over(delivered!.last) } };
  const shown = composed(open);
  const worse = delivered !== undefined && rankOf(shown.severity) > rankOf(delivered.last.severity);
  return added > 0 || worse || again
    ? { ids: [...new Set([...before, ...ids])], last: { ...common, ...shown } }
    : undefined;
}

type Composed = Omit<Notification, 'version' | 'id' | 'group' | 'sink' | 'added' | 'at'>;

const over = ({ cluster, severity, title, cause, since }: Notification): Composed => ({
  state: 'resolved',
  cluster,
  severity,
  title,
  cause,
  open: 0,
  findings: [],
  since,
});

const worstFirst = (a: Finding, b: Finding): number =>
  rankOf(b.severity) - rankOf(a.severity) || compareValues(a.firstSeen, b.firstSeen);

function composed(open: readonly Finding[]): Composed {
  const sorted = [...open].sort(worstFirst);
  const worst = sorted[0]!;
  return {
    state: 'open',
    cluster: worst.cluster,
    severity: worst.severity,
    title: titleOf(sorted),
    cause: worst.cause ?? null,
    open: open.length,
    findings: sorted.slice(0, MOST_FINDINGS).map(notified),
    since: open.map((it) => it.firstSeen).reduce((a, b) => (a < b ? a : b)),
  };
}

/** The summary of the one finding; of several how many, and what they have in common. */
function titleOf(findings: readonly Finding[]): string {
  const first = findings[0]!;
  if (findings.length === 1) return safeText(first.summary);
  const rules = [...new Set(findings.map((it) => it.rule))].sort();
  return safeText(`${findings.length} findings: ${first.cause?.text ?? rules.join(', ')}`);
}

const notified = (finding: Finding): NotifiedFinding => ({
  id: finding.id,
  revision: finding.revision,
  rule: finding.rule,
  class: finding.class,
  severity: finding.severity,
  subject: finding.subject,
  ...(finding.scope && { scope: finding.scope }),
  summary: safeText(finding.summary, 1000),
  firstSeen: finding.firstSeen,
});
