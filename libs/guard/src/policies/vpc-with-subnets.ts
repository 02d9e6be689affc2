import { refuses } from '../policy-kit/policy';
import { isExternalCel } from '../policy-kit/vpc-of-subnet';

/**
 * Subnets named in the message. CEL has no way to go through a list by position but to write the
 * positions down.
 */
const MOST_NAMED = 32;
const POSITIONS = `[${Array.from({ length: MOST_NAMED }, (_, i) => i).join(', ')}]`;

/**
 * CEL sees only the Vpc: `status.subnets` is what Kube-OVN last wrote, without Subnets that are
 * being deleted, late for one that was just created, and may hold a name twice (kube-ovn.md §7.3).
 * The default VPC is left to Kube-OVN, and mirrors of others' routers to the policy external-vpc.
 */
export default refuses({
  id: 'vpc-with-subnets',
  does: 'Refuses to delete a Vpc while its status lists subnets, and names them.',
  refusalReason: 'DeletionRefused',
  on: { operations: ['DELETE'], apiGroups: ['kubeovn.io'], resources: ['vpcs'] },
  onlyIf: {
    'not-the-default':
      '!has(oldObject.status) || oldObject.status == null || !has(oldObject.status.default) || oldObject.status.default != true',
    'not-a-mirror': `!(${isExternalCel})`,
  },
  variables: {
    subnets:
      'has(oldObject.status) && oldObject.status != null && has(oldObject.status.subnets) && oldObject.status.subnets != null ? oldObject.status.subnets : []',
  },
  passes: 'variables.subnets.size() == 0',
  messageExpression:
    `'Vpc ' + oldObject.metadata.name + ' still has subnets: ' + ${POSITIONS}.filter(i, i < variables.subnets.size() && variables.subnets.indexOf(variables.subnets[i]) == i).map(i, variables.subnets[i]).join(', ')` +
    ` + (variables.subnets.size() > ${MOST_NAMED} ? ' and more' : '') + '. Delete them first.'`,
  message: 'This Vpc still has subnets. Delete them first.',
});
