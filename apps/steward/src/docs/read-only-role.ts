import type { KubernetesKind } from '@ovn-steward/shared/kinds';

const HEAD = `# What ovn-steward may do in a cluster: look; in its own namespace, keep a Lease by which collectors take turns; and, at the end, by an account of
# its own, what the executor changes.
# Generated from the kinds it reads by \`npm run generate\`; do not edit.
# It reads no Secrets. A kind you take out of the role stays unknown, and the rules that need it are withheld and say so.
# Discovery (/apis/...) is allowed to every account by the built-in role system:discovery.
apiVersion: v1
kind: Namespace
metadata:
  name: ovn-steward
---
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ovn-steward
  namespace: ovn-steward
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ovn-steward-read
rules:
`;

const TAIL = `---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ovn-steward-read
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ovn-steward-read
subjects:
  - kind: ServiceAccount
    name: ovn-steward
    namespace: ovn-steward
---
# Who creates cannot be held to a name (Kubernetes documentation, "Referring to resources"), so this is for all Leases of the namespace.
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: ovn-steward-lease
  namespace: ovn-steward
rules:
  - apiGroups: ["coordination.k8s.io"]
    resources:
      - leases
    verbs: [get, create, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: ovn-steward-lease
  namespace: ovn-steward
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: ovn-steward-lease
subjects:
  - kind: ServiceAccount
    name: ovn-steward
    namespace: ovn-steward
`;

/**
 * deploy/rbac.yaml: a service account that may read the kinds, cluster-wide, write Leases in its
 * own namespace, and nothing else.
 */
export function readOnlyRole(kinds: readonly KubernetesKind[]): string {
  const groups = new Map<string, string[]>();
  for (const { group, resource } of kinds)
    groups.set(group, [...(groups.get(group) ?? []), resource]);
  const rules = [...groups].map(([group, resources]) =>
    [
      `  - apiGroups: ["${group}"]`,
      '    resources:',
      ...resources.map((it) => `      - ${it}`),
      '    verbs: [get, list, watch]',
      '',
    ].join('\n'),
  );
  return `${HEAD}${rules.join('')}${TAIL}`;
}
