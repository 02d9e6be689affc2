import { provisionContainers } from './docker/docker';
import { KITS, type Kit } from './kit';
import { messageOf } from './message';
import { provisionAlertmanager } from './provision/alertmanager';
import { provisionGrafana } from './provision/grafana';
import { provisionHelm } from './provision/helm';
import { provisionQuickKafka } from './provision/kafka';
import { provisionKubectl } from './provision/kubectl';
import { provisionKubernetes } from './provision/kubernetes';
import { provisionPromtool } from './provision/promtool';
import { provisionOvn } from './provision/ovn';
import { provisionShells } from './provision/shells';
import { progressToStderr, type Progress } from './provision/progress';

const ON_THIS_MACHINE: Record<Kit, (progress: Progress) => Promise<unknown>> = {
  ovn: provisionOvn,
  kafka: provisionQuickKafka,
  kubernetes: provisionKubernetes,
  kubectl: provisionKubectl,
  promtool: provisionPromtool,
  alertmanager: provisionAlertmanager,
  grafana: provisionGrafana,
  helm: provisionHelm,
  shells: provisionShells,
};

/**
 * Makes one kit ready: its container images where Docker answers, else its programs. Throws with
 * what is missing and what to do.
 */
export async function provision(kit: Kit, progress: Progress = progressToStderr): Promise<void> {
  if (!(await provisionContainers(kit, progress))) await ON_THIS_MACHINE[kit](progress);
}

/**
 * Makes everything ready up front, so that no test waits for it: OVN and Kafka first (seconds),
 * then Kubernetes (minutes, the first time). Gives, for each kit that cannot be had, why.
 */
export async function provisionAll(
  progress: Progress = progressToStderr,
): Promise<ReadonlyMap<Kit, string>> {
  const missing = new Map<Kit, string>();
  for (const kit of KITS) {
    await provision(kit, progress).catch((error: unknown) => missing.set(kit, messageOf(error)));
  }
  return missing;
}
