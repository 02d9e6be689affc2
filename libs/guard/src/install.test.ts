import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeInstalling } from './install.contract';
import { installPolicy } from './install';
import { POLICIES } from './policies/registry';
import { standingOf } from './standing';

const signal = new AbortController().signal;

describeInstalling('in memory', async () => {
  const kubernetes = memoryKubernetes();
  return { kubernetes, put: async (object) => kubernetes.put(object), stop: async () => undefined };
});

test('a server that has no policies is told of, and nothing is written', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.notInstalled.add('ValidatingAdmissionPolicy').add('ValidatingAdmissionPolicyBinding');
  const standing = await standingOf(POLICIES[0]!, kubernetes, signal);
  expect(standing.is).toBe('not-served');
  await expect(installPolicy(standing, kubernetes, signal)).rejects.toMatchObject({
    code: 'source-not-served',
  });
});

test('without the right it is said, and what cannot be read is not taken for absent', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.forbidden.add('create ValidatingAdmissionPolicy');
  await expect(
    installPolicy(await standingOf(POLICIES[0]!, kubernetes, signal), kubernetes, signal),
  ).rejects.toMatchObject({ code: 'source-forbidden' });
  kubernetes.forbidden.add('get ValidatingAdmissionPolicy');
  await expect(standingOf(POLICIES[0]!, kubernetes, signal)).rejects.toMatchObject({
    code: 'source-forbidden',
  });
});
