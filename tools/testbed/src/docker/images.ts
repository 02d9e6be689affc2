import type { Kit } from '../kit';
import { KUBERNETES_VERSION } from '../provision/kube-apiserver';

/** Open vSwitch's and OVN's programs and schemas, as Kube-OVN ships them. */
export const OVN_IMAGE = 'kubeovn/kube-ovn:v1.13.3';
export const ETCD_IMAGE = 'registry.k8s.io/etcd:3.5.21-0';
export const API_SERVER_IMAGE = `registry.k8s.io/kube-apiserver:${KUBERNETES_VERSION}`;
export const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10';

/** What removes containers after a crash of ours; testcontainers 11.14.0 starts it beside the first container, unless told not to. */
const REAPER_IMAGE = 'testcontainers/ryuk:0.14.0';

/** The images a kit's containers are started from. */
export function imagesOf(kit: Kit): readonly string[] {
  const servers = kit === 'ovn' ? [OVN_IMAGE] : [PAUSE_IMAGE, ETCD_IMAGE, API_SERVER_IMAGE];
  const reaper = process.env['RYUK_CONTAINER_IMAGE'] ?? REAPER_IMAGE;
  return process.env['TESTCONTAINERS_RYUK_DISABLED'] === 'true' ? servers : [...servers, reaper];
}
