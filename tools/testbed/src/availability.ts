import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Kit } from './kit';
import { PACKAGE } from './place';
import { alertmanagerAtHand } from './provision/alertmanager';
import { grafanaAtHand } from './provision/grafana';
import { helmAtHand } from './provision/helm';
import { kafkaAtHand } from './provision/kafka';
import { kubectlAtHand } from './provision/kubectl';
import { kubernetesAtHand } from './provision/kubernetes';
import { promtoolAtHand } from './provision/promtool';
import { ovnAtHand } from './provision/ovn';
import { shellsAtHand } from './provision/shells';

const atHand: Record<Kit, () => boolean> = {
  ovn: () => ovnAtHand() !== undefined,
  kafka: () => kafkaAtHand() !== undefined,
  kubernetes: () => kubernetesAtHand() !== undefined,
  kubectl: () => kubectlAtHand() !== undefined,
  promtool: () => promtoolAtHand() !== undefined,
  alertmanager: () => alertmanagerAtHand() !== undefined,
  grafana: () => grafanaAtHand() !== undefined,
  helm: () => helmAtHand() !== undefined,
  shells: () => shellsAtHand() !== undefined,
};

/**
 * Why a kit cannot be had here; undefined when it is ready. Where it is not at hand yet it is
 * provisioned now, in a process of its own that we wait for: jest decides about skipping while it
 * collects tests, which cannot be asynchronous.
 */
export function missingKit(kit: Kit): string | undefined {
  if (atHand[kit]()) return undefined;
  const entry = join(PACKAGE, 'run.cjs');
  const { status, stdout, error } = spawnSync(process.execPath, [entry, 'provision', kit], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status === 0) return undefined;
  return error?.message ?? (stdout.trim() || `provisioning ${kit} ended with status ${status}`);
}
