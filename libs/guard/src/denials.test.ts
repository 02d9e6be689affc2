import { memoryKubernetes } from '@ovn-steward/systems/testing/memory-kubernetes';
import { readDenials } from './denials';

const signal = new AbortController().signal;
const METRIC = 'apiserver_validating_admission_policy_check_total';
const STARTED = 'process_start_time_seconds';
const sample = (policy: string, action: string, error: string, value: number) => ({
  labels: { enforcement_action: action, error_type: error, policy, policy_binding: policy },
  value,
});

test('adds up what each policy of ours refused, and nothing else', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.counted.set(METRIC, [
    sample('ovn-steward-vpc-with-subnets', 'deny', 'no_error', 3),
    sample('ovn-steward-vpc-with-subnets', 'deny', 'expression_error', 1),
    sample('ovn-steward-vpc-with-subnets', 'allow', 'no_error', 70),
    sample('somebodys', 'deny', 'no_error', 9),
  ]);
  const { byPolicy } = await readDenials(kubernetes, signal);
  expect([
    byPolicy.get('vpc-with-subnets'),
    byPolicy.get('external-vpc'),
    byPolicy.get('somebodys'),
  ]).toEqual([4, 0, undefined]);
});

test('says when the server was started, where that server says it', async () => {
  const kubernetes = memoryKubernetes();
  expect((await readDenials(kubernetes, signal)).startedAt).toBeUndefined();
  kubernetes.counted.set(STARTED, [{ labels: {}, value: 1767225600.25 }]);
  expect((await readDenials(kubernetes, signal)).startedAt).toBe(1767225600.25);
});

test('what may not be read is a failure, never none', async () => {
  const kubernetes = memoryKubernetes();
  kubernetes.forbidden.add('samples /metrics');
  await expect(readDenials(kubernetes, signal)).rejects.toMatchObject({ code: 'source-forbidden' });
});
