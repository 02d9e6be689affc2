import {
  createOvnFileSource,
  createOvnHistorySource,
  kubernetesServer,
  ovnServers,
} from '@ovn-steward/collector';
import type { Source } from '@ovn-steward/collector';
import { Failure } from '@ovn-steward/shared/errors';
import { KUBERNETES_KINDS, kubernetesStream } from '@ovn-steward/shared/kinds';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { isKubeconfig } from './kubernetes-input';
import type { InputOptions } from './options';
import { recordingApart } from './recording-apart';
import { isRemote } from './settings';

export interface Inputs {
  readonly sources: readonly Source[];
  /** Every stream that will say whether it is complete. */
  readonly streams: readonly string[];
  /** The last interruption of a stream or database, in one sentence. */
  readonly trouble: ReadonlyMap<string, string>;
  /** Whether any of them is a living system rather than a recording. */
  readonly live: boolean;
}

export interface InputPreferences {
  /** How a recording with a watch is played: only its end, or from its beginning. */
  readonly replay?: 'final' | 'watch';
  /** How long a database may not answer before it counts as unreachable, in milliseconds. */
  readonly unreachableAfterMs?: number;
  /** Called on interruptions, with one sentence each. */
  readonly report?: (source: string, message: string) => void;
}

/**
 * The sources a command reads, from its flags and the settings.
 * @throws Failure when one is missing or not what it should be.
 */
export function inputsFrom(
  options: InputOptions,
  settings: Settings,
  preferred: InputPreferences = {},
): Inputs {
  const trouble = new Map<string, string>();
  const preferences: InputPreferences = {
    ...preferred,
    report: (source, message) => {
      trouble.set(source, message);
      preferred.report?.(source, message);
    },
  };
  const nb = options.ovnNb ?? settings.ovnNb.remote;
  const sb = options.ovnSb ?? settings.ovnSb.remote;
  if (nb === undefined)
    throw new Failure(
      'config-invalid',
      'No Northbound database is named: give --ovn-nb a database file, a backup, or tcp:, ssl: or unix: and where it listens',
    );
  const kubernetes = options.kubernetes ?? settings.kubernetes.kubeconfig;
  const recorded = kubernetes !== undefined && !isKubeconfig(kubernetes);
  return {
    trouble,
    sources: [
      ovnSource('ovn-nb', nb, settings.ovnNb, preferences),
      ...(sb === undefined ? [] : [ovnSource('ovn-sb', sb, settings.ovnSb, preferences)]),
      recorded
        ? recordingApart({ path: kubernetes, replay: preferences.replay ?? 'final' })
        : kubernetesServer({ ...settings.kubernetes, kubeconfig: kubernetes }, preferences),
    ],
    streams: [
      'ovn-nb',
      ...(sb === undefined ? [] : ['ovn-sb']),
      ...KUBERNETES_KINDS.map((it) => kubernetesStream(it.kind)),
    ],
    live: isRemote(nb) || (sb !== undefined && isRemote(sb)) || !recorded,
  };
}

function ovnSource(
  id: 'ovn-nb' | 'ovn-sb',
  where: string,
  database: Settings['ovnNb'],
  preferences: InputPreferences,
): Source {
  if (isRemote(where)) return ovnServers(id, where, database, preferences);
  return preferences.replay === 'watch'
    ? createOvnHistorySource({ id, path: where })
    : createOvnFileSource({ id, path: where });
}
