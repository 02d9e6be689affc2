import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE } from '../place';
import { HELM_VERSION } from './helm';

test('the Go module requires the release we name, and its command as a tool', () => {
  const goMod = readFileSync(join(PACKAGE, 'helm', 'go.mod'), 'utf8');
  expect(/^\s*helm\.sh\/helm\/v3 (v\S+)/m.exec(goMod)?.[1]).toBe(HELM_VERSION);
  expect(goMod).toMatch(/^tool helm\.sh\/helm\/v3\/cmd\/helm$/m);
});
