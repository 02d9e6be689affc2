import type { AddressLedgerEntry } from '@ovn-steward/judgement/health/address-ledger';
import { ledgerTable } from './ledger-table';

const entry = (more: Partial<AddressLedgerEntry> = {}): AddressLedgerEntry => ({
  address: '10.17.0.9',
  family: 'v4',
  records: [{ kind: 'IP', name: 'db-0.shop', of: 'shop/db-0', terminating: false }],
  holders: 1,
  inIpam: true,
  ...more,
});

test('one line for each address', () =>
  expect(
    ledgerTable([
      {
        subnet: 'apps',
        addresses: [
          entry(),
          entry({
            address: '10.17.0.10',
            records: [
              ...entry().records,
              { kind: 'Vip', name: 'front', of: '', terminating: false },
            ],
            holders: 2,
            inIpam: null,
          }),
          entry({ address: 'fd00::9', holders: 0, inIpam: false }),
        ],
      },
      { subnet: 'web', addresses: null },
    ]).split('\n'),
  ).toEqual([
    'SUBNET  ADDRESS     RECORDED BY              FOR        NOTES',
    'apps    10.17.0.9   IP db-0.shop             shop/db-0',
    'apps    10.17.0.10  IP db-0.shop, Vip front  shop/db-0  2 holders',
    'apps    fd00::9     IP db-0.shop             shop/db-0  being released, not in the IPAM',
    'web     ?           ?                        ?          not every record is known',
    '',
  ]));

test('nothing to show', () =>
  expect(ledgerTable([{ subnet: 'apps', addresses: [] }])).toBe('No addresses are held.\n'));
