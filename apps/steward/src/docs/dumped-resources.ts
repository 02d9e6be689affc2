import type { KubernetesKind } from '@ovn-steward/shared/kinds';

/** The kinds that `tools/dump.sh` lists, as kubectl names them, in a variable of the shell. */
export const dumpedResources = (kinds: readonly KubernetesKind[]): string =>
  `RESOURCES="\n${kinds.map(nameOf).join('\n')}\n"`;

const nameOf = ({ resource, group }: KubernetesKind): string =>
  group === '' ? resource : `${resource}.${group}`;
