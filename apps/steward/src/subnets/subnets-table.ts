import { safeText } from '@ovn-steward/shared/safe-text';
import type { SubnetReport } from '@ovn-steward/analyzer';
import { fullIn } from './full-in';
import { shortFigure } from './short-figure';
import { subnetVerdict } from './subnet-verdict';
import { type Cells, tableText } from '../output/columns';
import { colours as pc } from '../output/colours';

type Address = SubnetReport['addresses'][number];

const HEAD = [
  'SUBNET',
  'VPC',
  'CIDR',
  'GATEWAY',
  'READY',
  'VALIDATED',
  'IN USE',
  'FREE',
  'FULL IN',
  'NAMESPACES',
  'VLAN',
  'NOTES',
];

/** What `-o wide` has besides: all namespaces, and the ids of the findings. */
const WIDE = ['ALL NAMESPACES', 'FINDINGS'];

/** One line per subnet for a person; `-` is none, `?` is not known. */
export const subnetsTable = (subnets: readonly SubnetReport[]): string =>
  subnets.length === 0 ? 'No subnets.\n' : tableText(subnetCells(subnets));

export const subnetCells = (subnets: readonly SubnetReport[], wide = false): Cells => ({
  head: wide ? [...HEAD, ...WIDE] : HEAD,
  rows: subnets.map((it) => (wide ? [...cells(it), ...wideCells(it)] : cells(it))),
  colour: (row) => (isWell(subnets[row]!) ? String : pc.yellow),
});

const wideCells = ({ namespaces: { named, annotated }, findings }: SubnetReport): string[] => [
  (annotated ?? named).join(',') || '-',
  findings.map(({ id }) => id.slice(0, 10)).join(',') || '-',
];

const cells = (subnetReport: SubnetReport): string[] => [
  safeText(subnetReport.name),
  safeText(subnetReport.vpc) || '-',
  safeText(subnetReport.cidr) || '-',
  gateway(subnetReport),
  answer(subnetReport.ready),
  answer(subnetReport.validated),
  subnetReport.addresses.map(inUse).join(' | ') || '-',
  subnetReport.addresses.map(free).join(' | ') || '-',
  fullIn(subnetReport.exhaustion),
  namespaces(subnetReport),
  vlan(subnetReport),
  remarks(subnetReport),
];

/** The address, and where it is on one node at a time, which. */
const gateway = ({ gateway: address, activeGateway }: SubnetReport): string =>
  `${safeText(address) || '-'}${activeGateway === null ? '' : activeGateway === '' ? ' (no node)' : ` on ${safeText(activeGateway)}`}`;

const answer = (is: boolean | null): string => (is === null ? '?' : is ? 'yes' : 'no');
/** What the status says, and the truth where it is another. */
const inUse = ({ used, counted }: Address): string =>
  used === counted ? shortFigure(used) : `${shortFigure(used)} (${shortFigure(counted)} held)`;
const free = ({ free: really, available, family }: Address): string =>
  really === null || available === null || agree(really, available, family)
    ? shortFigure(really ?? available)
    : `${shortFigure(really)} (status: ${shortFigure(available)})`;

/** IPv6 counts are rounded by JSON to some sixteen digits (kube-ovn.md §6.5). */
function agree(one: string, other: string, family: Address['family']): boolean {
  const a = BigInt(one);
  const b = BigInt(other);
  return a === b || (family === 'v6' && (a > b ? a - b : b - a) <= a / 1_000_000_000_000n);
}

/** Those the annotations bind; one that is only named in the spec, or only bound, says so. */
function namespaces({ namespaces: { named, annotated } }: SubnetReport): string {
  if (annotated === null) return named.length === 0 ? '?' : `${shortened(named)} (named)`;
  const unbound = named.filter((it) => !annotated.includes(it));
  return (
    [
      annotated.length === 0 ? '' : shortened(annotated),
      unbound.length === 0 ? '' : `not bound: ${shortened(unbound)}`,
    ]
      .filter((it) => it !== '')
      .join('; ') || '-'
  );
}

const shortened = (names: readonly string[]): string =>
  `${names
    .slice(0, 3)
    .map((it) => safeText(it))
    .join(',')}${names.length > 3 ? ` +${names.length - 3}` : ''}`;

function vlan({ vlan: its, providerNetwork }: SubnetReport): string {
  const thing = (named: { readonly name: string; readonly presence: string }): string =>
    `${safeText(named.name)}${named.presence === 'present' ? '' : named.presence === 'absent' ? ' (missing)' : ' (?)'}`;
  return its === null
    ? '-'
    : [its, ...(providerNetwork ? [providerNetwork] : [])].map(thing).join(' on ');
}

function remarks({ terminatingSince, findings }: SubnetReport): string {
  const counts = new Map<string, number>();
  for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [
    ...(terminatingSince === null ? [] : [`terminating since ${safeText(terminatingSince, 40)}`]),
    ...[...counts].map(([rule, count]) => (count === 1 ? rule : `${rule} ×${count}`)),
  ].join(', ');
}

const isWell = (subnetReport: SubnetReport): boolean =>
  subnetVerdict(subnetReport) !== 'wrong' && subnetReport.terminatingSince === null;
