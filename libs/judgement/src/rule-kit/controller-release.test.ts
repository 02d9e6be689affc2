import { entityOf, object } from '../testing/builders';
import { releaseOfRunning } from './controller-release';

const run = (release: string | undefined, metadata: Record<string, unknown> = {}) =>
  entityOf(
    object('Deployment', 'kube-system/kube-ovn-controller', {
      metadata,
      spec: { template: { spec: { release } } },
    }),
  );
const pod = entityOf(object('Pod', 'kube-system/kube-ovn-controller-x'));

test.each([
  ['its Deployment says it', [pod, run('v1.12.35')], [1, 12, 35]],
  ['two say the same', [run('v1.12.35'), run('v1.12.35')], [1, 12, 35]],
  ['two say different ones', [run('v1.12.35'), run('v1.13.15')], undefined],
  ['one does not say it', [run('v1.12.35'), run('nightly')], undefined],
  [
    'the other is going',
    [run('v1.13.15', { deletionTimestamp: '2026-01-01T00:00:00Z' }), run('v1.12.35')],
    [1, 12, 35],
  ],
  ['there are only pods', [pod], undefined],
])('%s', (_, running, expected) => expect(releaseOfRunning(running)).toEqual(expected));
