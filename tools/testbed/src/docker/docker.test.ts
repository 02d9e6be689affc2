import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { containersAtHand } from './docker';
import { ETCD_IMAGE } from './images';

const { PATH, STEWARD_TEST_BED } = process.env;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'docker-'));
  process.env['PATH'] = `${folder}${delimiter}${PATH}`;
  delete process.env['STEWARD_TEST_BED'];
});
afterAll(() => {
  process.env['PATH'] = PATH;
  if (STEWARD_TEST_BED !== undefined) process.env['STEWARD_TEST_BED'] = STEWARD_TEST_BED;
  rmSync(folder, { recursive: true });
});

/** A Docker that answers, and says this when it is asked for an image. */
function dockerSays(script: string): void {
  const file = join(folder, 'docker');
  writeFileSync(file, `#!/bin/sh\n[ "$1" = info ] && echo 27.0 && exit\n${script}\n`);
  chmodSync(file, 0o755);
}

test('containers are at hand where every image is there', async () => {
  dockerSays('echo 0123456789ab');
  expect(await containersAtHand('kubernetes')).toBe(true);
});

test('they are not where an image is absent', async () => {
  dockerSays(`[ "$4" = ${ETCD_IMAGE} ] || echo 0123456789ab`);
  expect(await containersAtHand('kubernetes')).toBe(false);
});

test('a Docker that does not say which images it has is an error, and no absence', async () => {
  dockerSays('echo "context deadline exceeded" >&2; exit 1');
  await expect(containersAtHand('kubernetes')).rejects.toThrow('context deadline exceeded');
});
