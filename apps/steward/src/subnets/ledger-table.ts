import type { LedgerEntry } from '@ovn-steward/judgement/health/address-ledger';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from '../output/colours';
import { columns } from '../output/columns';

const HEAD = ['SUBNET', 'ADDRESS', 'RECORDED BY', 'FOR', 'NOTES'];

/** The addresses of one subnet, and who records each. */
export interface Ledger {
  readonly subnet: string;
  /** Null while not all kinds of records are known. */
  readonly addresses: readonly LedgerEntry[] | null;
}

/** One line per address, those with more than one holder marked. */
export function ledgerTable(ledgers: readonly Ledger[]): string {
  const rows = ledgers.flatMap(({ subnet, addresses }) =>
    addresses === null
      ? [{ cells: [safeText(subnet), '?', '?', '?', 'not every record is known'], isWell: false }]
      : addresses.map((it) => ({ cells: cells(subnet, it), isWell: it.holders < 2 })),
  );
  if (rows.length === 0) return 'No addresses are held.\n';
  const [head, ...lines] = columns(
    HEAD,
    rows.map((it) => it.cells),
  );
  return [
    pc.bold(head!),
    ...lines.map((line, at) => (rows[at]!.isWell ? line : pc.yellow(line))),
    '',
  ].join('\n');
}

const cells = (subnet: string, { address, records, holders, inIpam }: LedgerEntry): string[] => [
  safeText(subnet),
  address,
  records.map(({ kind, name }) => `${kind} ${safeText(name)}`).join(', '),
  [...new Set(records.map((it) => safeText(it.of)).filter((it) => it !== ''))].join(', ') || '-',
  [
    ...(holders > 1 ? [`${holders} holders`] : []),
    ...(holders === 0 ? ['being released'] : []),
    ...(inIpam === false ? ['not in the IPAM'] : []),
  ].join(', '),
];
