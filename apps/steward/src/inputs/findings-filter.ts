import { compareValues } from '@ovn-steward/shared/compare';
import type { Command } from 'commander';
import { Option } from 'commander';
import { namespacesOf } from '@ovn-steward/contracts/control/selects';
import {
  type Finding,
  FindingClass,
  FindingState,
  Severity,
} from '@ovn-steward/contracts/findings/finding';
import { isOpen } from '@ovn-steward/client';
import { requireRule } from '@ovn-steward/judgement/rule-named';
import { Failure } from '@ovn-steward/shared/errors';
import { Duration } from '@ovn-steward/shared/settings/duration';
import { allNamespaces } from './namespaces-option';
import { pickById } from './pick-by-id';

/** Which findings are to be listed, as the command line says it. */
export interface FindingsFilter {
  /** Beginnings of ids: of each there must be one finding, in whatever state. */
  readonly ids?: readonly string[];
  readonly state?: string;
  readonly all?: boolean;
  readonly rule?: string;
  readonly class?: string;
  readonly severity?: string;
  readonly vpc?: string;
  readonly subnet?: string;
  readonly namespace?: string;
  readonly since?: string;
  readonly sortBy?: string;
}

/** The options that choose by what a finding is; `what`: what they list. */
export const withFindingWords = (command: Command, what: string): Command =>
  command
    .option('--rule <id>', `${what} of this rule`)
    .option('--class <class>', `${what} of this class: ${FindingClass.options.join(', ')}`)
    .option('--severity <severity>', `${what} of this severity: ${Severity.options.join(', ')}`)
    .option(
      '--since <time>',
      `${what} first seen since then: how long ago (90m, 2h, 7d), or a time (2026-03-02T18:00:00Z)`,
    );

/** The options that choose findings. */
export const withFindingsFilter = (command: Command): Command =>
  withFindingWords(
    command
      .addOption(new Option('--state <state>', 'only these').choices(FindingState.options))
      .option('--all', 'resolved and suppressed ones too'),
    'findings',
  )
    .option('--vpc <name>', 'findings in this VPC')
    .option('--subnet <name>', 'findings in this subnet')
    .addOption(allNamespaces())
    .option('-n, --namespace <name>', 'findings in this namespace, or whose owner was in it')
    .addOption(
      new Option('--sort-by <field>', 'the order of the list').choices(Object.keys(ORDERS)),
    );

const SEVERITIES = ['critical', 'warning', 'info'];
const rankOf = (severity: string): number => {
  const rank = SEVERITIES.indexOf(severity);
  return rank < 0 ? SEVERITIES.length : rank;
};

/** What a list can be sorted by; of equals the oldest comes first. */
const ORDERS: Readonly<Record<string, (finding: Finding) => string | number>> = {
  'first-seen': (it) => it.firstSeen,
  severity: (it) => rankOf(it.severity),
  class: (it) => it.class,
  rule: (it) => it.rule,
  subnet: (it) => it.scope?.subnet ?? '',
  vpc: (it) => it.scope?.vpc ?? '',
  name: (it) => it.subject.name,
};

/**
 * The findings that are meant, the oldest first unless sorted otherwise.
 * @throws Failure `config-invalid` for a rule, class, severity or time that does not exist: it
 *   would list nothing, as if there were no findings. `input-not-found` for an id of none, or of
 *   several.
 */
export function chosenFindings(
  findings: readonly Finding[],
  filter: FindingsFilter,
  now: Date,
): readonly Finding[] {
  const fitting = findingTest(findings, filter, now);
  const ids = new Set(filter.ids?.map((it) => pickById(it, findings, 'finding', LIST).id));
  const by = ORDERS[filter.sortBy ?? 'first-seen']!;
  return findings
    .filter(
      (finding) =>
        (ids.size === 0 || ids.has(finding.id)) &&
        (filter.state
          ? finding.state === filter.state
          : filter.all || ids.size > 0 || isOpen(finding)) &&
        fitting(finding) &&
        fits(filter.vpc, finding.scope?.vpc) &&
        fits(filter.subnet, finding.scope?.subnet) &&
        (filter.namespace === undefined || namespacesOf(finding).has(filter.namespace)),
    )
    .sort(
      (a, b) =>
        compareValues(by(a), by(b)) ||
        compareValues(a.firstSeen, b.firstSeen) ||
        compareValues(a.id, b.id),
    );
}

/** What a list says of a finding when it is not about the finding itself. */
export type ListedFinding = Pick<Finding, 'rule' | 'class' | 'severity' | 'firstSeen'>;

/**
 * Whether a finding is of the rule, class, severity and age that are meant.
 * @throws Failure `config-invalid` for a rule, class, severity or time that does not exist.
 */
export function findingTest(
  findings: readonly ListedFinding[],
  filter: Pick<FindingsFilter, 'rule' | 'class' | 'severity' | 'since'>,
  now: Date,
): (finding: ListedFinding) => boolean {
  if (filter.rule !== undefined)
    requireRule(
      filter.rule,
      findings.map((it) => it.rule),
    );
  requireWord('class', filter.class, FindingClass.options, findings);
  requireWord('severity', filter.severity, Severity.options, findings);
  const since = filter.since === undefined ? undefined : sinceOf(filter.since, now);
  return (finding) =>
    fits(filter.rule, finding.rule) &&
    fits(filter.class, finding.class) &&
    fits(filter.severity, finding.severity) &&
    (since === undefined || Date.parse(finding.firstSeen) >= since);
}

const fits = (wanted: string | undefined, actual: string | undefined): boolean =>
  wanted === undefined || wanted === actual;

const LIST = 'steward findings --all';

/** A word of a later version is known where a finding has it. */
function requireWord(
  what: 'class' | 'severity',
  word: string | undefined,
  known: readonly string[],
  findings: readonly ListedFinding[],
): void {
  if (word === undefined || known.includes(word) || findings.some((it) => it[what] === word))
    return;
  throw new Failure(
    'config-invalid',
    `There is no ${what} ${JSON.stringify(word)}: there are ${known.join(', ')}.`,
  );
}

const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/** In milliseconds since 1970. */
function sinceOf(text: string, now: Date): number {
  const { data: ms } = Duration.safeParse(text);
  const at = ms === undefined ? (MOMENT.test(text) ? Date.parse(text) : NaN) : now.getTime() - ms;
  if (!Number.isNaN(at)) return at;
  throw new Failure(
    'config-invalid',
    `${JSON.stringify(text)} is no time: write how long ago, such as 90m, 2h or 7d, or a moment with its time zone, such as 2026-03-02T18:00:00Z`,
  );
}
