import { certificatePage } from './page';
import type { Trial } from './trial';

const WHERE = {
  version: '0.1.0',
  commit: 'abc',
  day: '2026-01-01',
  node: '20.19.0',
  platform: 'linux x64',
  command: 'npm run -s certificate',
};
const trial: Trial = {
  what: 'rules, seed 1',
  command: 'npm run -s fuzz -- rules --seed 1',
  amount: '100 steps',
  accused: 0,
  deleted: 0,
  missed: 2,
  right: true,
};

test('a clean one says so, and what was missed', () => {
  const page = certificatePage([trial, { ...trial, what: 'rules, seed 2' }], WHERE);
  expect(page).toContain(
    'No trial accused or removed anything that is in use or belongs to others.',
  );
  expect(page).toContain('| Missed faults | 4 |');
  expect(page).toContain('| rules, seed 2 | 100 steps | 0 | 0 | 2 | yes |');
});

test('what was tried again says how often', () => {
  const page = certificatePage([trial, { ...trial, what: 'again', nth: 2 }], WHERE);
  expect(page).toContain('| again | 100 steps | 0 | 0 | 2 | yes, tried 2 times |');
  expect(page).toMatch(/made again, since something of their part went wrong before \| 1 \|/);
});

test.each<[string, Partial<Trial>]>([
  ['an accusation', { accused: 1 }],
  ['a deletion', { deleted: 1 }],
  ['anything else', { right: false }],
])('%s that was wrong is in its first lines', (_, wrong) => {
  const page = certificatePage([trial, { ...trial, ...wrong, what: 'the bad one' }], WHERE);
  expect(page).toContain('**Not clean**: the bad one.');
  expect(page).not.toContain('No trial accused');
});
