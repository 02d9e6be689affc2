import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../place';
import { KUBERNETES_VERSION } from './kube-apiserver';

const goMod = readFileSync(join(PACKAGE, 'kube-apiserver', 'go.mod'), 'utf8');

test('the Go module requires the release we name, and every staging module at the matching one', () => {
  expect(/^\s*k8s\.io\/kubernetes (v\S+)$/m.exec(goMod)?.[1]).toBe(KUBERNETES_VERSION);
  const replaced = [...goMod.matchAll(/^\s*(k8s\.io\/\S+) => (\S+) (v\S+)$/gm)];
  expect(replaced.length).toBeGreaterThan(30);
  for (const [, from, to, version] of replaced)
    expect({ from, to, version }).toEqual({
      from,
      to: from,
      version: KUBERNETES_VERSION.replace('v1', 'v0'),
    });
});
