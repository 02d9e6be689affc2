import { inMemory } from '../testing/action-beds';
import { describeAction } from './action.contract';
import removePortGroupMember from './remove-port-group-member';

describeAction(removePortGroupMember, inMemory('remove-port-group-member'));

test("only with a person's word", () => expect(removePortGroupMember.onlyApproved).toBe(true));
