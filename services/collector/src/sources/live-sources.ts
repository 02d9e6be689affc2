import { readFileSync } from 'node:fs';
import type { TlsMaterial } from '@ovn-steward/ovsdb';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings';
import type { Source } from '../source';
import { createKubeClient } from './kubernetes/kube-client';
import { kubeAccess } from './kubernetes/kube-access';
import { createKubernetesSource } from './kubernetes/kubernetes-source';
import { createOvnSource } from './ovn/ovn-live';
import type { OvnDatabaseId } from './ovn/selection';

export interface LiveOptions {
  /** Told of interruptions, one sentence each, under the id of the source or the name of the stream. */
  readonly note?: (source: string, message: string) => void;
  /** How long a database may not answer before it counts as unreachable, in milliseconds. */
  readonly unreachableAfterMs?: number;
}

/** An OVN database on its servers, `tcp:`, `ssl:` or `unix:`, with the certificates its settings name. @throws Failure `config-invalid`, `input-not-found`. */
export function ovnServers(id: OvnDatabaseId, remotes: string, files: Settings['ovnNb'], { note, unreachableAfterMs }: LiveOptions = {}): Source {
  const tls = tlsOf(remotes, files);
  return createOvnSource({
    id, remotes, ...(note ? { onTrouble: (message) => note(id, message) } : {}), ...(tls ? { tls } : {}), ...(unreachableAfterMs === undefined ? {} : { unreachableAfterMs }),
  });
}

/** The certificates of an ssl: remote, by the files the settings name. @throws Failure `config-invalid`, `input-not-found`. */
export function tlsOf(remotes: string, { privateKey, certificate, caCertificate }: Settings['ovnNb']): TlsMaterial | undefined {
  if (!remotes.includes('ssl:')) return undefined;
  if (caCertificate === undefined) throw new Failure('config-invalid', `${remotes} needs the certificate of the authority that signed the server's: --ovn-ca, or the setting caCertificate beside its remote`);
  const pem = (path: string): Buffer => {
    try {
      return readFileSync(path);
    } catch (error) {
      throw new Failure('input-not-found', `${path} cannot be read (${messageOf(error)}); it was named for ${remotes}`, { cause: error });
    }
  };
  return { ca: pem(caCertificate), ...(certificate === undefined ? {} : { cert: pem(certificate) }), ...(privateKey === undefined ? {} : { key: pem(privateKey) }) };
}

/** A Kubernetes cluster, found as kubectl finds it unless told. @throws Failure `config-invalid`, `input-not-found`. */
export function kubernetesServer({ kubeconfig, context }: Pick<Settings['kubernetes'], 'kubeconfig' | 'context'>, { note }: LiveOptions = {}): Source {
  const access = kubeAccess({ ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) });
  return createKubernetesSource({ client: createKubeClient(access), ...(note ? { note } : {}) });
}
