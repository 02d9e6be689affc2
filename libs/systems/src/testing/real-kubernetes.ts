import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crdNameOf, KUBERNETES_KINDS, kubernetesKind } from '@ovn-steward/shared/kinds';
import { kubeconfigText } from '@ovn-steward/testbed/kubernetes/kubeconfig';
import { kubeAccess } from '../kubernetes/kube-access';
import { startKubernetes, type KubernetesServer } from '@ovn-steward/testbed/kubernetes';
import type { TestUser } from '@ovn-steward/testbed/kubernetes/api-server';
import type { KubernetesObject as BedObject } from '@ovn-steward/testbed/kubernetes/objects';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import type { Kubernetes, KubernetesObject } from '../kubernetes/kubernetes';
import type { StartedKubernetes } from '../kubernetes/kubernetes.contract';
import { liveKubernetes } from '../kubernetes/live-kubernetes';
import type { GivenObject } from './memory-objects';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const VERB = {
  get: 'get',
  list: 'list',
  delete: 'delete',
  patch: 'patch',
  create: 'create',
  evict: 'create',
} as const;

/**
 * The definition of a kind of Kube-OVN's, taking any field, as the recordings' definitions do; a
 * status is a part of IP and Vip, and apart elsewhere.
 */
function definitionOf(kind: string): BedObject {
  const entry = kubernetesKind(kind)!;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: crdNameOf(entry)! },
    spec: {
      group: entry.group,
      scope: entry.namespaced ? 'Namespaced' : 'Cluster',
      names: {
        kind,
        plural: entry.resource,
        singular: kind.toLowerCase(),
        listKind: `${kind}List`,
      },
      versions: [
        {
          name: entry.version,
          served: true,
          storage: true,
          ...(!['IP', 'Vip'].includes(kind) && { subresources: { status: {} } }),
        },
      ],
    },
  } as BedObject;
}

export interface RealKubernetes extends StartedKubernetes {
  readonly server: KubernetesServer;
  remove(kind: string, namespace: string | undefined, name: string): Promise<void>;
  /** As the holder of that token. */
  by(token: string): Kubernetes;
}

/**
 * A kube-apiserver with etcd that checks rights, with the definitions of all kinds of Kube-OVN's
 * and none of KubeVirt's, and clients of it.
 */
export async function realKubernetes(users: readonly TestUser[] = []): Promise<RealKubernetes> {
  const folder = mkdtempSync(join(tmpdir(), 'executor-kube-'));
  const limited = Array.from({ length: 8 }, (_, i) => ({
    name: `limited-${i}`,
    token: `limited-token-${i}`,
  }));
  const server = await startKubernetes({
    rbac: true,
    audited: true,
    users: [...limited, ...users],
  });
  await server.apply(
    KUBERNETES_KINDS.filter((it) => it.group === 'kubeovn.io').map((it) => definitionOf(it.kind)),
  );
  const clients: Kubernetes[] = [];
  const proxies: Server[] = [];

  const client = (url: string, token: string): Kubernetes => {
    const file = join(folder, `config-${clients.length}`);
    writeFileSync(file, kubeconfigText(url, server.ca, token));
    const made = liveKubernetes({ access: kubeAccess({ kubeconfig: file }) });
    clients.push(made);
    return made;
  };
  const kubernetes = client(server.url, server.token);
  const losesRequest = await losing(server, 'lose-request', proxies);
  const losesReply = await losing(server, 'lose-reply', proxies);
  let roles = 0;

  return {
    server,
    kubernetes,
    notInstalled: 'VirtualMachineInstance',
    async put(object: GivenObject) {
      await server.apply([object as unknown as BedObject]);
      return (await kubernetes.get(
        object.kind,
        object.metadata.namespace,
        object.metadata.name,
        new AbortController().signal,
      )) as KubernetesObject;
    },
    async remove(kind, namespace, name) {
      const entry = kubernetesKind(kind)!;
      const { object } = await server.api.paths({
        apiVersion: entry.group ? `${entry.group}/${entry.version}` : entry.version,
        kind,
        metadata: { name, ...(namespace !== undefined && { namespace }) },
      });
      await server.api.send('DELETE', object, {
        apiVersion: 'v1',
        kind: 'DeleteOptions',
        gracePeriodSeconds: 0,
      });
    },
    by: (token) => client(server.url, token),
    async as(allowed) {
      const user = limited[roles++ % limited.length]!;
      const rules = Object.entries(allowed).flatMap(([kind, verbs]) =>
        verbs.map((verb) => ({
          apiGroups: [kubernetesKind(kind)!.group],
          resources: [`${kubernetesKind(kind)!.resource}${verb === 'evict' ? '/eviction' : ''}`],
          verbs: [VERB[verb]],
        })),
      );
      await grant(server, user.name, rules);
      const made = client(server.url, user.token);
      // The server's own copy of the roles follows within moments; it is ready once everything
      // granted is.
      for (const {
        apiGroups: [group],
        resources: [resource],
        verbs: [verb],
      } of rules) {
        await waitFor(() => isAllowed(server, user.name, group!, resource!, verb!), {
          what: `${user.name} to have its role`,
          timeoutMs: 10_000,
        });
      }
      return made;
    },
    losing: (what) => client(what === 'lose-request' ? losesRequest : losesReply, server.token),
    async keepPods(namespace) {
      await server.api.send(
        'POST',
        `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
        {
          apiVersion: 'policy/v1',
          kind: 'PodDisruptionBudget',
          metadata: { name: 'keep', namespace },
          spec: { minAvailable: '100%', selector: {} },
        },
      );
    },
    async eventNotes(namespace, name) {
      const { items } = (await server.api.get(
        `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
      )) as { items: { note: string; regarding: { name: string }; reportingController: string }[] };
      return items
        .filter(
          (it) =>
            it.regarding.name === name && it.reportingController === 'ovn-steward.dev/executor',
        )
        .map((it) => it.note);
    },
    async stop() {
      for (const each of clients) await each.close();
      for (const each of proxies) {
        each.closeAllConnections();
        each.close();
      }
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function grant(
  { api }: KubernetesServer,
  user: string,
  rules: readonly object[],
): Promise<void> {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const binding = {
    apiVersion,
    kind: 'ClusterRoleBinding',
    metadata: { name: user },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: user },
    subjects: [{ kind: 'User', name: user, apiGroup: 'rbac.authorization.k8s.io' }],
  };
  await api.send('POST', `${RBAC}/clusterroles`, {
    apiVersion,
    kind: 'ClusterRole',
    metadata: { name: user },
    rules,
  });
  await api.send('POST', `${RBAC}/clusterrolebindings`, binding);
}

async function isAllowed(
  { api }: KubernetesServer,
  user: string,
  group: string,
  resource: string,
  verb: string,
): Promise<boolean> {
  const [plural, subresource] = resource.split('/');
  const spec = {
    user,
    resourceAttributes: {
      group,
      resource: plural,
      ...(subresource !== undefined && { subresource }),
      verb,
      namespace: 'shop',
    },
  };
  const { status } = (await api.send('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec,
  })) as { status: { allowed: boolean } };
  return status.allowed;
}

/**
 * A door to the server through which what changes something does not come in, or through which
 * nobody hears what became of it. Gives its address.
 */
async function losing(
  { url, ca }: KubernetesServer,
  what: 'lose-request' | 'lose-reply',
  doors: Server[],
): Promise<string> {
  const door = createServer((from, answer) => {
    const isRead = from.method === 'GET';
    if (what === 'lose-request' && !isRead) return void from.socket.destroy();
    const to = request(
      `${url}${from.url}`,
      { method: from.method, headers: from.headers, ca },
      (reply) => {
        if (!isRead) return void reply.resume().on('end', () => from.socket.destroy());
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      },
    );
    to.on('error', () => from.socket.destroy());
    from.pipe(to);
  });
  doors.push(door);
  await new Promise<void>((ready) => door.listen(0, '127.0.0.1', ready));
  return `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
}
