import { loadConfig } from '@ovn-steward/shared/settings/config';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { FindingClass } from './finding';

test('the settings have a grace for every class of finding', () => {
  const { grace } = loadConfig({ schema: Settings, env: {}, flags: {} }).config;
  expect(Object.keys(grace).sort()).toEqual([...FindingClass.options].sort());
});
