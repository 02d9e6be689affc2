import { parseArgs } from 'node:util';
import { readDatabaseFile } from '@ovn-steward/ovsdb';
import { recordedFile } from '@ovn-steward/systems/testing/recorded-northbound';
import { random } from '@ovn-steward/systems/testing/kube-ovn/random';
import { play, productEngine } from './play';

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      steps: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      world: { type: 'string' },
      tell: { type: 'string', default: '5' },
      output: { type: 'string', default: 'text' },
    },
  });
  const { schema } = await readDatabaseFile(recordedFile('leaky'));
  let steps = 0,
    told = 0;
  const began = Date.now();
  for (let nth = Number(values.world ?? 0); steps < Number(values.steps); nth++) {
    const draw = random(Number(values.seed) * 1_000_003 + nth);
    const history = {
      seed: draw.int(2 ** 32),
      steps: Array.from({ length: 200 }, () => draw.int(2 ** 32)),
    };
    const { offences, diary } = play(schema, history, productEngine);
    steps += 200;
    for (const it of offences)
      if (told++ < Number(values.tell)) {
        console.error(nth, it.kind, it.what);
      }
    if (offences.length && values.world !== undefined) console.error(diary.slice(-60).join('\n'));
    if (values.world !== undefined) break;
    if (told >= Number(values.tell)) break;
  }
  console.log(steps, Math.round((steps * 1000) / (Date.now() - began)), 'steps/s', Math.round(steps * 1e6 / process.cpuUsage().user), 'steps per second of CPU');
  return 0;
}
main().then(
  (c) => (process.exitCode = c),
  (e) => {
    console.error(e);
    process.exitCode = 1;
  },
);
