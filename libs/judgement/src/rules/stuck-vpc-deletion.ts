import { subnetsByVpc } from '../relations/subnets-by-vpc';
import { held } from '../world/deletion';
import { stuckDeletion } from '../world/stuck-deletion';
import { defineRule } from './rule';

const ENOUGH = 50;

/** A VPC that was told to go and waits for its subnets, but not for those that are on their way out themselves (kube-ovn.md §7.3). */
export default defineRule({
  id: 'stuck-vpc-deletion',
  class: 'stuck',
  severity: 'warning',
  subject: 'Vpc',
  reads: ['Subnet'],
  about: 'A VPC that does not finish its deletion. It goes once no subnet names it.',

  check: (vpc, view) =>
    stuckDeletion(vpc, () => {
      const subnets = view.related(subnetsByVpc, vpc.name, ENOUGH);
      const staying = subnets.filter((it) => it.object.metadata.deletionTimestamp === undefined);
      return staying.length > 0 ? held('subnets still name it', staying) : held('subnets that name it are not deleted yet', subnets);
    }),
});
