import { SUBNET_ANNOTATION } from '@ovn-steward/judgement/kube-ovn/namespace-subnets';
import { GATE, SUBNET_LABEL } from '@ovn-steward/shared/pod-gate';
import {
  boundSubnetsCel,
  choosesSubnetCel,
  guardedNamespaces,
  hasOwnNetworkCel,
} from '../policy-kit/gate-words';
import { nameInCluster, type Policy } from '../policy-kit/policy';

const ID = 'pod-gate';

/**
 * Holds pods as they are created, while their namespace is not bound to the subnet its label names:
 * Kube-OVN would give them an address of the default one for ever (kube-ovn.md §8.3). It does so as
 * soon as a pod exists, scheduled or not, so that a gate alone would come too late: the subnet is
 * written on the pod as well, as a user would name it. Then Kube-OVN gives it no other and tries
 * again until that subnet is there (§8.2); the gate keeps nodes from trying meanwhile. A pod that
 * has its node already cannot have a gate and is let through; one that names a subnet itself needs
 * nothing. Once the namespace is bound this costs nothing. `podGates` lifts the gate.
 */
const podGate: Policy = {
  id: ID,
  does: `Holds new pods of namespaces labelled ${SUBNET_LABEL} while the namespace is not bound to that subnet: names it on them, and adds the scheduling gate ${GATE}, which the executor lifts.`,
  onlyByName: true,
  needs: 'MutatingAdmissionPolicy',
  manifests: () => [
    {
      kind: 'MutatingAdmissionPolicy',
      metadata: { name: nameInCluster(ID) },
      spec: {
        failurePolicy: 'Fail',
        reinvocationPolicy: 'IfNeeded',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector: guardedNamespaces({ key: SUBNET_LABEL, operator: 'Exists' }),
          objectSelector: {},
          resourceRules: [
            {
              operations: ['CREATE'],
              apiGroups: [''],
              apiVersions: ['v1'],
              resources: ['pods'],
              scope: 'Namespaced',
            },
          ],
        },
        matchConditions: [
          { name: 'has-its-own-network', expression: hasOwnNetworkCel },
          {
            name: 'has-no-node-yet',
            expression: "!has(object.spec.nodeName) || object.spec.nodeName == ''",
          },
          { name: 'names-no-subnet-itself', expression: `!(${choosesSubnetCel})` },
        ],
        variables: [
          { name: 'wanted', expression: `namespaceObject.metadata.labels['${SUBNET_LABEL}']` },
          { name: 'bound', expression: boundSubnetsCel },
        ],
        // Not JSONPatch: with a list of objects for a value, kube-apiserver 1.36.4 panics.
        mutations: [
          {
            patchType: 'ApplyConfiguration',
            applyConfiguration: {
              expression: `variables.wanted == '' || variables.wanted in variables.bound ? Object{} : Object{metadata: Object.metadata{annotations: {'${SUBNET_ANNOTATION}': variables.wanted}}, spec: Object.spec{schedulingGates: [Object.spec.schedulingGates{name: '${GATE}'}]}}`,
            },
          },
        ],
      },
    },
    {
      kind: 'MutatingAdmissionPolicyBinding',
      metadata: { name: nameInCluster(ID) },
      spec: { policyName: nameInCluster(ID) },
    },
  ],
};
export default podGate;
