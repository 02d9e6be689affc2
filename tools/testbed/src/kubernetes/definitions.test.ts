import { withSchemas } from './definitions';

const definition = (schema?: unknown) => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'vpcs.kubeovn.io' },
  spec: {
    group: 'kubeovn.io',
    scope: 'Cluster',
    versions: [{ name: 'v1', served: true, ...(schema === undefined ? {} : { schema }) }],
  },
});

test('a version without a schema gets one that keeps every field', () => {
  expect(withSchemas(definition()).spec.versions).toEqual([
    {
      name: 'v1',
      served: true,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    },
  ]);
});

test('a schema that is there stays, and other objects too', () => {
  expect(withSchemas(definition({ openAPIV3Schema: {} }))).toEqual(
    definition({ openAPIV3Schema: {} }),
  );
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } };
  expect(withSchemas(pod)).toBe(pod);
});
