import { join } from 'node:path';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { describeSourceType } from '../source-type.contract';
import { ovnFile } from './ovn-file.source';

const leaky = (file: string): string =>
  join(__dirname, '../../../../../examples/recordings/leaky', file);

describe.each([
  ['final', 'nb.db'],
  ['watch', 'nb-history.db'],
] as const)('replayed: %s', (replay, file) => {
  describeSourceType('the file of an OVN database', ovnFile, async () => ({
    request: {
      system: 'ovn-nb',
      where: leaky(file),
      settings: Settings.parse({ cluster: 'test' }),
      replay,
    },
    unreadable: async () => leaky('truth.json'),
  }));
});

test.each(['tcp:127.0.0.1:6641', 'ssl:[::1]:6641,ssl:[::2]:6641', 'unix:/run/ovn/ovnnb_db.sock'])(
  'does not accept %s',
  (remote) => {
    expect(ovnFile.accepts(remote)).toBe(false);
  },
);
