import { kubeAccess } from './kubernetes/kube-access';
import { tlsOf } from './ovn/tls-of';
import { Failure } from '@ovn-steward/shared/errors';
import type { Settings } from '@ovn-steward/shared/settings/settings';
import { liveKubernetes } from './kubernetes/live-kubernetes';
import { liveNorthbound, type LiveNorthboundOptions } from './northbound/live-northbound';
import type { Systems } from './systems';

/**
 * The cluster that the settings name, to be read and changed. Connects at the first request.
 * @throws Failure `config-invalid`, `input-not-found`.
 */
export function liveSystems(
  { ovnNb, kubernetes }: Pick<Settings, 'ovnNb' | 'kubernetes'>,
  how: Pick<LiveNorthboundOptions, 'steals' | 'onTrouble'> = {},
): Systems & { close(): Promise<void> } {
  if (ovnNb.remote === undefined)
    throw new Failure(
      'config-invalid',
      'No Northbound server is named: give steward --ovn-nb, or set ovnNb.remote, to tcp:host:port, ssl:host:port or unix:path, members of a cluster separated by commas.',
    );
  if (kubernetes.recording !== undefined)
    throw new Failure(
      'config-invalid',
      'A recording of Kubernetes cannot be acted on: name a cluster instead of kubernetes.recording.',
    );
  const { kubeconfig, context } = kubernetes;
  const access = kubeAccess({
    ...(kubeconfig === undefined ? {} : { kubeconfig }),
    ...(context === undefined ? {} : { context }),
  });
  const tls = tlsOf(ovnNb.remote, ovnNb);
  const systems: Systems = {
    northbound: liveNorthbound({
      remotes: ovnNb.remote,
      ...(tls === undefined ? {} : { tls }),
      ...how,
    }),
    kubernetes: liveKubernetes({ access }),
  };
  return {
    ...systems,
    async close() {
      await Promise.all([systems.northbound.close(), systems.kubernetes.close()]);
    },
  };
}
