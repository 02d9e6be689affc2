/** What each setting means, by its dotted path: for the page of settings and for `--help`. */
export const SETTING_MEANINGS = {
  cluster:
    'The name of the cluster, in every finding and part of its id. Choose it once: another name is another cluster.',
  stateDir:
    'The folder for the state of `steward run` and the services. A local disk, not a network file system.',
  'grace.garbage': 'How long a finding of this class must be true before it is confirmed.',
  'grace.leak': 'The same for leaked addresses.',
  'grace.drift': 'The same for counts and records that disagree.',
  'grace.stuck': 'The same for deletions that do not finish, and for pods that stay held.',
  'grace.misplaced': 'The same for pods with an address from a wrong subnet.',
  'grace.missing': 'The same for what should exist and does not.',
  'grace.damage': 'The same for damage to rows of others.',
  rules:
    'Which rules are off, and which findings have another grace: a list of entries with `rule`, `vpc`, `subnet`, `namespace` or several of them, and `enabled`, `grace` or both; `reason` is shown. See below.',
  'ovnNb.remote':
    'The Northbound server, or the members of a cluster separated by commas: `tcp:host:port`, `ssl:host:port`, `unix:path`.',
  'ovnNb.privateKey': 'The client’s key for `ssl:`, a PEM file. Comes with the certificate.',
  'ovnNb.certificate': 'The client’s certificate for `ssl:`, a PEM file.',
  'ovnNb.caCertificate':
    'The authority that signed the server’s certificate, a PEM file. Needed for `ssl:`.',
  'ovnNb.serverName':
    'The name in the server’s certificate, if it is not the host of the remote: a subject alternative name or, without any, its common name.',
  'ovnNb.verifyName':
    'Whether the server’s certificate must name the host of the remote, or `ovnNb.serverName`; with false, any certificate of that authority can pose as the database.',
  'ovnSb.remote':
    'The Southbound server or servers. Optional: without it, rules about chassis and bindings are withheld.',
  'ovnSb.privateKey': 'As for Northbound.',
  'ovnSb.certificate': 'As for Northbound.',
  'ovnSb.caCertificate': 'As for Northbound.',
  'ovnSb.serverName': 'As for Northbound.',
  'ovnSb.verifyName': 'As for Northbound.',
  'kubernetes.kubeconfig':
    'The kubeconfig. Without it the cluster is found as kubectl finds it: `KUBECONFIG`, `~/.kube/config`, the pod’s service account.',
  'kubernetes.context': 'A context of the kubeconfig, in place of its current one.',
  'kubernetes.recording':
    'A dump to read instead of the cluster, a file or a folder, to try things out. Its clock continues after its end.',
  uninstalled:
    'The statement that Kube-OVN was uninstalled on purpose from a Kubernetes, and that the Northbound was its network: `nb:<uuid of the NB_Global row>/<uid of namespace kube-system>`, or `cid:<raft cluster id>/<uid>`. Remove it after the cleanup. See docs/doctor.md.',
  'kafka.brokers':
    'Some brokers of Apache Kafka, `host:port`; the others are found through them. Required by the services.',
  'kafka.clientId': 'The client name of the services, for the logs and quotas of the brokers.',
  'kafka.topicPrefix':
    'The prefix of the names of the topics and, unless it is `steward.`, of the consumer groups and the client. Use one for each cluster, or group of clusters, to separate them. It ends in `.`, `_` or `-`, and none may begin with another.',
  'kafka.replicationFactor':
    'How many replicas the topics get that are created at the start. With one broker: 1.',
  'kafka.tls.enabled': 'Whether to speak TLS to the brokers.',
  'kafka.tls.caCertificate':
    'The authority that signed the brokers’ certificates, a PEM file. Without it: those of the system.',
  'kafka.tls.certificate': 'The client’s certificate, a PEM file. Comes with the key.',
  'kafka.tls.privateKey': 'The client’s key, a PEM file.',
  'kafka.sasl.mechanism':
    'How to log in to the brokers: `plain`, `scram-sha-256` or `scram-sha-512`. Without it: not at all.',
  'kafka.sasl.username': 'The name to log in with.',
  'kafka.sasl.password':
    'The password. Prefer the environment or `kafka.sasl.passwordFile` to a file of settings or a command line.',
  'kafka.sasl.passwordFile': 'A file that holds the password, read at every start.',
  'kafka.sasl.plaintext':
    'Whether `plain` may send the password over a connection without TLS. Only if no one else can read the connection.',
  'signing.keyFile':
    'The private key that signs decisions and actions on Kafka, a PEM file. `steward keys generate` makes one.',
  'signing.trustedKeys':
    'A folder with a file for each trusted key, from `steward keys generate`. It is read again every ten seconds.',
  'signing.required':
    'Whether decisions and actions on Kafka count only if a trusted key signed them. With false, whoever may write to the topics decides what is removed, and only the executor that did an unsigned action settles it or puts it back. A wrong signature never counts.',
  'lease.enabled':
    'Whether collectors of one cluster elect a leader by a Lease: `always`, `never`, or `auto`, which means in a pod.',
  'lease.namespace': 'The namespace of the Lease. Without it: the pod’s own.',
  'lease.name': 'The name of the Lease. Without it: `ovn-steward-collector-` and the cluster.',
  'lease.duration': 'How long a silent collector keeps the Lease.',
  'executor.mode':
    'What the executor does about findings of rules that `executor.rules` does not name: `observe` (nothing), `propose` (wait for approval) or `enforce`. It carries out applied plans in every mode.',
  'executor.rules':
    'The same for single rules: their ids, each with `observe`, `propose` or `enforce`. An unknown rule is an error that names the nearest.',
  'executor.approvers':
    'How many different people must approve before anything of a rule is removed, in every mode and also in a plan (whose approver counts as one): ids of rules, each with a number. Keys tell people apart, also on the embedded log; unsigned approvals together are one person. The command lines of approvers need the same setting.',
  'executor.rate.perSecond':
    'The limit of removals per second, up to 10000; 0.2 is one in five seconds.',
  'executor.rate.burst':
    'How many may be done at once after a pause, up to 10000. In any period at most this plus `executor.rate.perSecond` for each second, also over restarts.',
  'executor.ceilings.rule.least':
    'How many removals per hour one rule may always cause, however small the share. Also the limit if the number of things is unknown.',
  'executor.ceilings.rule.share':
    'How many per hour one rule may cause, as a share of the things it checks: 0.01 is one in a hundred.',
  'executor.ceilings.rule.most': 'The limit per hour for one rule, however large the share.',
  'executor.ceilings.subnet.least': 'The same for one subnet.',
  'executor.ceilings.subnet.share': 'The same for one subnet: a share of its addresses in use.',
  'executor.ceilings.subnet.most': 'The same for one subnet.',
  'executor.ceilings.vpc.least': 'The same for one VPC.',
  'executor.ceilings.vpc.share':
    'The same for one VPC: a share of the addresses in use in its subnets.',
  'executor.ceilings.vpc.most': 'The same for one VPC.',
  'executor.ceilings.cluster.least': 'The same for the whole cluster.',
  'executor.ceilings.cluster.share':
    'The same for the whole cluster: a share of its logical switch ports.',
  'executor.ceilings.cluster.most': 'The same for the whole cluster.',
  'executor.windows':
    'When something may be removed: a list such as `Mon-Fri 22:00-06:00 Europe/Berlin`. Days and time zone are optional: every day, UTC. None: always. Several: in any of them.',
  'executor.freezes':
    'When nothing is removed, whatever the windows say: a list such as `2026-12-20T00:00Z/2027-01-03T00:00Z`.',
  'executor.yield.afterLease':
    'How long to wait after another kube-ovn-controller began to lead: at its start it removes what it considers garbage.',
  'executor.yield.afterTaken':
    'How long to wait after `executor.yield.taken` things disappeared before the executor removed them, within the same time: somebody else is removing.',
  'executor.yield.taken': 'How many things must have disappeared for that.',
  'executor.guard.vpcFinalizer':
    'Whether the executor holds Vpcs by its own finalizer until no Subnet names them: for Kube-OVN before v1.13.4, which sets none. The policies need no setting: `steward guard install`.',
  'executor.guard.podGates':
    'Whether the executor lifts the scheduling gate `ovn-steward.dev/subnet-ready` from pods whose subnet is ready: for the policy `pod-gate`, and for pods whose templates have the gate.',
  'executor.guard.podGateTimeout':
    'After this time the gate of a pod is lifted even if its subnet is not ready; counted from when the executor first saw the pod.',
  'executor.proofAge': 'How old a proof may be at the removal; an older one is made again.',
  'executor.finishWithin':
    'How long an object that the executor deleted may wait for its finalizers before this is recorded as failed (`not-finished`). The executor keeps checking it, and records `done` when it is gone.',
  'executor.kubeOvn.namespace': 'The namespace of the Lease below.',
  'executor.kubeOvn.lease': 'The Lease of the leader election of kube-ovn-controllers.',
  'backup.folder':
    'The folder for backups of the Northbound, on another disk than the database’s. The executor, also in `steward run`, takes backups only if this is set.',
  'backup.every': 'How long after the newest backup in the folder the next one is taken.',
  'backup.keep':
    'How many verified backups of the cluster stay in the folder; older ones are removed after a newer one was verified.',
  'log.level': 'The lowest level that a service logs: `error`, `warn`, `info` or `debug`.',
  'log.format': '`json`, one object per line, or `text`, for people.',
  protect:
    'What is never reported as garbage or leak: a list of entries with `table`, `name`, `externalIds` or several of them.',
  'notify.sinks':
    'Who is notified of findings and of what the executor did: names, each with a `type` (`webhook`, `slack`, `alertmanager`, `kafka`, `kubernetes-events` and others), a `url` or `urlFile`, and more, see [notify.md](notify.md). Read by `steward-notifier` and `steward run`.',
  'http.listen':
    'The address for health, metrics and findings over HTTP. `steward run` serves them if this is set, or with `--listen`; the services always do, each on its own port by default.',
  'http.probes':
    'A second address that answers only `/livez` and `/readyz`, so that other clients cannot block probes. Without it: the host of `http.listen`, ten ports further.',
  'http.metrics':
    'Where `/metrics` is answered besides, and nothing else, without a login: for Prometheus, which then needs no right to read findings. Without it: only where `http.listen` says.',
  'http.tls.certificate':
    'The certificate to serve HTTPS with on `http.listen`, a PEM file with its chain. Comes with the key; both are read again every minute.',
  'http.tls.privateKey': 'The key of the certificate, a PEM file.',
  'http.auth.by':
    'How those who ask over HTTP prove who they are: `off`, `kubernetes` (their token, by TokenReview) or `oidc`. What they may do is asked of Kubernetes (SubjectAccessReview) either way. While it is `off`, whoever reaches the port can read, and there are no decisions over HTTP. See [http.md](http.md#login).',
  'http.auth.audiences':
    'With `kubernetes`: a token counts only when it was made for one of these. Without: one made for the API server does.',
  'http.auth.plaintext':
    'Whether tokens may come in without TLS on an address that others reach: only where something before it, such as a mesh, encrypts.',
  'http.auth.oidc.issuer':
    'With `oidc`: who issues the tokens, an https address. Its keys are found below it.',
  'http.auth.oidc.audience': 'With `oidc`: a token counts only when it was made for this client.',
  'http.auth.oidc.userClaim': 'The member of the token that names the user.',
  'http.auth.oidc.groupsClaim': 'The member of the token that lists the user’s groups.',
  'http.auth.oidc.prefix':
    'What users and groups of tokens get before their names, so that none of them is taken for one of Kubernetes’ own.',
  'http.auth.oidc.caCertificate':
    'The authority that signed the issuer’s certificate, a PEM file. Without it: those the system trusts.',
  'http.decisions.keyFile':
    'The private key by which an executor on Kafka signs what people decide over HTTP, a PEM file: of the role `approver`, and not the key of `signing.keyFile`. Without it there are no decisions over HTTP there. `steward run` needs none.',
  'shutdown.deadline':
    'How long a stopping service may take to finish its current work. After that it ends with exit code 1. Keep it below the grace period of whoever stops it (30 seconds in Kubernetes).',
} as const satisfies Readonly<Record<string, string>>;

/**
 * The meaning of a setting.
 * @throws Error for a path without one; a test holds the table equal to the schema.
 */
export function meaningOf(path: string): string {
  if (!Object.hasOwn(SETTING_MEANINGS, path))
    throw new Error(`setting-meanings.ts does not say what ${path} means`);
  return SETTING_MEANINGS[path as keyof typeof SETTING_MEANINGS];
}
