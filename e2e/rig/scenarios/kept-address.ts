import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@ovn-steward/testbed/run/wait';
import { addressed, addressOf, ownerOf, pod, statefulSet, WORKERS } from '../cluster';
import { AT_ONCE, COLLECTS_EVERY, type Scenario } from './scenario';
import { settles } from './settles';

const SHOP = 'shop';
const RECORD = { kind: 'IP', metadata: { name: 'kept-0.shop' } };

/** A finding of two systems is confirmed once both have reported up to that time. */
const CONFIRMED_MS = 25_000;

interface Published {
  readonly rule: string;
  readonly state: string;
  readonly subject: { readonly name: string };
}

/** What was said of the address, in that order, each once: who has it now is news too. */
const saidIn = (ndjson: string): readonly string[] => [
  ...new Set(
    ndjson
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Published & { readonly data?: Published })
      .map((it) => it.data ?? it)
      .filter(({ rule, state }) => rule.startsWith('kept-address') && state === 'confirmed')
      .map(({ rule, subject }) => `${rule} ${subject.name}`),
  ),
];

export const keptAddress: Scenario = {
  name: 'kept-address',
  about:
    'The controller collects the record of a StatefulSet’s pod that is absent for two passes; that is found, and that the pod came back with another address.',
  async run({ rig, healthy, shell }) {
    const { objects } = rig;
    await rig.restartController(COLLECTS_EVERY);
    const set = await objects.create(statefulSet(SHOP, 'kept', 1));
    const wanted = pod(SHOP, 'kept-0', WORKERS[0], { ownerReferences: [ownerOf(set)] });
    const before = addressOf(await addressed(objects, wanted));
    const opened = shell(AT_ONCE);
    const beside = opened.runBeside('steward run --output ndjson');
    // A set that changed within a minute before may have given its address up.
    await sleep(70_000);
    await objects.remove(wanted, true);
    await waitFor(async () => (await objects.get('IP', RECORD.metadata.name)) === undefined, {
      what: 'the record to be collected',
      timeoutMs: 120_000,
    });
    await sleep(CONFIRMED_MS);
    const other = pod(SHOP, 'other', WORKERS[1], {
      annotations: { 'ovn.kubernetes.io/ip_address': before },
    });
    await addressed(objects, other);
    const after = addressOf(await addressed(objects, wanted));
    await sleep(CONFIRMED_MS);
    const { code, stdout, stderr } = await beside.stop();
    opened.close();
    const said = saidIn(stdout);
    const expected = ['kept-address-lost kept-0.shop', 'kept-address-changed kept-0.shop'];
    const wrong =
      said.join() === expected.join() ? [] : [`said was ${said.join(', ') || 'nothing'}`];
    if (after === before) wrong.push(`the pod has ${after} again`);
    if (code === 1) wrong.push(`it ended with ${code}: ${stderr}`);

    await objects.remove(other, true);
    await objects.remove(wanted, true);
    await objects.remove(set, true);
    await objects.remove(RECORD);
    wrong.push(...(await settles(rig, healthy, 'pods and set are deleted')));
    return wrong;
  },
};
