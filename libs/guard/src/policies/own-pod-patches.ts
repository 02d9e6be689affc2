import { GATE } from '@ovn-steward/shared/pod-gate';
import { refuses } from '../policy-kit/policy';

/** The accounts of deploy/rbac.yaml and deploy/rbac-guard.yaml. */
const ACCOUNTS = ['ovn-steward-executor', 'ovn-steward-guard'].map(
  (name) => `'system:serviceaccount:ovn-steward:${name}'`,
);

/**
 * CEL: ours, and what reallocate-pod takes off and puts back (Kube-OVN's
 * `<provider>.kubernetes.io/allocated`, kube-ovn.md §2).
 */
const isOurs = (key: string): string =>
  `(${key}.startsWith('ovn-steward.dev/') || ${key}.endsWith('.kubernetes.io/allocated'))`;

const same = (field: string): string =>
  `(has(object.${field}) == has(oldObject.${field}) && (!has(object.${field}) || object.${field} == oldObject.${field}))`;

const annotations = (object: string): string =>
  `has(${object}.metadata.annotations) ? ${object}.metadata.annotations : {}`;
const otherGates = (object: string): string =>
  `has(${object}.spec.schedulingGates) ? ${object}.spec.schedulingGates.filter(it, it.name != '${GATE}').map(it, it.name) : []`;

/**
 * What the API server lets anybody change of a pod's spec, but for gates (Kubernetes documentation,
 * "Pod update and replacement"; of a gated pod also the last two).
 */
const CHANGEABLE = [
  'containers',
  'initContainers',
  'activeDeadlineSeconds',
  'tolerations',
  'terminationGracePeriodSeconds',
  'nodeSelector',
  'affinity',
];

/** What `passes` lets through, for the message. */
const ALLOWED = `annotations of ovn-steward, marks of Kube-OVN that a network is allocated, and the scheduling gate ${GATE}`;

/**
 * The right to patch pods is a right to change their images: RBAC knows no fields. This holds our
 * own accounts to the annotations and the scheduling gate they need it for, so that a token of
 * theirs that is stolen is worth no more.
 */
export default refuses({
  id: 'own-pod-patches',
  does: 'Refuses what the accounts ovn-steward-executor and ovn-steward-guard would change of a Pod beyond annotations of ours, marks of Kube-OVN that a network is allocated, and our scheduling gate.',
  refusalReason: 'PodRefused',
  onlyByName: true,
  on: { operations: ['UPDATE'], apiGroups: [''], resources: ['pods'] },
  onlyIf: { 'by-ovn-steward': `request.userInfo.username in [${ACCOUNTS.join(', ')}]` },
  variables: {
    before: annotations('oldObject'),
    after: annotations('object'),
    gatesBefore: otherGates('oldObject'),
    gatesAfter: otherGates('object'),
  },
  passes: [
    `variables.before.all(it, ${isOurs('it')} || (it in variables.after && variables.after[it] == variables.before[it]))`,
    `variables.after.all(it, ${isOurs('it')} || it in variables.before)`,
    'variables.gatesBefore == variables.gatesAfter',
    ...['labels', 'finalizers', 'ownerReferences'].map((it) => same(`metadata.${it}`)),
    ...CHANGEABLE.map((it) => same(`spec.${it}`)),
  ].join(' && '),
  messageExpression: `'Pod ' + oldObject.metadata.name + ': ' + request.userInfo.username + ' may change only ${ALLOWED}.'`,
  message: `The accounts of ovn-steward may change only ${ALLOWED} of a Pod.`,
});
