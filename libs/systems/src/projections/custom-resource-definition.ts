import { kubernetesObject } from './metadata';
import { flag, list, record, text } from './shape';

/** Which kinds are served at all; schemas are left out, they are most of the bytes. */
export const customResourceDefinition = kubernetesObject({
  spec: record({
    group: text,
    scope: text,
    names: record({ kind: text, plural: text }),
    versions: list(record({ name: text, served: flag })),
  }),
});
