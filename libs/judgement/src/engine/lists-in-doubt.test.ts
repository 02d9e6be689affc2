import { createEngine } from '../create-engine';
import { type Rule, type Verdict, violation } from '../rule-kit/rule';
import { View } from '../rule-kit/view';
import { RULES } from '../rules/registry';
import { object, pairedNode, port, row } from '../testing/builders';
import { History } from '../testing/history';
import { heldJudgement } from './judge';
import { absent } from '../rule-kit/facts';
import { NO_GRACE } from '../testing/grace';

const CLASSES = ['garbage', 'leak', 'stuck', 'drift', 'misplaced', 'missing', 'damage'] as const;

/**
 * What a rule of that class makes of a policy that is called absent, where rows were made for it.
 */
function judged(ofClass: Rule['class'], isRecorded: boolean): Verdict {
  const engine = createEngine({ cluster: 'test', grace: NO_GRACE }, isRecorded);
  const history = new History();
  const rows = row('Address_Set', 'allow.in', {
    external_ids: { vendor: 'kube-ovn', np: 'shop/allow/ingress' },
  });
  const subject = port('web-0.shop');
  const all = [...pairedNode(), object('Service', 'default/kubernetes'), rows, subject];
  engine.apply([...history.listNothingMore(), ...all.map((it) => history.put(it))], {
    checked: false,
  });
  const rule = {
    ...RULES.find((it) => it.subject === 'Logical_Switch_Port')!,
    reads: ['NetworkPolicy'],
    consults: [],
    class: ofClass,
    doubt: undefined,
    check: () =>
      violation({
        summary: 'nobody needs it',
        proof: [absent('NetworkPolicy', 'shop/allow')],
      } as never),
  } as unknown as Rule;
  const entity = [...engine.world.entities('Logical_Switch_Port')].find(
    ({ uid }) => uid === subject.uid,
  )!;
  const view = new View(
    engine.world,
    new Set(['Logical_Switch_Port', 'NetworkPolicy', 'Pod', 'Node']),
    () => undefined,
    [],
  );
  return heldJudgement(rule, entity, view);
}

test.each(CLASSES.slice(0, 3))(
  'what is %s since others are gone is unknown where their recorded list seems cut',
  (ofClass) =>
    expect(judged(ofClass, true)).toMatchObject({
      is: 'unknown',
      reason: expect.stringMatching(/recorded list of NetworkPolicy does not seem whole/),
    }),
);

test.each(CLASSES.slice(3))('what is %s is reported all the same', (ofClass) =>
  expect(judged(ofClass, true).is).toBe('violation'),
);

test('living systems answer for themselves', () =>
  expect(judged('garbage', false).is).toBe('violation'));
