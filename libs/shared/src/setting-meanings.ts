/** What each setting means, by its dotted path: for the page of settings and for `--help`. */
export const MEANINGS = {
  cluster: 'The name of the cluster, in every finding and part of its id. Choose it once: another name is another cluster.',
  stateDir: 'Where `steward run` and the services keep their memory. A local disk, not a network file system.',
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
  'kubernetes.recording': 'A dump to read in the cluster’s stead, a file or a folder, for trying things out. Its clock runs on when it ends.',
  'kafka.brokers': 'Some brokers of Apache Kafka, `host:port`; the others are learned from them. The services need it.',
  'kafka.clientId': 'The name the services give themselves to the brokers, seen in their logs and quotas.',
  'kafka.replicationFactor': 'How many copies the topics get that are created at the start. With one broker: 1.',
  'kafka.tls.enabled': 'Whether to speak TLS to the brokers.',
  'kafka.tls.caCertificate': 'The authority that signed the brokers’ certificates, a PEM file. Without it: those the system trusts.',
  'kafka.tls.certificate': 'The client’s certificate, a PEM file. Comes with the key.',
  'kafka.tls.privateKey': 'The client’s key, a PEM file.',
  'kafka.sasl.mechanism': 'How to log in to the brokers: `plain`, `scram-sha-256` or `scram-sha-512`. Without it: not at all.',
  'kafka.sasl.username': 'The name to log in with.',
  'kafka.sasl.password': 'The password. Better in the environment or in `kafka.sasl.passwordFile` than in a file of settings or on a command line.',
  'kafka.sasl.passwordFile': 'A file that holds the password, read at every start.',
  'lease.enabled': 'Whether collectors of one cluster settle by a Lease who works: `always`, `never`, or `auto`, which is where it runs in a pod.',
  'lease.namespace': 'The namespace of the Lease. Without it: the pod’s own.',
  'lease.name': 'The name of the Lease. Without it: `ovn-steward-collector-` and the cluster.',
  'lease.duration': 'How long a collector that fell silent keeps the Lease.',
  'log.level': 'The least important that a service logs: `error`, `warn`, `info` or `debug`.',
  'log.format': '`json`, one object a line, or `text`, for people.',
  protect: 'What is never reported as garbage or leak: a list of entries with `table`, `name`, `externalIds` or several of them.',
  'http.listen': 'Where health, metrics and findings are served over HTTP. `steward run` does so when this is set, or with `--listen`; the services always do, and each has a port of its own unless told.',
  'shutdown.deadline': 'How long a service told to stop may take to finish what is in hand. After that it ends all the same, with exit code 1. Keep it below the grace period of whoever stops it (30 seconds in Kubernetes).',
} as const satisfies Readonly<Record<string, string>>;

/** The meaning of a setting. @throws Error for a path without one; a test holds the table equal to the schema. */
export function meaningOf(path: string): string {
  if (!Object.hasOwn(MEANINGS, path)) throw new Error(`setting-meanings.ts does not say what ${path} means`);
  return MEANINGS[path as keyof typeof MEANINGS];
}
