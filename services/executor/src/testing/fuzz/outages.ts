import { KUBERNETES_KINDS } from '@ovn-steward/shared/kinds';
import type { MemoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import type { Cluster } from './cluster';

const VERBS = ['get', 'list', 'delete', 'patch', 'create', 'serves', 'count'] as const;
/** Custom kinds somebody may uninstall with all that is of them. */
const UNINSTALLED = [
  'VirtualMachine',
  'VirtualMachineInstance',
  'SecurityGroup',
  'Vip',
  'OvnEip',
  'IPPool',
  'NetworkAttachmentDefinition',
] as const;

/** A right is taken from this client's account, or all that were taken are given back. */
export function changeRights({ random }: Cluster, kubernetes: MemoryKubernetes): void {
  const { forbidden } = kubernetes;
  if (forbidden.size > 0 && random.chance(0.6)) forbidden.clear();
  else forbidden.add(`${random.pick(VERBS)} ${random.pick(KUBERNETES_KINDS).kind}`);
}

/** A CustomResourceDefinition goes, and all objects of it; or it is there again, without them. */
export function changeKinds({ random, kubernetes }: Cluster): void {
  const kind = random.pick(UNINSTALLED);
  if (kubernetes.notInstalled.delete(kind)) return;
  for (const { metadata } of kubernetes.objects(kind))
    kubernetes.remove(kind, metadata.namespace, metadata.name);
  kubernetes.notInstalled.add(kind);
}

/** The database is led by another server: all locks are lost, and whoever writes is refused until it has taken over anew. */
export async function changeLeader({ northbound }: Cluster): Promise<void> {
  const signal = new AbortController().signal;
  const usurper = northbound.peer();
  await usurper.takeOver(signal);
  await usurper.close();
}

/**
 * Lists come in pages, and others write meanwhile: of the torn one what lies before a name is as it was before the request, and what lies behind as it is when the
 * answer comes. Now and then a page fails after the first, and all of it with it.
 */
export function tearLists(
  kubernetes: MemoryKubernetes,
  { random }: Cluster,
  isQuiet: () => boolean,
  share: number,
): void {
  const { list } = kubernetes;
  kubernetes.list = async (kind, namespace, signal, only) => {
    if (isQuiet() || only !== undefined || !random.chance(share))
      return list(kind, namespace, signal, only);
    const before = kubernetes.objects(kind);
    const answer = await list(kind, namespace, signal, only);
    const from = random.int(before.length + 1);
    const first = before
      .slice(0, from)
      .filter((it) => namespace === undefined || it.metadata.namespace === namespace);
    const pages = new Set(before.slice(0, from).map((it) => keyOf(it.metadata)));
    return [...first, ...answer.filter((it) => !pages.has(keyOf(it.metadata)))];
  };
}

const keyOf = ({ namespace = '', name }: { namespace?: string; name: string }): string =>
  `${namespace}/${name}`;
