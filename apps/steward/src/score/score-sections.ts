import { describe } from '@ovn-steward/contracts/identity/reference';
import {
  type ReleaseScore,
  type Score,
  type ScoredCase,
  type ScoredCases,
  spreadOf,
} from '@ovn-steward/judgement/score/score';
import type { Section } from '../report/section';
import { spanText } from './span-text';

/** So many cases are listed of each sort. */
const LISTED = 20;

export const scoreTitle = (cluster: string): string =>
  `How Kube-OVN collected its own garbage in ${cluster}`;

/** What it comes to, in one or two sentences. */
export function scoreConclusion({ from, through, releases }: Score): string {
  if (from === '')
    return 'Nothing can be said: not everything was read completely while it was followed.';
  const sum = (of: (it: ReleaseScore) => number): number =>
    releases.reduce((total, it) => total + of(it), 0);
  const span = spanText(Math.max(0, Date.parse(through) - Date.parse(from)) / 1000);
  const collected = sum((it) => it.inTime) + sum((it) => it.late.count);
  return `Observed from ${from} to ${through} (${span}). Collected ${collected}, of these ${sum((it) => it.late.count)} late; missed ${sum((it) => it.missed.count)}; removed though alive ${sum((it) => it.removedAlive.count)}; rows of others damaged: ${sum((it) => it.damaged.count)} times.`;
}

/** The table of the releases, then the cases of each sort. */
export function scoreSections(score: Score): readonly Section[] {
  const of = (pick: (it: ReleaseScore) => ScoredCases): Iterable<readonly string[]> =>
    score.releases.flatMap((release) =>
      pick(release)
        .cases.slice(-LISTED)
        .map((found) => caseRow(release.release, found)),
    );
  const columns = ['release', 'rule', 'what', 'since', 'for'];
  return [
    {
      title: 'By release',
      about:
        'In time and late: dead things that went within their grace, or after it. Missed: those that are left after it. Pending: those that are left, within it.',
      columns: [
        ...['release', 'starts', 'in time', 'late', 'late by (median, most)', 'missed'],
        ...['pending', 'removed though alive', 'damage to others'],
      ],
      rows: score.releases.map(releaseRow),
    },
    {
      title: 'Removed though alive',
      about: `What it was for was in use, and it did not come back within the grace. At most the last ${LISTED} of each release, as below.`,
      columns,
      rows: of((it) => it.removedAlive),
    },
    { title: 'Damage to others', about: '', columns, rows: of((it) => it.damaged) },
    { title: 'Missed', about: '', columns, rows: of((it) => it.missed) },
    { title: 'Late', about: '', columns, rows: of((it) => it.late) },
  ];
}

function releaseRow(release: ReleaseScore): readonly string[] {
  const spread = spreadOf(release.late);
  const counts = [
    release.missed.count,
    release.pending,
    release.removedAlive.count,
    release.damaged.count,
  ];
  return [
    release.release,
    String(release.starts),
    String(release.inTime),
    String(release.late.count),
    spread ? `${spanText(spread.median)}, ${spanText(spread.longest)}` : '-',
    ...counts.map(String),
  ];
}

const caseRow = (release: string, scored: ScoredCase): readonly string[] => [
  release,
  scored.rule,
  describe(scored.subject),
  `${scored.before ? 'before ' : ''}${scored.at}`,
  `${scored.before ? 'more than ' : ''}${spanText(scored.seconds)}`,
];
