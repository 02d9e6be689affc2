import { object } from '../testing/builders';
import { holderOf, isControllerLease, podOfHolder, tookLead } from './lease-holder';

const NAME = 'kube-system/kube-ovn-controller';
const lease = (spec?: Record<string, unknown>, name = NAME) =>
  object('Lease', name, spec && { spec });
const held = (by: string) => lease({ holderIdentity: by });

test.each([
  ['no Lease', undefined, ''],
  ['one without a spec', lease(), ''],
  ['one without a holder', lease({}), ''],
  ['one given up', held(''), ''],
  ['one that is held', held('pod-1_u'), 'pod-1_u'],
])('the holder of %s', (_, it, holder) => expect(holderOf(it)).toBe(holder));

test("only kube-ovn-controller's Lease is the controllers', in any namespace", () => {
  expect(isControllerLease(held('a'))).toBe(true);
  expect(isControllerLease(lease({}, 'other/kube-ovn-controller'))).toBe(true);
  expect(isControllerLease(lease({}, 'kube-system/kube-ovn-speaker'))).toBe(false);
  expect(isControllerLease(object('Deployment', NAME))).toBe(false);
});

test('the pod of a holder', () => {
  expect(podOfHolder('kube-ovn-controller-1_8b5c')).toBe('kube-ovn-controller-1');
  expect(podOfHolder('')).toBe('');
});

test.each([
  ['another holds it', held('a'), held('b'), true],
  ['it was given up before', held(''), held('b'), true],
  ['it was not there before', undefined, held('b'), true],
  ['the same holds it', held('a'), held('a'), false],
  ['it is given up', held('a'), held(''), false],
  ['its holder is left out', held('a'), lease({}), false],
  ['it is deleted', held('a'), undefined, false],
  [
    'it is of something else',
    undefined,
    lease({ holderIdentity: 'a' }, 'kube-system/other'),
    false,
  ],
])('whether a controller took the lead, where %s', (_, before, after, took) =>
  expect(tookLead(before, after)).toBe(took),
);
