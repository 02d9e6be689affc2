import { compareValues } from '@ovn-steward/shared/compare';
import type { SubnetReport } from '@ovn-steward/analyzer';
import { type Command, Option } from 'commander';
import { Failure } from '@ovn-steward/shared/errors';
import { nearest } from '@ovn-steward/shared/nearest';
import { safeText } from '@ovn-steward/shared/safe-text';
import { type FindingsFilter, findingTest, withFindingWords } from '../inputs/findings-filter';
import { allNamespaces } from '../inputs/namespaces-option';

/** Which subnets are to be listed, as the command line says it. */
export interface SubnetsFilter extends Pick<
  FindingsFilter,
  'rule' | 'class' | 'severity' | 'since' | 'vpc' | 'namespace'
> {
  readonly subnet?: string;
  readonly sortBy?: string;
}

/** The options that choose subnets. */
export const withSubnetsFilter = (command: Command): Command =>
  withFindingWords(command, 'subnets with a finding')
    .option('--vpc <name>', 'subnets of this VPC')
    .option('--subnet <name>', 'this subnet')
    .addOption(allNamespaces())
    .option('-n, --namespace <name>', 'subnets that this namespace has')
    .addOption(
      new Option('--sort-by <field>', 'the order of the list; by name without').choices(
        Object.keys(ORDERS),
      ),
    );

/** Unknown figures come last. */
const LAST = Infinity;

const free = ({ addresses }: SubnetReport): number =>
  addresses.reduce((least, it) => Math.min(least, it.free === null ? LAST : Number(it.free)), LAST);

const seconds = ({ exhaustion }: SubnetReport): number =>
  exhaustion.is === 'full' ? 0 : exhaustion.is === 'growing' ? exhaustion.fullInSeconds : LAST;

/** What the list can be sorted by: the worst first; of equals by name. */
const ORDERS: Readonly<Record<string, (subnet: SubnetReport) => string | number>> = {
  name: (it) => it.name,
  vpc: (it) => it.vpc,
  free,
  'full-in': seconds,
  findings: (it) => -it.findings.length,
};

/**
 * The subnets that are meant, by name unless sorted otherwise.
 * @param names of subnets, or the beginning of one.
 * @throws Failure `config-invalid` for a subnet, rule, class, severity or time there is not.
 */
export function chosenSubnets(
  all: readonly SubnetReport[],
  names: readonly string[],
  filter: SubnetsFilter,
  now: Date,
): readonly SubnetReport[] {
  const { rule, class: sort, severity, since, vpc, namespace, subnet } = filter;
  const wanted = [...names, ...(subnet === undefined ? [] : [subnet])].map((it) => named(it, all));
  const fitting = findingTest(
    all.flatMap((it) => it.findings),
    filter,
    now,
  );
  const byFindings = [rule, sort, severity, since].some((it) => it !== undefined);
  const by = ORDERS[filter.sortBy ?? 'name']!;
  return all
    .filter(
      (report) =>
        (wanted.length === 0 || wanted.includes(report.name)) &&
        (vpc === undefined || report.vpc === vpc) &&
        (namespace === undefined || has(report, namespace)) &&
        (!byFindings || report.findings.some(fitting)),
    )
    .sort((a, b) => compareValues(by(a), by(b)) || compareValues(a.name, b.name));
}

const has = ({ namespaces: { named, annotated } }: SubnetReport, namespace: string): boolean =>
  named.includes(namespace) || (annotated?.includes(namespace) ?? false);

/** The subnet of this name, or the only one whose name begins so. */
function named(name: string, all: readonly SubnetReport[]): string {
  const begins = all.filter((it) => it.name.startsWith(name));
  if (all.some((it) => it.name === name)) return name;
  if (begins.length === 1 && name !== '') return begins[0]!.name;
  const meant = nearest(
    name,
    all.map((it) => it.name),
  );
  throw new Failure(
    'config-invalid',
    begins.length > 1
      ? `${begins.length} Subnets begin with ${JSON.stringify(safeText(name))}; give more of the name`
      : `There is no Subnet ${JSON.stringify(safeText(name))}${meant === undefined ? '; steward subnets lists those there are' : `; did you mean ${safeText(meant)}?`}`,
  );
}
