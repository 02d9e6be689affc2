import { NOW } from '../testing/findings';
import type { Foreseen } from './foresee';
import { foreseenText } from './foreseen-text';

const entry = { id: 'a' } as Foreseen['entry'];
const stays = (reason: string): Foreseen => ({
  entry,
  stays: { code: 'held', reason, until: NOW.getTime() },
});

test('says how many would be done, and for each reason how many not', () => {
  expect(foreseenText([{ entry }, stays('anna holds it'), stays('anna holds it')])).toEqual([
    'Handed over now, 1 of 3 would be done, by the settings and decisions known here.',
    '       2  held: anna holds it',
  ]);
  expect(foreseenText([{ entry }, { entry }])).toEqual([
    'Handed over now, all 2 would be done, by the settings and decisions known here.',
  ]);
});

test('says nothing of an empty plan, and prints nothing that moves a terminal', () => {
  expect(foreseenText([])).toEqual([]);
  expect(foreseenText([stays('\u001b[2J')]).join()).not.toContain('\u001b');
});
