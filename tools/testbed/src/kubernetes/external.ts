import type { KubernetesOptions, KubernetesServer } from './server';
import { makeApi } from './api';
import { applyObjects } from './apply';
import { readKubeconfig } from './kubeconfig';

/**
 * The cluster given by STEWARD_TEST_KUBECONFIG (current context), for callers that only need some
 * cluster to talk to. Objects may be created in it; its servers are not touched.
 */
export function externalKubernetes(options: KubernetesOptions): KubernetesServer | undefined {
  const kubeconfig = process.env['STEWARD_TEST_KUBECONFIG'];
  if (kubeconfig === undefined || kubeconfig === '' || Object.keys(options).length > 0)
    return undefined;
  const access = readKubeconfig(kubeconfig);
  const api = makeApi(access);
  const refuse = (what: string) => (): never => {
    throw new Error(
      `cannot ${what}: the cluster is not ours (STEWARD_TEST_KUBECONFIG=${kubeconfig}); unset that variable for this test`,
    );
  };
  return {
    url: access.url,
    kubeconfig,
    token: access.token ?? '',
    ca: access.ca ?? '',
    api,
    apply: (objects) => applyObjects(api, objects),
    loadRecording: refuse('write a recording into etcd'),
    compactEtcd: refuse('compact etcd'),
    signal: refuse('signal the API server'),
    kill: refuse('kill the API server'),
    restart: refuse('restart the API server'),
    stop: async () => api.close(),
  };
}
