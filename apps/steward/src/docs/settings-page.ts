import { type Setting, sectionOf, settingsOf } from '@ovn-steward/shared/config-schema';
import { variableOf } from '@ovn-steward/shared/config-sources';
import { Settings } from '@ovn-steward/shared/settings';

const HEAD = `# Settings

<!-- Generated from the schema of the settings by \`npm run generate\`; do not edit. -->

Nothing has to be set. A setting may be given in four places; the first in this list that has it wins:

1. an option of the command (see [commands.md](commands.md)),
2. the environment, under the name in the table; an empty variable counts as not set,
3. a YAML or JSON file, named by \`--config\` or by \`STEWARD_CONFIG\`,
4. the default.

\`steward config\` prints every setting as it stands and where it came from. A key nobody knows is an error that names the nearest one.
Durations are a number with a unit: \`30s\`, \`15m\`, \`1h30m\`, \`7d\`.

| Setting | Environment | Default | Meaning |
|---|---|---|---|
`;

const TAIL = `
## A file

\`\`\`yaml settings
cluster: berlin-1
stateDir: /var/lib/ovn-steward
ovnNb:
  remote: ssl:10.0.0.1:6641,ssl:10.0.0.2:6641,ssl:10.0.0.3:6641
  caCertificate: /etc/ovn-steward/ca.pem
  certificate: /etc/ovn-steward/client.pem
  privateKey: /etc/ovn-steward/client-key.pem
grace:
  leak: 1h
protect:
  - table: Port_Group
    name: /^audit-/
  - externalIds:
      owner: network-team
\`\`\`

## protect

What an entry matches is never reported as garbage or leak. All that an entry names must match: \`table\` (the OVN table or the Kubernetes
kind), \`name\`, and every key of \`externalIds\`. Text matches as a whole; text between slashes is a regular expression. An entry that names
nothing is an error. One row or object can also be kept where it is: see [ownership.md](ownership.md#how-to-keep-a-row).
`;

/** One sentence for each setting. */
const MEANING: Readonly<Record<string, string>> = {
  cluster: 'The name of the cluster, in every finding and part of its id. Choose it once: another name is another cluster.',
  stateDir: 'Where `steward run` keeps the log and its memory. A local disk, not a network file system.',
  'grace.garbage': 'How long a finding of this class must have been true before it is confirmed.',
  'grace.leak': 'The same for leaked addresses.',
  'grace.drift': 'The same for counts and records that disagree.',
  'grace.stuck': 'The same for deletions that do not finish.',
  'grace.misplaced': 'The same for pods with an address from a wrong subnet.',
  'grace.missing': 'The same for what should be there and is not.',
  'grace.damage': 'The same for damage to rows of others. No rule has this class yet.',
  'ovnNb.remote': 'The Northbound server, or the members of a cluster separated by commas: `tcp:host:port`, `ssl:host:port`, `unix:path`.',
  'ovnNb.privateKey': 'The client’s key for `ssl:`, a PEM file. Comes with the certificate.',
  'ovnNb.certificate': 'The client’s certificate for `ssl:`, a PEM file.',
  'ovnNb.caCertificate': 'The authority that signed the server’s certificate, a PEM file. Needed for `ssl:`.',
  'ovnSb.remote': 'The Southbound server or servers. Optional: no rule needs it yet.',
  'ovnSb.privateKey': 'As for Northbound.',
  'ovnSb.certificate': 'As for Northbound.',
  'ovnSb.caCertificate': 'As for Northbound.',
  'kubernetes.kubeconfig': 'The kubeconfig. Without it the cluster is found as kubectl finds it: `KUBECONFIG`, `~/.kube/config`, the pod’s service account.',
  'kubernetes.context': 'A context of the kubeconfig, in place of its current one.',
  protect: 'What is never reported as garbage or leak; see below.',
  'http.listen': 'Where `steward run` serves health, metrics and findings over HTTP. It does so when this is set, or with `--listen`.',
};

/** docs/settings.md. @throws Error when a setting has no sentence above, or a sentence no setting. */
export function settingsPage(): string {
  const settings = settingsOf(sectionOf(Settings));
  const paths = new Set(settings.map((it) => it.path));
  const unmatched = [...settings.map((it) => it.path).filter((it) => !Object.hasOwn(MEANING, it)), ...Object.keys(MEANING).filter((it) => !paths.has(it))];
  if (unmatched.length > 0) throw new Error(`settings-page.ts does not say what these mean, or they are gone: ${unmatched.join(', ')}`);
  return `${HEAD}${settings.map(row).join('\n')}\n${TAIL}`;
}

const row = ({ path, default: value }: Setting): string =>
  `| \`${path}\` | \`${variableOf(path)}\` | ${value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\` `}| ${MEANING[path]} |`;
