import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import type { Source } from '../sources/source';
import { kubernetesServer, ovnServers } from './live-sources';
import { asOfNow } from '../sources/recording/as-of-now';
import { kubernetesRecording } from '../sources/recording/kubernetes-recording';

/**
 * What a collector reads, by its settings. `report`: called on interruptions, with one sentence
 * each.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function sourcesOf(
  { ovnNb, ovnSb, kubernetes }: Settings,
  report: (source: string, message: string) => void,
): readonly Source[] {
  if (ovnNb.remote === undefined)
    throw new Failure(
      'config-invalid',
      'No Northbound server is named. Set ovnNb.remote to tcp:host:port, ssl:host:port or unix:path, members of a cluster separated by commas.',
    );
  const recording =
    kubernetes.recording === undefined
      ? undefined
      : asOfNow(kubernetesRecording({ path: kubernetes.recording, replay: 'final' }));
  return [
    ovnServers('ovn-nb', ovnNb.remote, ovnNb, { report }),
    ...(ovnSb.remote === undefined ? [] : [ovnServers('ovn-sb', ovnSb.remote, ovnSb, { report })]),
    recording ?? kubernetesServer(kubernetes, { report }),
  ];
}
