import { entityOf, object, row } from '../testing/builders';
import { isWantedAcl, desiredAcls } from './subnet-acls';

const subnet = (spec: Record<string, unknown>) => entityOf(object('Subnet', 'apps', { spec }));
const ACL = {
  direction: 'to-lport',
  priority: 1500,
  action: 'drop',
  match: 'ip4.src == 10.9.0.0/16',
};
const DROP = { direction: 'to-lport', priority: 1000, action: 'drop', match: 'ip' };
const allow = (block: string) => ({
  direction: 'to-lport',
  priority: 1001,
  action: 'allow-related',
  match: { block },
});
const acl = (columns: Record<string, unknown>) => entityOf(row('ACL', '', { ...ACL, ...columns }));

describe('wantedAcls', () => {
  it.each([
    ['nothing of a subnet that says nothing', {}, []],
    ['its own', { acls: [ACL] }, [ACL]],
    ['what drops, of a private one', { private: true, cidrBlock: '10.17.0.0/20' }, [DROP]],
    [
      'what opens it to allowed blocks of its family',
      {
        private: true,
        cidrBlock: '10.17.0.0/20',
        allowSubnets: [' 10.18.0.0/16', '', 'fd00:18::/64'],
      },
      [DROP, allow('10.18.0.0/16')],
    ],
    [
      'those of both families, and its own',
      {
        private: true,
        cidrBlock: '10.17.0.0/20,fd00:17::/64',
        allowSubnets: ['10.18.0.0/16', 'fd00:18::/64'],
        acls: [ACL],
      },
      [DROP, allow('10.18.0.0/16'), allow('fd00:18::/64'), ACL],
    ],
    [
      'no allowed block of one that is not private',
      { cidrBlock: '10.17.0.0/20', allowSubnets: ['10.18.0.0/16'], private: false },
      [],
    ],
    [
      'no entry that lacks a field',
      {
        acls: [
          null,
          'x',
          { ...ACL, match: '' },
          { ...ACL, priority: '1500' },
          { ...ACL, action: undefined },
        ],
      },
      [],
    ],
  ])('%s', (_, spec, expected) => expect(desiredAcls(subnet(spec))).toEqual(expected));
});

describe('isWanted', () => {
  it.each([
    [{}, true],
    [{ direction: 'from-lport' }, false],
    [{ priority: 1501 }, false],
    [{ action: 'allow' }, false],
    [{ match: 'ip4.src == 10.9.0.0/17' }, false],
  ])('%j: %s', (columns, expected) => expect(isWantedAcl(acl(columns), ACL)).toBe(expected));

  it.each([
    [
      '(ip4.src == 10.17.0.0/20 && ip4.dst == 10.18.0.0/16) || (ip4.src == 10.18.0.0/16 && ip4.dst == 10.17.0.0/20)',
      true,
    ],
    ['ip4.src == 10.18.0.0/16', true],
    ['ip4.src == 110.18.0.0/16', false],
    ['ip4.src == 10.17.0.0/20', false],
  ])('finds the block in %s: %s', (match, expected) =>
    expect(
      isWantedAcl(acl({ priority: 1001, action: 'allow-related', match }), allow('10.18.0.0/16')),
    ).toBe(expected),
  );
});
