/** What each setting means, by its dotted path: for the page of settings and for `--help`. */
export const MEANINGS = {
  cluster:
    'The name of the cluster, in every finding and part of its id. Choose it once: another name is another cluster.',
  stateDir:
    'Where `steward run` and the services keep their memory. A local disk, not a network file system.',
  'grace.garbage': 'How long a finding of this class must have been true before it is confirmed.',
  'grace.leak': 'The same for leaked addresses.',
  'grace.drift': 'The same for counts and records that disagree.',
  'grace.stuck': 'The same for deletions that do not finish, and for pods that stay held.',
  'grace.misplaced': 'The same for pods with an address from a wrong subnet.',
  'grace.missing': 'The same for what should be there and is not.',
  'grace.damage': 'The same for damage to rows of others.',
  rules:
    'What is switched off, and which findings have another grace: a list of entries with `rule`, `vpc`, `subnet`, `namespace` or several of them, and `enabled`, `grace` or both; `reason` is shown. See below.',
  'ovnNb.remote':
    'The Northbound server, or the members of a cluster separated by commas: `tcp:host:port`, `ssl:host:port`, `unix:path`.',
  'ovnNb.privateKey': 'The client’s key for `ssl:`, a PEM file. Comes with the certificate.',
  'ovnNb.certificate': 'The client’s certificate for `ssl:`, a PEM file.',
  'ovnNb.caCertificate':
    'The authority that signed the server’s certificate, a PEM file. Needed for `ssl:`.',
  'ovnNb.serverName':
    'The name in the server’s certificate, where that is not the host of the remote: a subject alternative name or, where it has none, its common name.',
  'ovnNb.verifyName':
    'Whether the server’s certificate must name the host of the remote, or `ovnNb.serverName`; it must unless this is false. Without it whoever has any certificate of that authority can stand in for the database.',
  'ovnSb.remote':
    'The Southbound server or servers. Optional: rules about chassis and bindings say nothing without it.',
  'ovnSb.privateKey': 'As for Northbound.',
  'ovnSb.certificate': 'As for Northbound.',
  'ovnSb.caCertificate': 'As for Northbound.',
  'ovnSb.serverName': 'As for Northbound.',
  'ovnSb.verifyName': 'As for Northbound.',
  'kubernetes.kubeconfig':
    'The kubeconfig. Without it the cluster is found as kubectl finds it: `KUBECONFIG`, `~/.kube/config`, the pod’s service account.',
  'kubernetes.context': 'A context of the kubeconfig, in place of its current one.',
  'kubernetes.recording':
    'A dump to read in the cluster’s stead, a file or a folder, for trying things out. Its clock runs on when it ends.',
  uninstalled:
    'That Kube-OVN was uninstalled on purpose from a Kubernetes whose network the Northbound was: `nb:<uuid of the NB_Global row>/<uid of namespace kube-system>`, or `cid:<raft cluster id>/<uid>`. Take it out when that is cleaned up. See docs/doctor.md.',
  'kafka.brokers':
    'Some brokers of Apache Kafka, `host:port`; the others are learned from them. The services need it.',
  'kafka.clientId':
    'The name the services give themselves to the brokers, seen in their logs and quotas.',
  'kafka.topicPrefix':
    'What the names of the topics begin with, and where it is not `steward.` those of the consumer groups and the client’s name, too. Another for each cluster, or group of clusters, keeps them apart: ends in `.`, `_` or `-`, and none may begin another.',
  'kafka.replicationFactor':
    'How many copies the topics get that are created at the start. With one broker: 1.',
  'kafka.tls.enabled': 'Whether to speak TLS to the brokers.',
  'kafka.tls.caCertificate':
    'The authority that signed the brokers’ certificates, a PEM file. Without it: those the system trusts.',
  'kafka.tls.certificate': 'The client’s certificate, a PEM file. Comes with the key.',
  'kafka.tls.privateKey': 'The client’s key, a PEM file.',
  'kafka.sasl.mechanism':
    'How to log in to the brokers: `plain`, `scram-sha-256` or `scram-sha-512`. Without it: not at all.',
  'kafka.sasl.username': 'The name to log in with.',
  'kafka.sasl.password':
    'The password. Better in the environment or in `kafka.sasl.passwordFile` than in a file of settings or on a command line.',
  'kafka.sasl.passwordFile': 'A file that holds the password, read at every start.',
  'kafka.sasl.plaintext':
    'Whether the password may go over a connection without TLS as it is, which is how `plain` logs in. Only where nobody else can see the connection.',
  'signing.keyFile':
    'The private key that decisions and actions on Kafka are signed with, a PEM file. `steward keys generate` makes one.',
  'signing.trustedKeys':
    'A folder with a file for each key that is trusted, as `steward keys generate` makes them. It is read again every ten seconds.',
  'signing.required':
    'Whether decisions and actions on Kafka count only when a trusted key signed them. Without: whoever may write to the topics decides what is removed; what nobody signed is settled or put back only by the executor that did it. A wrong signature never counts.',
  'lease.enabled':
    'Whether collectors of one cluster settle by a Lease who works: `always`, `never`, or `auto`, which is where it runs in a pod.',
  'lease.namespace': 'The namespace of the Lease. Without it: the pod’s own.',
  'lease.name': 'The name of the Lease. Without it: `ovn-steward-collector-` and the cluster.',
  'lease.duration': 'How long a collector that fell silent keeps the Lease.',
  'executor.mode':
    'What the executor does about findings of rules that `executor.rules` does not name: `observe`, which is nothing by itself, `propose`, which is to wait for a person’s approval, or `enforce`. A plan that a person had applied is carried out in each.',
  'executor.rules':
    'The same for single rules: their ids, each with `observe`, `propose` or `enforce`. A rule nobody knows is an error that names the nearest.',
  'executor.approvers':
    'How many different people must approve before anything of a rule is removed, in whatever mode and also when it is part of a plan (whose approver counts as one): ids of rules, each with a number. People are told apart by their keys, also on the embedded log; approvals that nobody signed are one person together. The command line of those who approve needs the same setting.',
  'executor.rate.perSecond':
    'How many removals a second may go on with, up to 10000; 0.2 is one in five seconds.',
  'executor.rate.burst':
    'How many may come at once after a pause, up to 10000. In any time no more than this plus `executor.rate.perSecond` for each second of it; restarts change nothing about that.',
  'executor.ceilings.rule.least':
    'So many removals an hour one rule may always bring about, however small the share. Also the limit where it is not known how many things there are.',
  'executor.ceilings.rule.share':
    'How many an hour one rule may bring about, as a share of the things it watches over: 0.01 is one in a hundred.',
  'executor.ceilings.rule.most':
    'No more an hour than this from one rule, however large the share.',
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
    'When something may be removed: a list such as `Mon-Fri 22:00-06:00 Europe/Berlin`. Days and time zone may be left out: every day, UTC. None: always. Several: in any of them.',
  'executor.freezes':
    'When nothing is removed, whatever the windows say: a list such as `2026-12-20T00:00Z/2027-01-03T00:00Z`.',
  'executor.yield.afterLease':
    'How long to stand back after another kube-ovn-controller began to lead: it removes what it takes for garbage when it starts.',
  'executor.yield.afterTaken':
    'How long to stand back after `executor.yield.taken` things were gone before the executor came, within as long a time: somebody else is removing.',
  'executor.yield.taken': 'How many things must have been gone for that.',
  'executor.guard.vpcFinalizer':
    'Whether the executor holds Vpcs by a finalizer of its own until no Subnet names them: for Kube-OVN before v1.13.4, which sets none. Its other guards need no setting: `steward guard install`.',
  'executor.guard.podGates':
    'Whether the executor lifts the scheduling gate `ovn-steward.dev/subnet-ready` from pods whose subnet is ready: for the policy `pod-gate`, and for pods whose templates carry the gate.',
  'executor.guard.podGateTimeout':
    'After so long a pod is let go though its subnet is not ready; counted from when the executor first saw it.',
  'executor.proofAge':
    'How old the last look at a thing may be when it is removed; older, and it is looked at again.',
  'executor.finishWithin':
    'How long what the executor deleted in Kubernetes may wait for its finalizers until that is recorded as failed (`not-finished`). It is looked at on, and recorded as `done` when it is gone.',
  'executor.kubeOvn.namespace': 'The namespace of the Lease below.',
  'executor.kubeOvn.lease': 'The Lease by which kube-ovn-controllers settle who leads.',
  'backup.folder':
    'Where backups of the Northbound go: a folder on another disk than the database’s. The executor, in `steward run` too, takes them only when this is set.',
  'backup.every': 'How long after the newest backup in the folder the next one is taken.',
  'backup.keep':
    'How many verified backups of the cluster stay in the folder; older ones are removed once a newer one was verified.',
  'log.level': 'The least important that a service logs: `error`, `warn`, `info` or `debug`.',
  'log.format': '`json`, one object a line, or `text`, for people.',
  protect:
    'What is never reported as garbage or leak: a list of entries with `table`, `name`, `externalIds` or several of them.',
  'notify.sinks':
    'Who is notified of findings: names, each with a `type` (`webhook`, `slack`, `alertmanager`), a `url` or `urlFile`, and more, see [notify.md](notify.md). The notifier reads it.',
  'http.listen':
    'Where health, metrics and findings are served over HTTP. `steward run` does so when this is set, or with `--listen`; the services always do, and each has a port of its own by default.',
  'http.probes':
    'Where a service also answers `/livez` and `/readyz`, and nothing else, so that nobody who asks for more can get in the way of probes. Without it: the host of `http.listen`, ten ports further.',
  'http.metrics':
    'Where `/metrics` is answered besides, and nothing else, without a login: for Prometheus, which then needs no right to read findings. Without it: only where `http.listen` says.',
  'http.tls.certificate':
    'The certificate to serve HTTPS with on `http.listen`, a PEM file with its chain. Comes with the key; both are read again every minute.',
  'http.tls.privateKey': 'The key of the certificate, a PEM file.',
  'http.auth.by':
    'How those who ask over HTTP prove who they are: `off`, `kubernetes` (their token, by TokenReview) or `oidc`. What they may do is asked of Kubernetes (SubjectAccessReview) either way. While it is `off`, whoever reaches the port can read, and nobody can decide. See [http.md](http.md#login).',
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
    'The private key by which an executor on Kafka signs what people decide over HTTP, a PEM file: of the role `approver`, and not the key of `signing.keyFile`. Without it nobody decides over HTTP there. `steward run` needs none.',
  'shutdown.deadline':
    'How long a service that is asked to stop may take to finish what is in hand. After that it ends all the same, with exit code 1. Keep it below the grace period of whoever stops it (30 seconds in Kubernetes).',
} as const satisfies Readonly<Record<string, string>>;

/** The meaning of a setting. @throws Error for a path without one; a test holds the table equal to the schema. */
export function meaningOf(path: string): string {
  if (!Object.hasOwn(MEANINGS, path))
    throw new Error(`setting-meanings.ts does not say what ${path} means`);
  return MEANINGS[path as keyof typeof MEANINGS];
}
