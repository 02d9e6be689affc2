import type {
  AddressRecord,
  AddressLedgerEntry,
} from '@ovn-steward/judgement/health/address-ledger';
import { safeText } from '@ovn-steward/shared/safe-text';
import { colours as pc } from '../output/colours';
import { type Cells, tableText } from '../output/columns';

const HEAD = ['SUBNET', 'ADDRESS', 'RECORDED BY', 'FOR', 'NOTES'];

/** One address, and all that record it; a server of a later version may know further kinds. */
type HeldAddress = Omit<AddressLedgerEntry, 'records'> & {
  readonly records: readonly (Pick<AddressRecord, 'name' | 'of'> & { readonly kind: string })[];
};

/** The addresses of one subnet, and who records each. */
export interface SubnetLedger {
  readonly subnet: string;
  /** Null while not all kinds of records are known. */
  readonly addresses: readonly HeldAddress[] | null;
}

/** One line per address, those with more than one holder marked. */
export function ledgerTable(ledgers: readonly SubnetLedger[]): string {
  const cells = ledgerCells(ledgers);
  return cells.rows.length === 0 ? 'No addresses are held.\n' : tableText(cells);
}

export function ledgerCells(ledgers: readonly SubnetLedger[]): Cells {
  const rows = ledgers.flatMap(({ subnet, addresses }) =>
    addresses === null
      ? [{ cells: [safeText(subnet), '?', '?', '?', 'not every record is known'], isWell: false }]
      : addresses.map((it) => ({ cells: cells(subnet, it), isWell: it.holders < 2 })),
  );
  return {
    head: HEAD,
    rows: rows.map((it) => it.cells),
    colour: (row) => (rows[row]!.isWell ? String : pc.yellow),
  };
}

const cells = (subnet: string, { address, records, holders, inIpam }: HeldAddress): string[] => [
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
