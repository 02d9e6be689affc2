import { parseIp } from '@ovn-steward/shared/address';
import { blocksAround } from './blocks-around';
import { blockText } from './cidr';

test('an IPv4 address is in 33 networks', () => {
  const blocks = blocksAround(parseIp('10.17.0.10'));
  expect(blocks).toHaveLength(33);
  expect(blocks).toEqual([...blocks].map(blockText));
  expect(blocks.slice(0, 4)).toEqual([
    '10.17.0.10/32',
    '10.17.0.10/31',
    '10.17.0.8/30',
    '10.17.0.8/29',
  ]);
  expect(blocks[8]).toBe('10.17.0.0/24');
  expect(blocks.at(-1)).toBe('0.0.0.0/0');
});

test('an IPv6 address is in 129', () => {
  const blocks = blocksAround(parseIp('fd00:10::a'));
  expect(blocks).toHaveLength(129);
  expect(blocks).toEqual([...blocks].map(blockText));
  expect(blocks[64]).toBe('fd00:10::/64');
});
