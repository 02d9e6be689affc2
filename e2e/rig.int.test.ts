import { describeWith, kubernetes } from '@ovn-steward/testbed/fixture';
import { kubeOvn } from './rig/provided';
import { isRight, runRig } from './rig/run-rig';

const missing = kubeOvn.missing();
// Nothing of Kube-OVN is in this repository: without what a person gives, CI has nothing to run either.
if (missing !== undefined)
  process.stderr.write(`\n!! SKIPPED: beside Kube-OVN's own controller: ${missing}\n\n`);

(missing === undefined ? describe : describe.skip)("beside Kube-OVN's own controller", () => {
  describeWith(kubernetes, 'on a real API server', () => {
    test('nothing healthy is accused, what is leaked is found, and what is put back is honoured', async () => {
      const run = await runRig(7, 60);
      expect({ right: isRight(run), ...run }).toMatchObject({
        right: true,
        accused: [],
        confirmed: [],
        besides: [],
        leaked: ['lost-0.shop', 'lost-1.shop'],
        undone: { held: true, thief: null, owner: run.undone?.address },
      });
    }, 600_000);
  });
});
