import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describeWith, helm } from '@ovn-steward/testbed/fixture';
import { ROOT, textOf } from '../images/repository';
import { objectsIn, podsOf, rendered } from './rendered';

const INSTALLED = textOf('deploy/install.yaml');

describeWith(helm, 'deploy/install.yaml', () => {
  test('is what the chart makes; after a change run `npm run install-manifest`', () => {
    const made = execFileSync(
      process.execPath,
      [join(ROOT, 'tools/install-manifest.cjs'), '--print'],
      { encoding: 'utf8' },
    );
    expect(INSTALLED).toBe(made);
  });

  test('has every object of the chart but for the check, and a namespace that lets none do more', () => {
    const names = (objects: ReturnType<typeof objectsIn>) =>
      objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(names(objectsIn(INSTALLED))).toEqual([
      'Namespace ovn-steward',
      ...names(
        rendered().filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined),
      ),
    ]);
    expect(objectsIn(INSTALLED)[0]!.metadata.labels).toEqual({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
    expect(podsOf(objectsIn(INSTALLED)).size).toBe(1);
    expect(INSTALLED).not.toContain('Helm\n');
  });
});
