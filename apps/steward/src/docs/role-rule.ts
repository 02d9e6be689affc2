import { kubernetesKind } from '@ovn-steward/shared/kinds';

/** A right on objects of these kinds, or on that of their subresources. */
export interface RoleRule {
  /** What needs it. */
  readonly comment: string;
  readonly verb: string;
  readonly kinds: readonly string[];
  readonly subresource?: string;
}

/**
 * The YAML of a rule of a role: an entry for each API group, in the order of the kinds; none
 * without kinds.
 */
export function roleRule({ comment, verb, kinds, subresource }: RoleRule): string {
  const groups = new Map<string, Set<string>>();
  for (const kind of kinds) {
    const { group, resource } = kubernetesKind(kind)!;
    const resources = groups.get(group) ?? new Set();
    groups.set(group, resources.add(subresource ? `${resource}/${subresource}` : resource));
  }
  return [...groups]
    .map(
      ([group, resources]) => `  # ${comment}
  - apiGroups: ["${group}"]
    resources:
${[...resources].map((it) => `      - ${it}\n`).join('')}    verbs: [${verb}]
`,
    )
    .join('');
}
