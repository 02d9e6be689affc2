import { DeadLetter } from '@ovn-steward/contracts/dead-letters/dead-letter';
import { CHANGES, DEAD_LETTER, FINDINGS } from '@ovn-steward/shared/log/topics';
import { Bench, CLUSTERS } from '../testing/bench';
import { logicalSwitch, port } from '@ovn-steward/judgement/testing/builders';
import { History } from '@ovn-steward/judgement/testing/history';
import { fitting } from './fitting';

const AT = { id: 'f-1', partition: 3, at: new Date('2026-01-01T00:00:00Z') };

test('what its topic takes goes as it is, by the byte', () => {
  const unsent = {
    topic: FINDINGS,
    key: 'f',
    value: 'x'.repeat(1_048_576 - 61 - 36 - 1),
    headers: {},
  };
  expect(fitting(unsent, AT)).toBe(unsent);
  const { topic, key, value } = fitting({ ...unsent, value: `${unsent.value}x` }, AT);
  expect([topic, key]).toEqual([DEAD_LETTER, 'f']);
  expect(DeadLetter.parse(JSON.parse(value!))).toMatchObject({
    id: `${FINDINGS}/3/f-1`,
    topic: FINDINGS,
    offset: null,
    truncated: false,
    by: 'analyzer',
    why: expect.stringContaining('1048577 bytes'),
  });
  expect(fitting({ ...unsent, topic: CHANGES, value: `${unsent.value}x` }, AT).topic).toBe(CHANGES);
});

test('a row with a name of megabytes stops nobody: its finding is set aside, and the others are published', async () => {
  const bench = await new Bench().begin();
  try {
    const history = new History(CLUSTERS[0]);
    await bench.publish([
      ...history.listEverything(),
      history.put(logicalSwitch()),
      history.put(port()),
      ...history.heartbeats(0),
    ]);
    await bench.publish([history.put(port('x'.repeat(1_500_000), { uid: 'hostile' }))]);
    const { openFindings } = await bench.read();
    expect(openFindings()).toHaveLength(2);
    expect((await bench.events()).map((it) => it.data.subject.name)).toEqual(['web-0.shop']);
    expect(
      (await bench.recordsOf(DEAD_LETTER)).map(
        (it) => DeadLetter.parse(JSON.parse(it.value!.toString())).topic,
      ),
    ).toEqual([FINDINGS]);
  } finally {
    await bench.end();
  }
});
