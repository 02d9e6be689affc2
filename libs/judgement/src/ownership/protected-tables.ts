/**
 * Tables in which no row is Kube-OVN's, with whom a row there belongs to when nothing on it says
 * more. Whatever lies here is somebody else's or the database's own (NB schema 7.19). Kube-OVN v1.12
 * to v1.17 sets options and keys of NB_Global, and the addresses of Connection where it starts the
 * database (`start-db.sh`); it neither writes nor monitors the others.
 */
export const PROTECTED_TABLES: ReadonlyMap<string, 'system' | 'unknown'> = new Map([
  ['NB_Global', 'system'],
  ['Connection', 'system'],
  ['SSL', 'system'],
  ['Sampling_App', 'unknown'],
  ['Sample_Collector', 'unknown'],
  ['Sample', 'unknown'],
  ['Copp', 'unknown'],
  ['Chassis_Template_Var', 'unknown'],
  ['Load_Balancer_Group', 'unknown'],
  ['Network_Function', 'unknown'],
  ['Network_Function_Group', 'unknown'],
  ['Network_Function_Health_Check', 'unknown'],
  ['Logical_Switch_Port_Health_Check', 'unknown'],
  ['DHCP_Relay', 'unknown'],
  ['Forwarding_Group', 'unknown'],
  ['Mirror', 'unknown'],
  ['Mirror_Rule', 'unknown'],
  ['Static_MAC_Binding', 'unknown'],
  ['DNS', 'unknown'],
  ['QoS', 'unknown'],
]);
