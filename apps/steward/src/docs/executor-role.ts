import { REMADE_KINDS } from '@ovn-steward/executor';
import { acting, idsOf, kindsActedOn } from './executor-rights';
import { roleRule } from './role-rule';

const DELETING = acting('delete', 'others');
const PATCHING = acting('patch', 'others');

/**
 * What the executor changes in a cluster, by what its actions say they do, and nothing else; what
 * it reads is in the other role. Its actions are tried under this very role on a real API server.
 */
export const EXECUTOR_ROLE = `---
# What the executor may change, each for one of its actions and for undoing it. Needed only where a rule may do more than observe: leave out
# what is below, and it says of each action that it may not. What touches pods is in deploy/rbac-pods.yaml.
apiVersion: v1
kind: ServiceAccount
metadata:
  name: ovn-steward-executor
  namespace: ovn-steward
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: ovn-steward-executor
rules:
${roleRule({
  comment: `${idsOf(DELETING)}; what no rule proposes (docs/executor.md) has no right`,
  verb: 'delete',
  kinds: kindsActedOn(DELETING),
})}${roleRule({
  comment: `${idsOf(PATCHING)}; to call off a deletion that may be under way`,
  verb: 'patch',
  kinds: kindsActedOn([...PATCHING, ...DELETING]),
})}${roleRule({
  comment: 'undo, of the kinds it makes again',
  verb: 'create',
  kinds: REMADE_KINDS,
})}  # to say on an object what was decided about it
  - apiGroups: ["events.k8s.io"]
    resources:
      - events
    verbs: [create]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ovn-steward-executor
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ovn-steward-executor
subjects:
  - kind: ServiceAccount
    name: ovn-steward-executor
    namespace: ovn-steward
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: ovn-steward-executor-read
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: ovn-steward-read
subjects:
  - kind: ServiceAccount
    name: ovn-steward-executor
    namespace: ovn-steward
`;
