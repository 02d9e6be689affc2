import { podWaitsFor } from '@ovn-steward/judgement/readiness/pod-waits-for';
import { subnetWaitsFor, vpcNameOf } from '@ovn-steward/judgement/readiness/subnet-waits-for';
import type { WaitTarget } from './wanted';

/**
 * Reads one object, in its newest state; undefined only when the API server says that there is
 * none.
 * @throws when it cannot be read.
 */
export type ReadObject = (
  kind: 'Subnet' | 'Vpc' | 'Namespace' | 'Pod',
  namespace: string | undefined,
  name: string,
  signal: AbortSignal,
) => Promise<unknown>;

/**
 * What is still waited for, in short phrases; none when it is there. One GET for each object.
 * @throws what `read` throws.
 */
export async function observe(
  wanted: WaitTarget,
  read: ReadObject,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const subnet = await read('Subnet', undefined, wanted.subnet, signal);
  if (wanted.for === 'pod-addressed') {
    const waits: string[] = [];
    for (const { namespace, name } of wanted.pods) {
      waits.push(
        ...podWaitsFor({
          subnetName: wanted.subnet,
          subnet,
          podName: `${namespace}/${name}`,
          pod: await read('Pod', namespace, name, signal),
        }),
      );
    }
    return [...new Set(waits)]; // a subnet that is not there is said once
  }
  const vpc = vpcNameOf(subnet);
  return subnetWaitsFor({
    name: wanted.subnet,
    subnet,
    vpc: vpc === undefined ? undefined : await read('Vpc', undefined, vpc, signal),
    ...(wanted.namespace !== undefined && {
      namespace: {
        name: wanted.namespace,
        object: await read('Namespace', undefined, wanted.namespace, signal),
      },
    }),
  });
}
