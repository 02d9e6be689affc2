import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { auditDocument } from '@ovn-steward/analyzer';
import type { Change } from '@ovn-steward/contracts/changes/change';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { Settings } from '@ovn-steward/shared/settings/settings';
import { recordingNames, RECORDINGS } from '../testing/truth';
import { readWorld } from './read-world';
import { inputsFrom } from './sources';

const settings = Settings.parse({ cluster: 'test' });

/** Reads a recording; gives its changes with what was found. */
async function read(name: string) {
  const at = join(RECORDINGS, name);
  const ovnSb = join(at, 'sb.db');
  const changes: Change[] = [];
  const inputs = inputsFrom(
    {
      ovnNb: join(at, 'nb.db'),
      kubernetes: at,
      ...(existsSync(ovnSb) && { ovnSb }),
    },
    settings,
  );
  const engine = await readWorld(inputs, settings, {
    timeoutMs: 1000,
    onChanges: (it) => void changes.push(...it),
  });
  return { engine, changes };
}

test.each(recordingNames())(
  'all of %s at once is judged as it is one change after the other',
  async (name) => {
    const { engine, changes } = await read(name);
    const followed = createEngine(settings, true);
    const isOfKubernetes = (it: Change): boolean => it.source === 'kubernetes';
    for (const change of changes.filter((it) => !isOfKubernetes(it))) followed.apply([change]);
    for (const change of changes.filter(isOfKubernetes)) followed.apply([change]);
    expect(auditDocument(engine, 'test')).toEqual(auditDocument(followed, 'test'));
  },
);
