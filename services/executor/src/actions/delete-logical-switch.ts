import { removesWhole } from '../action-kit/remove-whole';

export default removesWhole({
  id: 'delete-logical-switch',
  table: 'Logical_Switch',
  rank: 115,
  does: 'Removes a switch that nobody uses any more, with the ends of routers and the uplink in it; only where no Kube-OVN controller leads.',
  undoing:
    'Southbound makes a new datapath and new bindings with new tunnel keys; groups that listed its ports get them back.',
  losses: [],
});
