import { parseAllDocuments } from 'yaml';
import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { installPolicy } from './install';
import { manifestText } from './manifest-text';
import { POLICIES } from './policies/registry';
import { policyStateOf } from './policy-state';

const signal = new AbortController().signal;

test.each(POLICIES)(
  '$id: what is shown is what is written, and nothing once it is',
  async (policy) => {
    const kubernetes = memoryKubernetes();
    const shown = parseAllDocuments(
      manifestText(await policyStateOf(policy, kubernetes, signal)),
    ).map((it) => it.toJS() as Record<string, unknown>);
    await installPolicy(await policyStateOf(policy, kubernetes, signal), kubernetes, signal);
    expect(shown).toEqual(
      policy.manifests().map(({ kind, metadata: { name } }) => {
        const { apiVersion, metadata, spec } = kubernetes
          .objects(kind)
          .find((it) => it.metadata.name === name)!;
        return {
          apiVersion,
          kind,
          metadata: { name: metadata.name, labels: metadata['labels'] },
          spec,
        };
      }),
    );
    expect(manifestText(await policyStateOf(policy, kubernetes, signal))).toBe('');
  },
);
