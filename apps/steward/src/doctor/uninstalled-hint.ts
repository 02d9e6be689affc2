import type { Systems } from '@ovn-steward/systems/systems';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { signOfLife } from '@ovn-steward/judgement/rule-kit/uninstalled';
import { uninstalledText } from '@ovn-steward/shared/settings/uninstalled';

/**
 * What a person can state where the rest is kept since nothing shows any more that both systems are
 * one cluster, and nothing of Kube-OVN is alive; undefined elsewhere.
 * @throws Failure when the systems have no identity.
 */
export async function uninstalledHint(
  engine: Engine,
  { northbound, kubernetes }: Systems,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (engine.pairing().is !== 'unknown' || signOfLife(engine.world) !== undefined) return undefined;
  const pair = {
    northbound: await northbound.identity(signal),
    kubernetes: await kubernetes.identity(signal),
  };
  return `Nothing shows that this Kubernetes is that of the network, so the rest is kept. If Kube-OVN was uninstalled from this Kubernetes on purpose, and this Northbound was its network, say so: --uninstalled ${uninstalledText(pair)}`;
}
