import type { Kit } from '../kit';

/** Open vSwitch's and OVN's programs and schemas, as Kube-OVN ships them. */
export const OVN_IMAGE = 'kubeovn/kube-ovn:v1.13.3';
export const ETCD_IMAGE = 'registry.k8s.io/etcd:3.5.21-0';
export const API_SERVER_IMAGE = 'registry.k8s.io/kube-apiserver:v1.36.4';
export const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10';

export const IMAGES: Readonly<Record<Kit, readonly string[]>> = {
  ovn: [OVN_IMAGE],
  kubernetes: [PAUSE_IMAGE, ETCD_IMAGE, API_SERVER_IMAGE],
};
