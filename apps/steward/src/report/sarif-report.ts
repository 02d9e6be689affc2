import type { Finding, Severity, Unknown } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { RULES } from '@ovn-steward/judgement/rules/registry';
import { safeText } from '@ovn-steward/shared/safe-text';
import { VERSION } from '../process/version';
import type { Report } from './report';

/** Levels of SARIF 2.1.0, section 3.27.10. */
const LEVELS: Readonly<Record<Severity, string>> = {
  critical: 'error',
  warning: 'warning',
  info: 'note',
};

/**
 * A report as a log of SARIF 2.1.0 with one run, piece by piece. What could not be judged is a
 * notification of the run, not a result.
 */
export function* sarifReport(report: Report): Generator<string> {
  const { findings, unknowns } = report;
  const ids = [...new Set([...RULES.map((it) => it.id), ...findings.map((it) => it.rule)])];
  const indexes = new Map(ids.map((id, at) => [id, at]));
  yield `{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"tool":${JSON.stringify(toolOf(ids))},\n`;
  yield `"properties":${JSON.stringify(propertiesOf(report))},\n"invocations":[{"executionSuccessful":true,"toolExecutionNotifications":[`;
  yield* listed(unknowns, (it) => notification(it, indexes));
  yield ']}],\n"results":[';
  yield* listed(findings, (it) => result(it, indexes.get(it.rule)!));
  yield ']}]}\n';
}

function toolOf(ids: readonly string[]): object {
  const about = new Map(RULES.map((it) => [it.id as string, it.about]));
  return {
    driver: {
      name: 'ovn-steward',
      version: VERSION,
      rules: ids.map((id) => ({
        id,
        ...(about.has(id) && { fullDescription: { text: messageText(about.get(id)!) } }),
      })),
    },
  };
}

const propertiesOf = ({ cluster, asOf, readFrom, doubt }: Report): object => ({
  cluster,
  asOf,
  readFrom,
  doubt,
});

function result(finding: Finding, ruleIndex: number): object {
  const { subject, severity, remedy } = finding;
  const path = [subject.source, subject.kind, subject.namespace, subject.name || subject.uid];
  return {
    ruleId: finding.rule,
    ruleIndex,
    level: LEVELS[severity] ?? 'warning', // severities may be added
    message: { text: messageText(finding.summary) },
    locations: [
      {
        logicalLocations: [
          {
            name: safeText(subject.name || subject.uid),
            fullyQualifiedName: safeText(path.filter(Boolean).join('/'), 1000),
            kind: 'resource',
          },
        ],
      },
    ],
    partialFingerprints: { 'findingId/v1': finding.id },
    properties: {
      class: finding.class,
      state: finding.state,
      firstSeen: finding.firstSeen,
      uid: subject.uid,
      ...(finding.scope && { scope: finding.scope }),
      ...(finding.cause && { cause: finding.cause.text }),
      ...(remedy && { remedy: remedy.advice }),
    },
  };
}

const notification = (
  { rule, subject, reason }: Unknown,
  indexes: ReadonlyMap<string, number>,
): object => ({
  level: 'note',
  message: { text: messageText(`${subject ? `${describe(subject)}: ` : ''}${reason}`) },
  associatedRule: { id: rule, ...(indexes.has(rule) && { index: indexes.get(rule) }) },
});

/**
 * A plain text message: brackets would begin a link, and braces a placeholder (SARIF 2.1.0,
 * sections 3.11.5 and 3.11.6).
 */
const messageText = (text: string): string =>
  safeText(text, 1000)
    .replace(/[\\[\]]/g, (it) => `\\${it}`)
    .replace(/[{}]/g, (it) => it + it);

function* listed<T>(things: readonly T[], form: (it: T) => object): Generator<string> {
  for (const [at, it] of things.entries())
    yield `${at === 0 ? '\n' : ',\n'}${JSON.stringify(form(it))}`;
}
