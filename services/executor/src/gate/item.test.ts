import { actionKey } from '@ovn-steward/contracts/identity/ids';
import type { Proposal } from '../findings/proposal';
import { finding } from '../testing/findings';
import { itemOf } from './item';

const PROPOSAL = finding('a', { revision: 3 }) as Proposal;
const { id, cluster, subject, remedy, revision } = PROPOSAL;

test('its key is that of this revision of the finding, and another in the next', () => {
  const next: Proposal = { ...PROPOSAL, revision: revision + 1 };
  expect(itemOf(PROPOSAL, 'enforce', undefined).id).toBe(
    actionKey(cluster, subject, remedy.action, id, revision),
  );
  expect(itemOf(next, 'enforce', undefined).id).not.toBe(itemOf(PROPOSAL, 'enforce', undefined).id);
});

test('an entry of a plan keeps the key and the version it has there', () => {
  const planned = { id: 'of-the-plan', version: 'v7' };
  expect(itemOf(PROPOSAL, 'observe', undefined, planned)).toMatchObject(planned);
  expect(itemOf(PROPOSAL, 'observe', undefined)).not.toHaveProperty('version');
});

test('what this version cannot do has no action', () => {
  const strange: Proposal = { ...PROPOSAL, remedy: { ...remedy, action: 'of-a-later-version' } };
  expect(itemOf(PROPOSAL, 'enforce', undefined).action?.id).toBe(remedy.action);
  expect(itemOf(strange, 'enforce', undefined).action).toBeUndefined();
});
