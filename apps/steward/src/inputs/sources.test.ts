import { Settings } from '@ovn-steward/shared/settings/settings';
import { recording } from '@ovn-steward/testbed/recordings';
import { inputsFrom } from './sources';

const RECORDED = {
  ovnNb: recording('leaky', 'nb.db'),
  kubernetes: recording('leaky', 'kubernetes.json'),
};
const SETTINGS = Settings.parse({ cluster: 'c' });

test('a context is refused beside a recording, which is of one cluster', () => {
  expect(inputsFrom(RECORDED, SETTINGS).live).toBe(false);
  expect(() => inputsFrom({ ...RECORDED, context: 'prod' }, SETTINGS)).toThrow(
    /^--context prod chooses from a kubeconfig, and \S+kubernetes\.json is a recording: leave out/,
  );
});

test('a context of the settings is for live clusters, and a recording is read without it', () => {
  const settings = Settings.parse({ cluster: 'c', kubernetes: { context: 'prod' } });
  expect(inputsFrom(RECORDED, settings).live).toBe(false);
});
