import type { Kit } from '../kit';
import { KAFKA_VERSION } from '../provision/kafka';
import { KUBERNETES_VERSION } from '../provision/kube-apiserver';

/** Open vSwitch's and OVN's programs and schemas, as Kube-OVN ships them. */
export const OVN_IMAGE = 'kubeovn/kube-ovn:v1.13.3';
/** Kafka's own image: its jars are in /opt/kafka/libs, Java is on the PATH. */
export const KAFKA_IMAGE = `apache/kafka:${KAFKA_VERSION}`;
export const ETCD_IMAGE = 'registry.k8s.io/etcd:3.5.21-0';
export const API_SERVER_IMAGE = `registry.k8s.io/kube-apiserver:${KUBERNETES_VERSION}`;
export const PAUSE_IMAGE = 'registry.k8s.io/pause:3.10';

/**
 * What removes containers after a crash of ours; testcontainers 11.14.0 starts it beside the first
 * container, by default not to.
 */
const REAPER_IMAGE = 'testcontainers/ryuk:0.14.0';

const SERVERS: Readonly<Record<Kit, readonly string[]>> = {
  ovn: [OVN_IMAGE],
  kafka: [KAFKA_IMAGE],
  kubernetes: [PAUSE_IMAGE, ETCD_IMAGE, API_SERVER_IMAGE],
  kubectl: [], // runs on this machine, as promtool and Helm do
  promtool: [],
  alertmanager: [],
  grafana: [],
  helm: [],
  shells: [],
};

/** The images a kit's containers are started from. */
export function imagesOf(kit: Kit): readonly string[] {
  const reaper = process.env['RYUK_CONTAINER_IMAGE'] ?? REAPER_IMAGE;
  return SERVERS[kit].length === 0 || process.env['TESTCONTAINERS_RYUK_DISABLED'] === 'true'
    ? SERVERS[kit]
    : [...SERVERS[kit], reaper];
}
