import { namesInMatch } from './match-names';

it.each([
  [
    'outport == @ovn.sg.sg.db && ip4.src == $a_b.v4',
    { portGroups: ['ovn.sg.sg.db'], addressSets: ['a_b.v4'], quoted: [] },
  ],
  [
    'ip4.src == {$a, $b} && inport == {@p, "x-1.ns"}',
    { portGroups: ['p'], addressSets: ['a', 'b'], quoted: ['x-1.ns'] },
  ],
  [
    'is_chassis_resident("cr-vpc-ext") && ip4.dst == 10.0.0.0/8',
    { portGroups: [], addressSets: [], quoted: ['cr-vpc-ext'] },
  ],
  [
    'inport == "with \\"quote\\" and $set @group"',
    { portGroups: [], addressSets: [], quoted: ['with "quote" and $set @group'] },
  ],
  ['inport == "never closed', { portGroups: [], addressSets: [], quoted: ['never closed'] }],
  ['$ @ ^VAR $', { portGroups: [], addressSets: [], quoted: [] }],
  ['', { portGroups: [], addressSets: [], quoted: [] }],
])('reads %s', (match, names) => expect(namesInMatch(match)).toEqual(names));

it('takes time in proportion to the length of the match, whatever it holds', () => {
  const hostile = '"\\'.repeat(200_000);
  const started = process.cpuUsage();
  namesInMatch(hostile);
  expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
});
