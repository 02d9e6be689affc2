import { isKubeconfig } from '@ovn-steward/systems/kubernetes/is-kubeconfig';
import { kubeAccess } from '@ovn-steward/systems/kubernetes/kube-access';
import { createKubeClient } from '@ovn-steward/systems/kubernetes/kube-client';
import type { SourceType } from '../../source-kit/source-type';
import { createKubernetesSource } from './kubernetes-source';

/** A Kubernetes cluster, found by a kubeconfig or as kubectl finds it by default. */
export const kubernetesServer: SourceType<'kubernetes'> = {
  forms: 'a kubeconfig',
  isLive: true,
  accepts: (where) => where === undefined || isKubeconfig(where),
  open: ({ where: kubeconfig, settings: { kubernetes }, report }) => {
    const access = kubeAccess({
      ...(kubeconfig === undefined ? {} : { kubeconfig }),
      ...(kubernetes.context === undefined ? {} : { context: kubernetes.context }),
    });
    return createKubernetesSource({
      client: createKubeClient(access),
      ...(report ? { report } : {}),
    });
  },
};
