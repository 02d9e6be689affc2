import { removesWhole } from '../action-kit/remove-whole';

export default removesWhole({
  id: 'delete-logical-router',
  table: 'Logical_Router',
  rank: 145,
  does: 'Removes a router that no switch leads to any more, with its ports, routes and policies; only where no Kube-OVN controller leads.',
  undoing: 'Southbound makes a new datapath and new bindings with new tunnel keys.',
  losses: [],
});
