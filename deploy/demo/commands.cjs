// What the story does to Northbound, as arguments of ovn-nbctl: each list is one transaction.

const quoted = JSON.stringify;
const chain = (...commands) => commands.flatMap((it, index) => (index === 0 ? it : ['--', ...it]));

const keys = (map) =>
  `external_ids={${Object.entries(map)
    .map(([key, value]) => `${quoted(key)}=${quoted(value)}`)
    .join(',')}}`;

/** Makes a port as the Kube-OVN controller does: the row, its switch and its groups at once. */
const create = (port, up) => [
  [
    '--id=@port',
    'create',
    'Logical_Switch_Port',
    `name=${quoted(port.name)}`,
    `addresses=${quoted(port.addresses)}`,
    `up=${up}`,
    keys(port.externalIds),
  ],
  ['add', 'Logical_Switch', port.externalIds.ls, 'ports', '@port'],
  ...port.groups.map((group) => ['add', 'Port_Group', group, 'ports', '@port']),
];

module.exports = {
  add: (port, up) => chain(...create(port, up)),
  remove: (port) => ['lsp-del', port.name],
  /** The same port in a new row: what a quick restart of its pod comes to. */
  renew: (port) => chain(['lsp-del', port.name], ...create(port, true)),
  /** As ovn-northd writes it when a chassis takes the port, or gives it up. */
  setUp: (port, up) => ['set', 'Logical_Switch_Port', port.name, `up=${up}`],
  join: (port, group) =>
    chain(
      ['--id=@port', 'get', 'Logical_Switch_Port', port.name],
      ['add', 'Port_Group', group, 'ports', '@port'],
    ),
  leave: (port, group) =>
    chain(
      ['--id=@port', 'get', 'Logical_Switch_Port', port.name],
      ['remove', 'Port_Group', group, 'ports', '@port'],
    ),
};
