import { isClean, type Trial } from './trial';

/** Where the table stands in a page that says more. */
export const [BEGIN, END] = [
  '<!-- releases: made by npm run certificate -->',
  '<!-- releases: end -->',
] as const;

const NONE = '-';

/** `v1.9.2` before `v1.10.0`. */
const byRelease = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

const scenarioOf = ({ what }: Trial): string => what.split(' ').at(-1)!;

/** Those beside one release, by what is left out of all where that is little. */
function scenariosOf(played: readonly Trial[], all: readonly string[]): string {
  const names = played.map(scenarioOf);
  const others = all.filter((it) => !names.includes(it));
  if (names.length === 0) return NONE;
  if (others.length >= names.length) return names.join(', ');
  return others.length === 0 ? `all ${all.length}` : `all ${all.length} but ${others.join(', ')}`;
}

/** Which release of Kube-OVN was tried how, and what of it was not as it should. */
export function releasesTable(trials: readonly Trial[]): string {
  const all = [...new Set(trials.filter(({ of }) => of?.way === 'scenario').map(scenarioOf))];
  const releases = [...new Set(trials.flatMap(({ of }) => (of ? [of.release] : [])))];
  const rows = releases.sort(byRelease).map((release) => {
    const ofIt = trials.filter(({ of }) => of?.release === release);
    const [recorded, churned, played] = (['recording', 'churn', 'scenario'] as const).map((way) =>
      ofIt.filter(({ of }) => of?.way === way),
    ) as [Trial[], Trial[], Trial[]];
    const planted = recorded.reduce((sum, it) => sum + Number.parseInt(it.amount, 10), 0);
    const missed = recorded.reduce((sum, it) => sum + it.missed, 0);
    const wrong = ofIt.filter((it) => !isClean(it)).map((it) => it.what);
    return [
      release,
      recorded.length === 0 ? NONE : `${planted - missed} of ${planted} planted found`,
      churned.length === 0 ? NONE : churned.map((it) => it.amount).join(', '),
      scenariosOf(played, all),
      wrong.length === 0 ? 'nothing' : wrong.join(', '),
    ];
  });
  return [
    '| Kube-OVN | Recorded clusters | Beside its controller | Scenarios beside it | Accused or removed wrongly, or otherwise wrong |',
    '|---|---|---|---|---|',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    ...(all.length === 0
      ? []
      : [
          '',
          `Scenarios: ${all.join(', ')}. One is left out where the release has nothing that it could try.`,
        ]),
  ].join('\n');
}

/**
 * The page with the table in place of what stood there.
 * @throws Error for a page without the marks.
 */
export function withReleases(page: string, trials: readonly Trial[]): string {
  const from = page.indexOf(BEGIN);
  const to = page.indexOf(END);
  if (from < 0 || to < from) throw new Error('the page has no place for the table of releases');
  return `${page.slice(0, from + BEGIN.length)}\n\n${releasesTable(trials)}\n\n${page.slice(to)}`;
}
