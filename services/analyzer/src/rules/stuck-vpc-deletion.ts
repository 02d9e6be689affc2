import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { held } from '../world/deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

/** A VPC that was told to go and waits for its subnets (kube-ovn.md §7.3). */
export default defineRule({
  id: 'stuck-vpc-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Vpc',
  reads: ['Subnet'],
  about: 'A VPC that does not finish its deletion. It goes once no subnet names it.',

  check: (vpc, view) => stuckDeletion(vpc, () => held('subnets still name it', view.related(subnetsByVpc, vpc.name))),
});
