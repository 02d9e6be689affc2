import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import removePortGroupMember from './remove-port-group-member';
import { plant } from './testing/remove-port-group-member';

describeAction(removePortGroupMember, inMemory(plant));

test("only with a person's word", () => expect(removePortGroupMember.onlyApproved).toBe(true));
