import * as fc from 'fast-check';
import { formatIp } from './address';
import { addressesOf } from './port-addresses';

const read = (element: string) => {
  const { form, mac, ips } = addressesOf(element);
  return [form, mac, ips.map(formatIp).join(' ')];
};

describe('addressesOf', () => {
  it.each([
    [
      '00:00:00:1A:2b:3c 10.16.0.5 FD00:10:16:0::5',
      ['static', '00:00:00:1a:2b:3c', '10.16.0.5 fd00:10:16::5'],
    ],
    ['00:00:00:1a:2b:3c', ['static', '00:00:00:1a:2b:3c', '']],
    ['00:00:00:1a:2b:3c 10.16.0.5/24', ['static', '00:00:00:1a:2b:3c', '10.16.0.5']],
    [' 00:00:00:1a:2b:3c   10.16.0.5 ', ['static', '00:00:00:1a:2b:3c', '10.16.0.5']],
    ['unknown', ['unknown', null, '']],
    ['router', ['router', null, '']],
    ['dynamic', ['dynamic', null, '']],
    ['00:00:00:1a:2b:3c dynamic', ['dynamic', '00:00:00:1a:2b:3c', '']],
    ['dynamic 10.16.0.9 fd00::9', ['dynamic', null, '10.16.0.9 fd00::9']],
  ])('reads %j', (element, expected) => {
    expect(read(element)).toEqual(expected);
    expect(addressesOf(element).problem).toBeNull();
  });

  it.each([
    ['', ['unparsable', null, '']],
    ['10.16.0.5', ['unparsable', null, '10.16.0.5']],
    ['00:00:00:1a:2b:3c 10.16.0.5 nonsense', ['unparsable', '00:00:00:1a:2b:3c', '10.16.0.5']],
    ['00:00:00:1a:2b:3c 010.16.0.5', ['unparsable', '00:00:00:1a:2b:3c', '']],
    ['00:00:00:1a:2b:3c 10.16.0.5,10.16.0.6', ['unparsable', '00:00:00:1a:2b:3c', '']],
    ['00:00:00:1a:2b:3c unknown', ['unparsable', '00:00:00:1a:2b:3c', '']],
    ['unknown 10.0.0.1', ['unparsable', null, '10.0.0.1']],
    ['0:0:0:1a:2b:3c 10.16.0.5', ['unparsable', null, '10.16.0.5']],
    ['UNKNOWN', ['unparsable', null, '']],
  ])('says that %j is not understood, and keeps what it could read', (element, expected) => {
    expect(read(element)).toEqual(expected);
    expect(addressesOf(element).problem).toMatch(/is not an address|no MAC/);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        ['static', 'dynamic', 'unknown', 'router', 'unparsable'].includes(addressesOf(text).form),
      ),
    );
  });
});
