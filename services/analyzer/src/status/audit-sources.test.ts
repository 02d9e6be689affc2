import type { Change } from '@ovn-steward/contracts/changes/change';
import { createEngine } from '@ovn-steward/judgement/create-engine';
import { logicalSwitch } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { auditSources } from './audit-sources';

const BEGIN: Change = {
  type: 'snapshot-begin',
  version: 1,
  id: 'i',
  cluster: 'test',
  source: 'ovn-sb',
  stream: 'ovn-sb',
  epoch: 1,
  seq: 1,
  cursor: '',
  observedAt: '2026-01-01T00:00:00Z',
};

test.each([
  ['with a Northbound that is known', true],
  ['before anything else was read', false],
])('a Southbound that is being read is not complete, and has no tables yet: %s', (_, isKnown) => {
  const history = new History();
  const engine = createEngine({ cluster: 'test', grace: {} as never });
  if (isKnown) engine.apply([...history.listEverything(), history.put(logicalSwitch())]);
  engine.apply([BEGIN]);
  expect(auditSources(engine).find(({ id }) => id === 'ovn-sb')).toEqual({
    id: 'ovn-sb',
    complete: false,
    asOf: null,
    counts: {},
    kinds: [],
  });
});
