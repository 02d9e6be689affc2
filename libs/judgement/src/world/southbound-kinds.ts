/** The stream of the Southbound. */
export const SOUTHBOUND = 'ovn-sb';

/** Southbound tables that are followed; no Northbound table has one of these names. */
export const SOUTHBOUND_KINDS: ReadonlySet<string> = new Set([
  'Chassis',
  'Chassis_Private',
  'Encap',
  'Port_Binding',
  'SB_Global',
]);
