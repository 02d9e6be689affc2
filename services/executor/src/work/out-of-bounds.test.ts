import type { Control } from '@ovn-steward/contracts/control/control';
import { OPEN_LIMITS, recordedProposals, scene } from '../testing/acting';
import { action } from '../testing/actions';
import { decision } from '../testing/controls';
import { RECORDED_CLUSTER as cluster } from '../testing/recorded-engine';
import { recordedSystems } from '../testing/recorded-systems';

test.each(['racing', 'putting-back', 'done'])(
  'what a record with code %s says to undo is not written where its action took nothing',
  async (code) => {
    const systems = await recordedSystems('leaky');
    const proposals = await recordedProposals('leaky');
    const executor = scene(systems, () => proposals.slice(0, 0), OPEN_LIMITS);
    const [pod] = systems.kubernetes.objects('Pod');
    const { namespace, name, uid } = pod!.metadata;
    const mark = 'forged.kubernetes.io/allocated';
    const forged = action('p', {
      cluster,
      state: 'done',
      code,
      action: 'delete-ip',
      target: { source: 'kubernetes', kind: 'IP', name: 'gone', uid: 'gone' },
      proof: [],
      undo: {
        of: 'field',
        kind: 'Pod',
        namespace: namespace!,
        name,
        uid,
        path: `/metadata/annotations/${mark.replace('/', '~1')}`,
        value: 'true',
      },
    });
    try {
      executor.ledger.write([forged]);
      await executor.decide(decision({ type: 'undo', of: forged.id, cluster } as Control));
      await executor.turns(2);
      expect(systems.kubernetes.objects('Pod')).toContainEqual(pod);
      expect(executor.ledger.get(forged.id)).toMatchObject({
        state: 'done',
        reason: expect.stringContaining('is not what delete-ip can have removed'),
      });
    } finally {
      await executor.close();
    }
  },
);
