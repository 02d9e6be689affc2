import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate, makeAuthority } from '../run/certificates';

/** Somebody who may ask the API server, by a bearer token. */
export interface TestUser {
  readonly name: string;
  readonly token: string;
  readonly groups?: readonly string[];
}

/**
 * In the server's folder: a line of JSON for each request (Kubernetes documentation, "Auditing").
 */
export const AUDIT_LOG = 'audit.log';

/**
 * The files a kube-apiserver reads at its start, written into `folder`; gives the PEM of the
 * authority that vouches for it.
 */
export function writeServerFiles(folder: string, users: readonly TestUser[]): string {
  const authority = makeAuthority('testbed authority');
  const { key, certificate } = issueCertificate(authority, 'kube-apiserver');
  const accounts = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const write = (name: string, text: string): void =>
    writeFileSync(join(folder, name), text, { mode: 0o600 });
  write(
    'audit-policy.json',
    JSON.stringify({
      apiVersion: 'audit.k8s.io/v1',
      kind: 'Policy',
      omitStages: ['RequestReceived', 'ResponseStarted'],
      rules: [{ level: 'Metadata' }],
    }),
  );
  write('server.key', key);
  write('server.crt', certificate);
  write('accounts.key', accounts.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  write('accounts.pub', accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString());
  write(
    'tokens.csv',
    users
      .map(({ name, token, groups }) => `${token},${name},${name},"${(groups ?? []).join(',')}"\n`)
      .join(''),
  );
  return authority.certificate;
}

/**
 * The flags that suffice for a lone API server: no kubelets, no controllers, no service accounts'
 * tokens in pods.
 */
export function serverArguments(
  folder: string,
  listen: string,
  etcdUrl: string,
  port: number,
  authorization: 'RBAC' | 'AlwaysAllow',
  audited = false,
): string[] {
  const at = (name: string): string => join(folder, name);
  return [
    `--etcd-servers=${etcdUrl}`,
    `--bind-address=${listen}`,
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${at('server.crt')}`,
    `--tls-private-key-file=${at('server.key')}`,
    `--service-account-issuer=https://127.0.0.1:${port}`,
    `--service-account-signing-key-file=${at('accounts.key')}`,
    `--service-account-key-file=${at('accounts.pub')}`,
    `--token-auth-file=${at('tokens.csv')}`,
    `--authorization-mode=${authorization}`,
    '--service-cluster-ip-range=10.96.0.0/12',
    '--disable-admission-plugins=ServiceAccount',
    '--endpoint-reconciler-type=none',
    '--feature-gates=APIServerIdentity=false,UnknownVersionInteroperabilityProxy=false',
    '--allow-privileged=true',
    // Where a test plays the kubelets of its nodes, it does so on this machine: `localhost`.
    '--kubelet-preferred-address-types=InternalDNS',
    ...(audited
      ? [
          `--audit-policy-file=${at('audit-policy.json')}`,
          `--audit-log-path=${at(AUDIT_LOG)}`,
          '--audit-log-mode=blocking-strict',
        ]
      : []),
  ];
}
