import { type Setting, sectionOf, settingsOf } from '@ovn-steward/shared/settings/config-schema';
import { variableOf } from '@ovn-steward/shared/settings/config-sources';
import { meaningOf } from '@ovn-steward/shared/settings/setting-meanings';
import { Settings } from '@ovn-steward/shared/settings/settings';

const HEAD = `# Settings

<!-- Generated from the schema of the settings by \`npm run generate\`; do not edit. -->

No setting is required. A setting can come from four places; the first in this list wins:

1. an option of the command (see [commands.md](commands.md)); the services ([services.md](services.md)) take every setting as a flag, \`--kafka.brokers a:9092,b:9092\`,
2. the environment, under the name in the table; an empty variable counts as not set,
3. a YAML or JSON file, named by \`--config\` or by \`STEWARD_CONFIG\`,
4. the default.

\`steward config\` prints every setting with its value and origin. An unknown key or rule is an error that names the nearest one.
A file of settings has at most 1 MiB, and its YAML aliases expand to at most 100 nodes.
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
rules:
  - rule: leaked-ip
    subnet: lab
    enabled: false
    reason: the lab is rebuilt every night
  - namespace: sandbox
    grace: 6h
protect:
  - table: Port_Group
    name: /^audit-/
  - externalIds:
      owner: network-team
\`\`\`

## rules

Each entry is about what a rule finds in a place: all of \`rule\`, \`vpc\`, \`subnet\` and \`namespace\` that it names must fit. Of the entries that fit a finding, the first
that says \`enabled\` decides whether it is reported and acted on, and the first that says \`grace\` after which time it is confirmed. An entry that names nothing, or says
nothing, is an error.

A rule that is off still runs. Its findings have the state \`suppressed\`, with the reason, by \`settings\`: they are counted and listed, not open, and never acted on. Only
findings that match for certain are suppressed. A finding that may match, because it does not say its place, is reported and not acted on. See
[findings-contract.md](findings-contract.md#suppressed-findings).

## protect

What an entry matches is never reported as garbage or leak. All members of an entry must match: \`table\` (the OVN table or the Kubernetes
kind), \`name\`, and every key of \`externalIds\`. Text matches as a whole; text between slashes is a regular expression. An entry that names
nothing is an error. To mark one row or object itself, see [ownership.md](ownership.md#how-to-keep-a-row).
`;

/** docs/settings.md. */
export const settingsPage = (): string =>
  `${HEAD}${settingsOf(sectionOf(Settings)).map(row).join('\n')}\n${TAIL}`;

const row = ({ path, default: value }: Setting): string =>
  `| \`${path}\` | \`${variableOf(path)}\` | ${value === undefined ? '' : `\`${typeof value === 'string' ? value : JSON.stringify(value)}\` `}| ${meaningOf(path)} |`;
