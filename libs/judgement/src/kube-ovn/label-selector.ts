import type { LabelSelector } from '../world/kubernetes-objects';

type Labels = Readonly<Record<string, string>>;

/**
 * Whether a Kubernetes label selector takes these labels (`metav1.LabelSelector`: all of
 * `matchLabels` and all of `matchExpressions`; an empty selector takes everything). Undefined for
 * an operator this version does not know.
 */
export function selects(selector: LabelSelector, labels: Labels): boolean | undefined {
  const each = [
    ...Object.entries(selector.matchLabels ?? {}).map(
      ([key, value]) => valueOf(labels, key) === value,
    ),
    ...(selector.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
      const value = valueOf(labels, key);
      switch (operator) {
        case 'In':
          return value !== undefined && values.includes(value);
        case 'NotIn':
          return value === undefined || !values.includes(value);
        case 'Exists':
          return value !== undefined;
        case 'DoesNotExist':
          return value === undefined;
        default:
          return undefined;
      }
    }),
  ];
  if (each.includes(false)) return false;
  return each.includes(undefined) ? undefined : true;
}

const valueOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;
