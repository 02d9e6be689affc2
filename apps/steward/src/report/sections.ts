import type { Finding, Unknown } from '@ovn-steward/contracts/findings/finding';
import { describe } from '@ovn-steward/contracts/identity/reference';
import { fullIn } from '../subnets/full-in';
import type { Report } from './report';
import type { Section } from './section';
import type { NamedCount } from './tally';

/** What a report shows a person, part by part; the same in text, Markdown and HTML. */
export function sectionsOf(report: Report): readonly Section[] {
  const { summary, tenants } = report;
  return [
    sourcesSection(report),
    countsSection('By class', 'Class', tallies(summary.byClass)),
    countsSection('By severity', 'Severity', tallies(summary.bySeverity)),
    countsSection('By rule', 'Rule', tallies(summary.byRule)),
    countsSection('By cause', 'Cause', report.causes, CAUSES),
    countsSection('By VPC', 'VPC', tenants.vpcs, TENANTS),
    countsSection('By namespace', 'Namespace', tenants.namespaces, TENANTS),
    countsSection('By owner', 'Owner', tenants.owners),
    countsSection('By age', 'Known for', report.ages, agesText(report)),
    lostSection(report),
    forecastSection(report),
    findingsSection(report.findings),
    unknownsSection(report.unknowns),
  ];
}

const CAUSES = 'Findings whose proof names what took them along. The others have no known cause.';
const TENANTS = 'Where a finding says neither, nor can it be derived, it counts as unknown.';

const agesText = ({ readFrom }: Report): string =>
  readFrom === 'look'
    ? 'An audit sees everything for the first time. A report from the state of a pipeline has real ages.'
    : 'Since each was first seen.';

const tallies = (counts: Readonly<Record<string, number>>): readonly NamedCount[] =>
  Object.entries(counts)
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count);

const countsSection = (
  title: string,
  column: string,
  all: readonly NamedCount[],
  about?: string,
): Section => ({
  title,
  ...(about === undefined ? {} : { about }),
  columns: [column, 'Findings'],
  rows: all.map(({ name, count }) => [name, String(count)]),
  bars: all.map(({ name, count }) => ({ label: name, value: count })),
});

const sourcesSection = ({ sources, pairing, doubt }: Report): Section => ({
  title: 'What was read',
  about: [doubt, pairing && `Pairing: ${pairing.state}, ${pairing.reason}.`, pairing?.next]
    .filter((it) => typeof it === 'string')
    .join(' '),
  columns: ['Source', 'Complete', 'Known', 'As of'],
  rows: sources.map(({ id, complete, counts, asOf }) => [
    id,
    complete ? 'yes' : 'no',
    String(Object.values(counts).reduce((sum, it) => sum + it, 0)),
    asOf ?? 'never',
  ]),
});

function lostSection({ subnets, subnetsComplete }: Report): Section {
  const lossy = subnets.filter((it) => it.lost > 0).sort((a, b) => b.lost - a.lost);
  return {
    title: 'Addresses lost by subnet',
    about: `Findings of class leak: records that keep an unused address.${subnetsComplete ? '' : NOT_ALL}`,
    columns: ['Subnet', 'VPC', 'Lost', 'Free'],
    rows: lossy.map(({ name, vpc, lost, free }) => [name, vpc || '-', String(lost), free ?? '?']),
    bars: lossy.map(({ name, lost }) => ({ label: name, value: lost })),
  };
}

const NOT_ALL = ' Not every Subnet is known: there may be others.';

/** The soonest first: of those that will be full, how much of a day, week or year is left. */
function forecastSection({ subnets, subnetsComplete }: Report): Section {
  const pressing = subnets
    .flatMap((subnet) => {
      const { is } = subnet.exhaustion;
      const seconds = subnet.exhaustion.is === 'growing' ? subnet.exhaustion.fullInSeconds : 0;
      return is === 'growing' || is === 'full' ? [{ subnet, seconds }] : [];
    })
    .sort((a, b) => a.seconds - b.seconds);
  const unsure = subnets.filter((it) => it.exhaustion.is === 'unknown').length;
  return {
    title: 'Forecast',
    about: `When subnets will be full if addresses are taken as in the last six hours and none is given back; bars are days, the soonest first.${unsure > 0 ? ` Of ${unsure} it is not known.` : ''}${subnetsComplete ? '' : NOT_ALL}`,
    columns: ['Subnet', 'VPC', 'Free', 'Full in'],
    rows: pressing.map(({ subnet: { name, vpc, free, exhaustion } }) => [
      name,
      vpc || '-',
      free ?? '?',
      fullIn(exhaustion),
    ]),
    bars: pressing.map(({ subnet, seconds }) => ({
      label: subnet.name,
      value: seconds / 86_400,
      shown: fullIn(subnet.exhaustion),
    })),
  };
}

const findingsSection = (findings: readonly Finding[]): Section => ({
  title: 'Findings',
  about: 'steward explain with the id and the same inputs shows the proof.',
  columns: ['Id', 'Severity', 'Rule', 'State', 'First seen', 'What'],
  rows: mapped(findings, (finding) => [
    finding.id.slice(0, 10),
    finding.severity,
    finding.rule,
    finding.state,
    finding.firstSeen,
    finding.summary,
  ]),
});

const unknownsSection = (unknowns: readonly Unknown[]): Section => ({
  title: 'Could not be judged',
  columns: ['Rule', 'Subject', 'Why'],
  rows: mapped(unknowns, ({ rule, subject, reason }) => [
    rule,
    subject === null ? 'all of them' : describe(subject),
    reason,
  ]),
});

function* mapped<T>(things: readonly T[], row: (it: T) => string[]): Generator<readonly string[]> {
  for (const it of things) yield row(it);
}
