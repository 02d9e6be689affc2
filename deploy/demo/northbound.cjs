const { execFile, spawn } = require('node:child_process');
const { promisify } = require('node:util');

const run = promisify(execFile);
const TIMEOUT_S = 10;

/**
 * A value of OVSDB's JSON (RFC 7047 §5.1) as plain JavaScript: a set is a list, a map an object, a
 * UUID its text.
 */
function plain(value) {
  if (!Array.isArray(value)) return value;
  const [type, content] = value;
  if (type === 'set') return content.map(plain);
  return type === 'map' ? Object.fromEntries(content) : content;
}

const listOf = (value) => (Array.isArray(value) ? value : [value]);

/** ovn-nbctl on the server's socket; gives what it prints. */
module.exports.nbctlOn = (socket) => async (args) => {
  const { stdout } = await run(
    'ovn-nbctl',
    [`--db=unix:${socket}`, '--no-leader-only', `--timeout=${TIMEOUT_S}`, ...args],
    { maxBuffer: 64 * 1024 * 1024 },
  );
  return stdout;
};

/**
 * The ports of pods that a chassis holds up and that have one MAC with its addresses: all there is
 * to recreating them. `nbctl` runs ovn-nbctl with a list of arguments.
 */
module.exports.livingPorts = async function (nbctl) {
  const rows = async (table, columns) => {
    const { data } = JSON.parse(
      await nbctl(['--format=json', `--columns=${columns.join(',')}`, 'list', table]),
    );
    return data.map((row) =>
      Object.fromEntries(columns.map((column, index) => [column, plain(row[index])])),
    );
  };
  const ports = await rows('Logical_Switch_Port', [
    '_uuid',
    'name',
    'type',
    'up',
    'addresses',
    'external_ids',
    'port_security',
    'options',
    'dhcpv4_options',
  ]);
  const groups = await rows('Port_Group', ['name', 'ports']);
  const empty = (value) => Object.keys(value).length === 0;
  return ports
    .filter(
      (it) =>
        it.type === '' &&
        it.up === true &&
        it.external_ids.pod &&
        it.external_ids.ls &&
        [it.port_security, it.options, it.dhcpv4_options].every(empty),
    )
    .map((it) => ({
      name: it.name,
      addresses: listOf(it.addresses)[0],
      externalIds: it.external_ids,
      groups: groups
        .filter((group) => listOf(group.ports).includes(it._uuid))
        .map((group) => group.name)
        .sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/**
 * Serves the database file; resolves once the server answers. Its messages go to our standard
 * error.
 */
module.exports.serve = async function ({ file, socket, control, port }) {
  const server = spawn(
    'ovsdb-server',
    [
      file,
      `--remote=ptcp:${port}:0.0.0.0`,
      `--remote=punix:${socket}`,
      `--unixctl=${control}`,
      '--no-chdir',
      '-vconsole:warn',
      '-vsyslog:off',
      '-vfile:off',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const ended = new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const ready = run('ovsdb-client', [
    `--timeout=${TIMEOUT_S}`,
    'wait',
    `unix:${socket}`,
    'OVN_Northbound',
    'connected',
  ]);
  await Promise.race([
    ready,
    ended.then((how) => {
      throw new Error(`ovsdb-server ended at its start (${how}); its messages are above`);
    }),
  ]);
  return { ended, stop: () => server.kill('SIGTERM') };
};
