import { type Coverage, FAILURE_COVERAGE } from './failure-coverage';

/** A row of the table of known failures. */
export interface KnownFailure {
  readonly number: string;
  /** Of G, L, D, W, X, as the table says. */
  readonly kind: string;
  readonly failure: string;
}

/** The rows of the table in docs/domain/kube-ovn-failures.md. */
export const knownFailures = (page: string): readonly KnownFailure[] =>
  [...page.matchAll(/^\| (\d+[a-z]?) \| ([A-Z]) \| ((?:[^|\\]|\\.)+?) \|/gm)].map(
    ([, number, kind, failure]) => ({ number: number!, kind: kind!, failure: failure! }),
  );

/** What is said of a failure, by its number; undefined for one that is not among those known. */
export const coverageOf = (number: string): Coverage | undefined => FAILURE_COVERAGE[`_${number}`];

const STATES = {
  found: 'found',
  partly: 'found in part',
  needless: 'nothing to find',
  not: 'not found',
} as const;
type State = keyof typeof STATES;

const stateOf = ({ rules, says, needless }: Coverage): State => {
  if (needless === true) return 'needless';
  if (rules.length === 0) return 'not';
  return says === undefined ? 'found' : 'partly';
};

const ruleLink = (id: string): string =>
  `[${id}](rules.md#${id}) ([test](../libs/judgement/src/rules/${id}.test.ts))`;

/** `docs/failures.md`. @throws Error for a failure of which nothing is said. */
export function failuresPage(failures: readonly KnownFailure[]): string {
  const covered = failures.map((failure) => {
    const coverage = coverageOf(failure.number);
    if (coverage === undefined) throw new Error(`Nothing is said of failure ${failure.number}`);
    return { ...failure, ...coverage, state: stateOf(coverage) };
  });
  const count = (state: State): number => covered.filter((it) => it.state === state).length;
  return `# The known failures, and which rule finds each

Written by \`npm run generate\`. The numbers are those of [the failures of Kube-OVN](domain/kube-ovn-failures.md), which has for each where it was
reported, how it shows, and what mends it. Kinds: G a row whose reason is gone, L an address lost, D records that disagree or something missing, W a deletion that hangs,
X harm to rows of others.

Of ${failures.length}: ${count('found')} found, ${count('partly')} found in part, ${count('needless')} where nothing is to be found, ${count('not')} not found.

| # | Kind | Failure | State | Rules | What is left |
|---|---|---|---|---|---|
${covered
  .map(
    ({ number, kind, failure, state, rules, says = '' }) =>
      `| ${number} | ${kind} | ${failure} | ${STATES[state]} | ${rules.map(ruleLink).join(', ')} | ${says} |`,
  )
  .join('\n')}
`;
}
