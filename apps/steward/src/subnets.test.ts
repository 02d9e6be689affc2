import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT } from './process/exit-codes';
import { steward } from './testing/cli';
import { type Mutation, type Raw, writeMutated } from './testing/mutate';

const says = (it: Mutation, type: string): Raw =>
  it.get('Subnet', 'apps').status.conditions.find((condition: Raw) => condition.type === type);

test.each<[title: string, change: (it: Mutation) => void, code: number]>([
  ['all is well', () => undefined, EXIT.nothingFound],
  [
    'the controller says that it is not ready',
    (recording) => {
      says(recording, 'Ready').status = 'False';
    },
    EXIT.findings,
  ],
  [
    'the controller does not know whether it is valid',
    (recording) => {
      says(recording, 'Validated').status = 'Unknown';
    },
    EXIT.couldNotKnow,
  ],
  [
    'no node is its gateway',
    (recording) => {
      recording.get('Subnet', 'apps').spec.gatewayType = 'centralized';
    },
    EXIT.findings,
  ],
])('steward subnets: %s', async (_, change, code) => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-subnets-'));
  try {
    writeMutated('clean', change, folder);
    expect(
      await steward(['subnets', 'apps', '--ovn-nb', join(folder, 'nb.db'), '--kubernetes', folder]),
    ).toMatchObject({ code, stderr: '' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
