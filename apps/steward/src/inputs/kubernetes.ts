import type { Command } from 'commander';
import { type Kubernetes } from '@ovn-steward/systems/kubernetes/kubernetes';
import {
  liveKubernetes,
  type LiveKubernetesOptions,
} from '@ovn-steward/systems/kubernetes/live-kubernetes';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { Failure } from '@ovn-steward/shared/errors';
import { isKubeconfig } from '@ovn-steward/systems/kubernetes/is-kubeconfig';
import { settingsFrom } from './settings';

/** Which living cluster, as the command line says it. */
export interface KubernetesOptions {
  readonly kubernetes?: string;
  readonly context?: string;
  readonly config?: string;
}

/** The options of commands that need a living cluster and nothing else. */
export const withKubernetes = (command: Command): Command =>
  command
    .option('--kubernetes <kubeconfig>', 'the live cluster; the kubectl defaults apply')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--config <file>', 'settings as YAML or JSON; see steward config');

/**
 * Opens nothing yet.
 * @throws Failure `config-invalid` where a dump is named instead, `input-not-found`.
 */
export function kubernetesOf(
  options: KubernetesOptions,
  how: Pick<LiveKubernetesOptions, 'reporter'> = {},
): Kubernetes {
  const { kubernetes } = settingsFrom(options).config;
  const kubeconfig = options.kubernetes ?? kubernetes.kubeconfig;
  if (kubeconfig !== undefined && !isKubeconfig(kubeconfig))
    throw new Failure(
      'config-invalid',
      `${kubeconfig} is a dump, and this needs a living cluster: give --kubernetes a kubeconfig.`,
    );
  return liveKubernetes({
    ...how,
    access: kubeAccess({
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(kubernetes.context === undefined ? {} : { context: kubernetes.context }),
    }),
  });
}
