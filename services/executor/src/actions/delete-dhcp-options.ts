import { removesRow } from '../action-kit/remove-row';

export default removesRow({
  id: 'delete-dhcp-options',
  table: 'DHCP_Options',
  onlyApproved: false,
  rank: 100,
  does: 'Deletes the DHCP options; ports forget them by themselves.',
  undoing: 'Ports that had them have them again, unless they were given others meanwhile.',
  losses: [],
});
