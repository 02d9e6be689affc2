import {
  createKubeClient, createKubernetesSource, createOvnFileSource, createOvnSource, kubeAccess, kubernetesRecording,
} from '@ovn-steward/collector';
import type { Source } from '@ovn-steward/collector';
import { Failure } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Settings } from '@ovn-steward/shared/settings';
import { isKubeconfig } from './kubernetes-input';
import type { InputOptions } from './options';
import { isRemote } from './settings';

export interface Inputs {
  readonly sources: readonly Source[];
  /** Every stream that will say whether it is complete. */
  readonly streams: readonly string[];
  /** Whether any of them is a living system rather than a recording. */
  readonly live: boolean;
}

export interface InputPreferences {
  /** How a recording with a watch is played: only its end, or from its beginning. */
  readonly replay?: 'final' | 'watch';
  /** Told of interruptions, one sentence each. */
  readonly note?: (source: string, message: string) => void;
}

/** The sources a command reads, from its flags and the settings. @throws Failure when one is missing or not what it should be. */
export function inputsFrom(options: InputOptions, settings: Settings, { replay = 'final', note = () => {} }: InputPreferences = {}): Inputs {
  const nb = options.ovnNb ?? settings.ovnNb.remote;
  const sb = options.ovnSb ?? settings.ovnSb.remote;
  if (nb === undefined) throw new Failure('config-invalid', 'No Northbound database is named: give --ovn-nb a database file, a backup, or tcp:, ssl: or unix: and where it listens');
  const kubernetes = options.kubernetes ?? settings.kubernetes.kubeconfig;
  const recorded = kubernetes !== undefined && !isKubeconfig(kubernetes);
  return {
    sources: [
      ovnSource('ovn-nb', nb, settings.ovnNb, note),
      ...(sb === undefined ? [] : [ovnSource('ovn-sb', sb, settings.ovnSb, note)]),
      recorded ? kubernetesRecording({ path: kubernetes, replay }) : clusterSource(kubernetes, settings.kubernetes.context, note),
    ],
    streams: ['ovn-nb', ...(sb === undefined ? [] : ['ovn-sb']), ...KUBERNETES_KINDS.map((it) => kubernetesStream(it.kind))],
    live: isRemote(nb) || (sb !== undefined && isRemote(sb)) || !recorded,
  };
}

function ovnSource(id: 'ovn-nb' | 'ovn-sb', where: string, database: Settings['ovnNb'], note: (source: string, message: string) => void): Source {
  if (!isRemote(where)) return createOvnFileSource({ id, path: where });
  const { privateKey, certificate, caCertificate } = database;
  if (where.includes('ssl:') && caCertificate === undefined) throw new Failure('config-invalid', `${where} needs --ovn-ca, the certificate of the authority that signed the server's`);
  return createOvnSource({
    id, remotes: where, note: (message) => note(id, message),
    ...(caCertificate === undefined ? {} : { tls: { caCertificate, ...(certificate === undefined ? {} : { certificate }), ...(privateKey === undefined ? {} : { privateKey }) } }),
  });
}

function clusterSource(kubeconfig: string | undefined, context: string | undefined, note: (source: string, message: string) => void): Source {
  const access = kubeAccess({ ...(kubeconfig === undefined ? {} : { kubeconfig }), ...(context === undefined ? {} : { context }) });
  return createKubernetesSource({ client: createKubeClient(access), note: (stream, message) => note(stream, message) });
}
