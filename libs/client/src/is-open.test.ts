import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOpen } from './is-open';

const SCHEMA = join(__dirname, '../../../contracts/schemas/finding.v1.schema.json');
const { $defs } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as {
  $defs: { Finding: { properties: { state: { examples: string[] } } } };
};

test('all but what is over or suppressed is open, a state of a later version too', () => {
  const states = [...$defs.Finding.properties.state.examples, 'muted'];
  expect(states.filter((state) => isOpen({ state }))).toEqual(['suspected', 'confirmed', 'muted']);
});
