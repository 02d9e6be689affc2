import { entityOf, row } from '../testing/builders';
import { chassisConfiguration, reachedByMost, reachedConfiguration } from './chassis-configuration';

const chassis = (nb_cfg?: number, minute = 1) =>
  entityOf(
    row('Chassis_Private', 'c', {
      ...(nb_cfg === undefined ? {} : { nb_cfg, nb_cfg_timestamp: minute * 60_000 + 999 }),
    }),
  );

test('what most have reached is the latest that more than half report, and when the last did', () => {
  const figure = chassisConfiguration.start();
  expect(reachedByMost(figure)).toBeUndefined();
  const one = chassis(7, 3);
  const two = chassis(9, 5);
  const three = chassis(9, 4);
  const four = chassis(8, 6);
  for (const it of [one, two]) chassisConfiguration.add(figure, it, 'all');
  expect(reachedByMost(figure)).toEqual({ configuration: 7, minute: 5 });
  chassisConfiguration.add(figure, three, 'all');
  expect(reachedByMost(figure)).toEqual({ configuration: 9, minute: 5 });
  expect(chassisConfiguration.verdict?.(figure)).toBe('9 5');
  chassisConfiguration.add(figure, four, 'all');
  expect(reachedByMost(figure)).toEqual({ configuration: 8, minute: 6 });
  for (const it of [one, two, three, four]) chassisConfiguration.remove(figure, it, 'all');
  expect(figure).toEqual(chassisConfiguration.start());
  expect(chassisConfiguration.verdict?.(figure)).toBe('0 0');
});

test('one that never reported is not counted', () => {
  expect(reachedConfiguration(chassis())).toBeUndefined();
  expect(reachedConfiguration(chassis(0))).toBeUndefined();
  expect(chassisConfiguration.keys(chassis())).toEqual([]);
  expect(chassisConfiguration.keys(chassis(1))).toEqual(['all']);
});
