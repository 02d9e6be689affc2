import * as fc from 'fast-check';
import { isIP } from 'node:net';
import {
  compareIp,
  formatIp,
  formatRange,
  parseCidr,
  parseIp,
  parseRange,
  parseRanges,
  sameIp,
  ipsIn,
  tryParseIp,
} from './address';
import { Failure } from './errors';

const ipv4 = fc
  .bigInt({ min: 0n, max: 2n ** 32n - 1n })
  .map((value) => ({ family: 4 as const, value }));
const ipv6 = fc
  .bigInt({ min: 2n ** 64n, max: 2n ** 128n - 1n })
  .map((value) => ({ family: 6 as const, value }));

describe('parseIp', () => {
  it.each([
    ['10.0.0.1', 4, 0x0a000001n],
    ['255.255.255.255', 4, 0xffffffffn],
    ['0.0.0.0', 4, 0n],
    ['fd00::1', 6, (0xfd00n << 112n) | 1n],
    ['FD00:0:0:0:0:0:0:1', 6, (0xfd00n << 112n) | 1n],
    ['::', 6, 0n],
    ['::ffff:10.0.0.1', 4, 0x0a000001n],
    ['::FFFF:a00:1', 4, 0x0a000001n],
    ['::10.0.0.1', 6, 0x0a000001n],
  ])('reads %s', (text, family, value) => {
    expect(parseIp(text)).toEqual({ family, value });
  });

  it.each([
    '',
    ' ',
    '010.0.0.1',
    '10.1',
    '10.0.0.256',
    '10.0.0.1 ',
    ' 10.0.0.1',
    '10.0.0.1/32',
    '10.0.0',
    '10.0.0.1.',
    '0x0a.0.0.1',
    '167772161',
    '-1.0.0.0',
    '１０.0.0.1',
    'fe80::1%eth0',
    '[::1]',
    '::1/64',
    '12345::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    ':::',
    '::1 ',
    '::010.0.0.1',
    'localhost',
    'constructor',
    '__proto__',
    '1'.repeat(1000),
    '\0',
    '10.0.0.1\n',
  ])('refuses %j', (text) => {
    expect(tryParseIp(text)).toBeUndefined();
    expect(() => parseIp(text)).toThrow(expect.objectContaining({ code: 'address-invalid' }));
  });

  it('finds the addresses among texts, and leaves out what is none', () => {
    const found = ipsIn(['10.0.0.1', undefined, '', 'none', '2001:DB8::1', '10.0.0.1']);
    expect(found.map(formatIp)).toEqual(['10.0.0.1', '2001:db8::1', '10.0.0.1']);
  });

  it('accepts nothing that the platform refuses, zone ids aside', () => {
    const alphabet = fc.string({ unit: fc.constantFrom(...'0129af:./%- x'), maxLength: 20 });
    fc.assert(
      fc.property(
        alphabet,
        (text) => tryParseIp(text) === undefined || (isIP(text) > 0 && !text.includes('%')),
      ),
      { numRuns: 5000 },
    );
  });

  it('never throws but a Failure, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        try {
          parseRanges(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Failure);
        }
      }),
    );
  });

  it('gives the same answer from its cache, far beyond the cache size', () => {
    for (let n = 0; n < 140_000; n += 1) tryParseIp(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    expect(parseIp('10.0.0.7')).toEqual({ family: 4, value: 0x0a000007n });
    expect(parseIp('10.2.0.7')).toEqual({ family: 4, value: 0x0a020007n });
  });
});

describe('formatIp', () => {
  it.each([
    ['FD00:0050:0001:0000:0000:0000:0000:0005', 'fd00:50:1::5'],
    ['fd00:50:1::ffff:ffff:ffff:fffe', 'fd00:50:1:0:ffff:ffff:ffff:fffe'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['192.0.2.1', '192.0.2.1'],
  ])('writes %s as %s', (text, canonical) => {
    expect(formatIp(parseIp(text))).toBe(canonical);
  });

  it('is undone by parseIp', () => {
    fc.assert(fc.property(fc.oneof(ipv4, ipv6), (ip) => sameIp(parseIp(formatIp(ip)), ip)));
  });

  it('is one text for one address, and orders as the numbers do', () => {
    fc.assert(
      fc.property(fc.oneof(ipv4, ipv6), fc.oneof(ipv4, ipv6), (a, b) => {
        expect(formatIp(a) === formatIp(b)).toBe(sameIp(a, b));
        expect(compareIp(a, b) === 0).toBe(sameIp(a, b));
        expect(Math.sign(compareIp(a, b))).toBe(-Math.sign(compareIp(b, a)) + 0);
      }),
    );
    expect(
      [parseIp('::1'), parseIp('10.0.0.2'), parseIp('10.0.0.1')].sort(compareIp).map(formatIp),
    ).toEqual(['10.0.0.1', '10.0.0.2', '::1']);
  });
});

describe('parseCidr', () => {
  it('keeps the host address and gives the whole network', () => {
    const { address, prefix, range } = parseCidr('10.0.0.5/24');
    expect([formatIp(address), prefix, formatRange(range)]).toEqual([
      '10.0.0.5',
      24,
      '10.0.0.0-10.0.0.255',
    ]);
    expect(formatRange(parseCidr('fd00:50:1::/64').range)).toBe(
      'fd00:50:1::-fd00:50:1:0:ffff:ffff:ffff:ffff',
    );
    expect(formatRange(parseCidr('0.0.0.0/0').range)).toBe('0.0.0.0-255.255.255.255');
    expect(formatRange(parseCidr('10.0.0.1/32').range)).toBe('10.0.0.1');
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    'fd00::/129',
    '::ffff:10.0.0.0/120',
    '::ffff:10.0.0.0/24',
    '/8',
    '10.0.0.0/ 8',
    '10.0.0.0/1e1',
  ])('refuses %j', (text) => {
    expect(() => parseCidr(text)).toThrow(expect.objectContaining({ code: 'address-invalid' }));
  });
});

describe('parseRange', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.1..10.0.0.9', '10.0.0.1-10.0.0.9'],
    ['10.0.0.1-10.0.0.9', '10.0.0.1-10.0.0.9'],
    ['10.0.0.4/30', '10.0.0.4-10.0.0.7'],
    ['fd00:50:1::2-fd00:50:1:0::4', 'fd00:50:1::2-fd00:50:1::4'],
    ['fd00::1..fd00::1', 'fd00::1'],
  ])('reads %s', (text, range) => {
    expect(formatRange(parseRange(text))).toBe(range);
  });

  it.each([
    '',
    '-',
    '..',
    '10.0.0.9..10.0.0.1',
    '10.0.0.1-fd00::1',
    '10.0.0.1-',
    '-10.0.0.1',
    '10.0.0.1...10.0.0.2',
    '10.0.0.1-10.0.0.2-10.0.0.3',
    '10.0.0.1 - 10.0.0.2',
  ])('refuses %j', (text) => {
    expect(() => parseRange(text)).toThrow(expect.objectContaining({ code: 'address-invalid' }));
  });

  it('reads the lists of Kube-OVN and OVN', () => {
    expect(parseRanges('10.17.0.2-10.17.0.30,10.17.0.240').map(formatRange)).toEqual([
      '10.17.0.2-10.17.0.30',
      '10.17.0.240',
    ]);
    expect(parseRanges('10.0.0.2  10.0.0.30..10.0.0.40').map(formatRange)).toEqual([
      '10.0.0.2',
      '10.0.0.30-10.0.0.40',
    ]);
    expect(parseRanges('10.50.1.0/24, fd00:50:1::/64')).toHaveLength(2);
    expect(parseRanges(' ')).toEqual([]);
    expect(() => parseRanges('10.0.0.1,,10.0.0.2')).toThrow(Failure);
  });
});
