import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { describeInstalling } from './install.contract';
import { installPolicy, removePolicy } from './install';
import { POLICIES } from './policies/registry';
import { policyStateOf } from './policy-state';

const signal = new AbortController().signal;

describeInstalling('in memory', async () => {
  const kubernetes = memoryKubernetes();
  return { kubernetes, put: async (object) => kubernetes.put(object), stop: async () => undefined };
});

test('a server that has no policies is reported, and nothing is written', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.notInstalled.add('ValidatingAdmissionPolicy').add('ValidatingAdmissionPolicyBinding');
  const standing = await policyStateOf(POLICIES[0]!, kubernetes, signal);
  expect(standing.is).toBe('not-served');
  await expect(installPolicy(standing, kubernetes, signal)).rejects.toMatchObject({
    code: 'source-not-served',
  });
});

test('without the right it is said, and what cannot be read is not taken for absent', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.forbidden.add('create ValidatingAdmissionPolicy');
  await expect(
    installPolicy(await policyStateOf(POLICIES[0]!, kubernetes, signal), kubernetes, signal),
  ).rejects.toMatchObject({ code: 'source-forbidden' });
  kubernetes.forbidden.add('get ValidatingAdmissionPolicy');
  await expect(policyStateOf(POLICIES[0]!, kubernetes, signal)).rejects.toMatchObject({
    code: 'source-forbidden',
  });
});

test('what is so already is not written, and the binding, which puts it into force, goes first', async () => {
  const kubernetes = memoryKubernetes();
  const standing = () => policyStateOf(POLICIES[0]!, kubernetes, signal);
  const written: string[] = [];
  kubernetes.between = ({ verb, kind }, moment) => {
    if (moment === 'before' && ['create', 'patch', 'delete'].includes(verb))
      written.push(`${verb} ${kind}`);
  };
  await installPolicy(await standing(), kubernetes, signal);
  await installPolicy(await standing(), kubernetes, signal);
  await removePolicy(await standing(), kubernetes, signal);
  const { needs } = POLICIES[0]!;
  expect(written).toEqual([
    `create ${needs}`,
    `create ${needs}Binding`,
    `delete ${needs}Binding`,
    `delete ${needs}`,
  ]);
});
