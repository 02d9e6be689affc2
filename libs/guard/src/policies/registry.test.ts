import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nameInCluster } from '../policy-kit/policy';
import { POLICIES } from './registry';

const files = readdirSync(__dirname)
  .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts') && it !== 'registry.ts')
  .map((it) => it.slice(0, -'.ts'.length));

test('has every file of the folder, and nothing else, in order', () => {
  expect(POLICIES.map((it) => it.id)).toEqual(files.sort());
});

test('says of each what it does, and has a test on a real server beside it', () => {
  for (const { id, does } of POLICIES) {
    expect([id, does]).toEqual([id, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect(readFileSync(join(__dirname, `${id}.int.test.ts`), 'utf8')).toContain(`'${id}'`);
  }
});

test.each(POLICIES)(
  '$id is a policy and the binding that puts it into force, in this order, under its own name',
  ({ id, needs, manifests }) => {
    expect(manifests().map((it) => [it.kind, it.metadata.name])).toEqual([
      [needs, nameInCluster(id)],
      [`${needs}Binding`, nameInCluster(id)],
    ]);
    expect(manifests()[1]?.spec['policyName']).toBe(nameInCluster(id));
  },
);
