import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { describeSourceType } from '../source-type.contract';
import { recordedKubernetes } from './recorded-kubernetes.source';
import { folderOf, recordings, removeFolders } from './testing/recording-fixture';

const leaky = join(recordings, 'leaky');

afterEach(removeFolders);

describeSourceType('a recording of Kubernetes', recordedKubernetes, async () => ({
  request: {
    system: 'kubernetes',
    where: leaky,
    settings: Settings.parse({ cluster: 'test' }),
    replay: 'final',
  },
  unreadable: async () => {
    const text = readFileSync(join(leaky, 'kubernetes.json'), 'utf8');
    return folderOf({ 'kubernetes.json': text.slice(0, text.length / 2) });
  },
}));

test('does not accept that nothing is named', () => {
  expect(recordedKubernetes.accepts(undefined)).toBe(false);
});
