import type { Hold } from '../control/control-state';
import { NOTHING_DECIDED } from '../control/control-state';
import { heldIn, heldScopeOf } from './hold-check';

const NOW = Date.parse('2026-05-04T10:00:00Z');
const held = (hold: Partial<Hold>, about: Parameters<typeof heldIn>[1], exception?: 'undo') =>
  heldIn(
    {
      ...NOTHING_DECIDED,
      holds: new Map([
        ['it', { scope: {}, reason: 'a change', by: 'anna', at: '', until: null, ...hold }],
      ]),
    },
    about,
    exception,
    NOW,
  );
const web = heldScopeOf({ rule: 'leaked-ip', scope: { vpc: null, subnet: 'web' } });

test('a write is held where its scope is, or may be', () => {
  expect(held({}, web)).toContain('anna holds the whole cluster (a change)');
  expect(held({ scope: { subnet: 'web' } }, web)).toBeDefined();
  expect(held({ scope: { vpc: 'any' } }, web)).toBeDefined();
  expect(held({ scope: { subnet: 'db' } }, web)).toBeUndefined();
  expect(held({ until: '2026-05-04T09:00:00Z' }, web)).toBeUndefined();
});

test('only what it names is let through, and never a removal', () => {
  expect(held({ except: ['undo'] }, web, 'undo')).toBeUndefined();
  expect(held({ except: ['call-off', 'later'] }, web, 'undo')).toBeDefined();
  expect(held({ except: ['undo'] }, web)).toBeDefined();
});

test('every hold counts, not only the first', () => {
  const hold = (subnet: string): Hold => ({
    scope: { subnet },
    reason: 'a change',
    by: 'anna',
    at: '',
    until: null,
  });
  const holds = new Map(['db', 'web'].map((it) => [it, hold(it)]));
  expect(heldIn({ holds }, web, undefined, NOW)).toContain('web');
});
