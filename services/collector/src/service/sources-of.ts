import type { SourceId } from '@ovn-steward/contracts/identity/reference';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { asOfNow } from '../sources/recording/as-of-now';
import { recordedKubernetes } from '../sources/recording/recorded-kubernetes.source';
import type { Source } from '../source-kit/source';
import type { Where } from '../source-kit/source-type';
import { sourceTypeOf } from '../sources/source-type-of';

/**
 * What a collector reads, by its settings. `report`: called on interruptions, with one sentence
 * each.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function sourcesOf(
  settings: Settings,
  report: (source: string, message: string) => void,
): readonly Source[] {
  const { ovnNb, ovnSb, kubernetes } = settings;
  if (ovnNb.remote === undefined)
    throw new Failure(
      'config-invalid',
      'No Northbound server is named. Set ovnNb.remote to tcp:host:port, ssl:host:port or unix:path, members of a cluster separated by commas.',
    );
  const request = { settings, replay: 'final', report } as const;
  const live = <S extends SourceId>(system: S, where: Where<S>): Source =>
    sourceTypeOf(system, where, true).open({ ...request, system, where });
  const { recording, kubeconfig } = kubernetes;
  return [
    live('ovn-nb', ovnNb.remote),
    ...(ovnSb.remote === undefined ? [] : [live('ovn-sb', ovnSb.remote)]),
    recording === undefined
      ? live('kubernetes', kubeconfig)
      : asOfNow(recordedKubernetes.open({ ...request, system: 'kubernetes', where: recording })),
  ];
}
