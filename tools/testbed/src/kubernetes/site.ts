import { containerSite } from '../docker/container';
import { containersAtHand } from '../docker/docker';
import { API_SERVER_IMAGE, ETCD_IMAGE, PAUSE_IMAGE } from '../docker/images';
import { provisionKubernetes } from '../provision/kubernetes';
import { progressToStderr } from '../provision/progress';
import { localSite } from '../run/local';
import type { Site } from '../run/server';

/**
 * Lets the heaps of Go's programs grow to five times what is alive, not twice: about a sixth less
 * processor time for a start and for clients that read the cluster, for 130 MB more memory.
 */
const RARE_COLLECTION = { GOGC: '400' };

/**
 * A place to run etcd and kube-apiserver in: containers where Docker answers, else this machine.
 */
export async function openKubernetesSite(folder: string, ports: readonly number[]): Promise<Site> {
  if (await containersAtHand('kubernetes')) {
    const images = { etcd: ETCD_IMAGE, 'kube-apiserver': API_SERVER_IMAGE };
    return containerSite({ images, env: {}, holder: { image: PAUSE_IMAGE } }, folder, ports);
  }
  const { etcd, apiServer } = await provisionKubernetes(progressToStderr);
  return localSite(
    {
      paths: { etcd: etcd.path, 'kube-apiserver': apiServer },
      env: { ...etcd.env, ...RARE_COLLECTION },
    },
    folder,
  );
}
