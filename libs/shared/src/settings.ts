import { z } from 'zod';
import { Duration } from './duration';
import { Pattern } from './pattern';

const REMOTE = /^(?:(?:tcp|ssl):(?:\[[0-9a-fA-F:.]+\]|[^\s,:[\]]+):\d{1,5}|unix:[^\s,]+)$/;

/** An OVSDB server, or the members of a cluster separated by commas: `ssl:10.0.0.1:6641,ssl:10.0.0.2:6641` (ovsdb(7)). */
const Remote = z.string().refine((text) => text.split(',').every((it) => REMOTE.test(it)), 'not an OVSDB remote: write tcp:host:port, ssl:host:port or unix:path, members separated by commas');

/** One OVN database. The three files are PEM; `caCertificate` is needed for ssl remotes, the other two come together. */
const OvnDatabase = z.strictObject({
  remote: Remote.optional(),
  privateKey: z.string().min(1).optional(),
  certificate: z.string().min(1).optional(),
  caCertificate: z.string().min(1).optional(),
}).superRefine(({ remote, privateKey, certificate, caCertificate }, context) => {
  const wrong = (path: string, message: string): void => context.addIssue({ code: 'custom', path: [path], message });
  if (remote?.split(',').some((it) => it.startsWith('ssl:')) && !caCertificate) wrong('caCertificate', 'needed for an ssl remote: the file of the authority that signed the server');
  if (privateKey && !certificate) wrong('certificate', 'needed beside privateKey');
  if (certificate && !privateKey) wrong('privateKey', 'needed beside certificate');
});

/** What is never touched: everything that matches all of what an entry names. */
const Protected = z.strictObject({
  /** The OVN table or the Kubernetes kind. */
  table: Pattern.optional(),
  name: Pattern.optional(),
  externalIds: z.record(z.string(), Pattern).optional(),
}).refine(({ table, name, externalIds }) => table || name || Object.keys(externalIds ?? {}).length > 0, 'names nothing: give a table, a name or externalIds');

/** How long a suspicion must last before it is confirmed, by the class of the finding. */
const Grace = z.strictObject({
  garbage: Duration.prefault('15m'),
  leak: Duration.prefault('15m'),
  drift: Duration.prefault('10m'),
  stuck: Duration.prefault('10m'),
  misplaced: Duration.prefault('10m'),
  missing: Duration.prefault('2m'),
  damage: Duration.prefault('0s'),
});

/** The settings of ovn-steward: one schema for the services and the command line (`loadConfig`). */
export const Settings = z.strictObject({
  /** Names the cluster in every event and id: choose once, since another name is another cluster. */
  cluster: z.string().regex(/^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?$/, 'letters, digits, ".", "_" and "-" only').default('default'),
  /** Where the log and the state files are kept; a local disk. */
  stateDir: z.string().min(1).default('.steward'),
  grace: Grace.prefault({}),
  ovnNb: OvnDatabase.prefault({}),
  ovnSb: OvnDatabase.prefault({}),
  /** As kubectl finds the cluster when not told. */
  kubernetes: z.strictObject({ kubeconfig: z.string().min(1).optional(), context: z.string().min(1).optional() }).prefault({}),
  protect: z.array(Protected).default([]),
  http: z.strictObject({
    /** `host:port`; only this machine unless told. */
    listen: z.string().regex(/^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]]+):\d{1,5}$/, 'not an address to listen on: write host:port, such as 127.0.0.1:9470').default('127.0.0.1:9470'),
  }).prefault({}),
});
export type Settings = z.infer<typeof Settings>;
