/**
 * What the API server itself enforces, without a webhook (Kubernetes documentation, "Validating
 * Admission Policy", "Mutating Admission Policy").
 */
export type PolicyKind = 'ValidatingAdmissionPolicy' | 'MutatingAdmissionPolicy';

/**
 * An object as it is applied, but for what is the same in all: its apiVersion is the newest the
 * server has, its labels say that it is ours.
 */
export interface PolicyManifest {
  readonly kind: PolicyKind | `${PolicyKind}Binding`;
  readonly metadata: { readonly name: string };
  /**
   * Whole, with the values the server would add by default: what stands there beyond it and is not
   * empty counts as a difference.
   */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** CamelCase, for machines, as the reasons of Events are. */
type RefusalReason = 'DeletionRefused' | 'PodRefused';

/**
 * A guard that the API server keeps while nothing of ours runs. One file each in `policies/`, and a
 * line in its registry.
 */
export interface Policy {
  /** The name of its file. */
  readonly id: string;
  /** One sentence, shown before it is applied. */
  readonly does: string;
  /**
   * Only where a person names it: it changes what happens to pods, and may refuse some that ran
   * until now.
   */
  readonly onlyByName?: boolean;
  /** The kind the server must serve. */
  readonly needs: PolicyKind;
  /**
   * The reason of the Event that says that it refused something; undefined for one that refuses
   * nothing.
   */
  readonly refusalReason?: RefusalReason;
  /**
   * In the order they are applied: the binding, which puts it into force, last. They are removed in
   * the reverse order.
   */
  manifests(): readonly PolicyManifest[];
}

/**
 * The name of a policy and of its binding in the cluster; also the label `policy` of the API
 * server's own count of its refusals.
 */
export const nameInCluster = (id: string): string => `ovn-steward-${id}`;

/** What differs between the policies that refuse something. */
export interface Refusing {
  readonly id: string;
  readonly does: string;
  readonly refusalReason: RefusalReason;
  readonly onlyByName?: boolean;
  /** Of which requests, and about which resources: one rule of `matchConstraints.resourceRules`. */
  readonly on: {
    readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE')[];
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
  };
  /** Of which namespaces; of all by default. A LabelSelector. */
  readonly namespaceSelector?: Readonly<Record<string, unknown>>;
  /** CEL, each true for what the policy is about at all. `namespaceObject` is not known here. */
  readonly onlyIf?: Readonly<Record<string, string>>;
  /** CEL, by name; each may use those before it as `variables.<name>`. */
  readonly variables?: Readonly<Record<string, string>>;
  /** CEL, true for what is let through. */
  readonly passes: string;
  /** CEL, a string for the person who is refused: what is wrong, and what to do. */
  readonly messageExpression: string;
  /** The same in plain words, for when `messageExpression` fails. */
  readonly message: string;
}

/**
 * A policy that refuses what does not pass (action Deny, recorded in the audit log as well), also
 * when its expressions fail: what cannot be judged is kept as it is.
 */
export const refuses = ({
  id,
  does,
  refusalReason,
  onlyByName = false,
  on,
  namespaceSelector = {},
  onlyIf = {},
  variables = {},
  passes,
  messageExpression,
  message,
}: Refusing): Policy => ({
  id,
  does,
  refusalReason,
  onlyByName,
  needs: 'ValidatingAdmissionPolicy',
  manifests: () => [
    {
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: nameInCluster(id) },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          matchPolicy: 'Equivalent',
          namespaceSelector,
          objectSelector: {},
          resourceRules: [{ ...on, apiVersions: ['*'], scope: '*' }],
        },
        ...(Object.keys(onlyIf).length > 0 && { matchConditions: named(onlyIf) }),
        ...(Object.keys(variables).length > 0 && { variables: named(variables) }),
        validations: [
          {
            expression: passes,
            messageExpression: messageExpression,
            message: message,
            reason: 'Forbidden',
          },
        ],
      },
    },
    {
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: nameInCluster(id) },
      spec: { policyName: nameInCluster(id), validationActions: ['Deny', 'Audit'] },
    },
  ],
});

const named = (expressions: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(expressions).map(([name, expression]) => ({ name, expression }));
