import type { Finding } from '@ovn-steward/contracts/findings/finding';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  idOf,
  observe,
  observeAt,
  missedOf,
  recordedOn,
  recordingNames,
  RECORDINGS,
  truthOf,
  wronglyAccused,
} from './testing/truth';

const southboundOf = (recording: string): string => join(RECORDINGS, recording, 'sb.db');

describe.each(recordingNames())('the recording %s', (recording) => {
  let findings: readonly Finding[] = [];
  let unknowns: readonly unknown[] = [];
  const truth = truthOf(recording);

  beforeAll(async () => {
    const engine = await observeAt(recording);
    findings = engine.findings();
    unknowns = engine.unknowns();
  });

  test('every planted fault is found', () =>
    expect(
      missedOf(findings, truth).map(
        (it) => `${it.symptom} ${it.table ?? it.kind} ${it.name} ${idOf(it)}`,
      ),
    ).toEqual([]));

  test('nothing to be kept is called garbage or leak', () =>
    expect(wronglyAccused(findings, truth).map((it) => it.summary)).toEqual([]));

  test('it is of the time at which it was recorded, and so is all that is found in it', async () => {
    const engine = await observeAt(recording);
    expect(engine.now.slice(0, 10)).toBe(recordedOn(recording));
    const since = findings.map(({ firstSeen, lastSeen }) => [firstSeen, lastSeen]).flat();
    expect(since.filter((it) => it > engine.now)).toEqual([]);
  });

  test('nothing is left unjudged', () => expect(unknowns).toEqual([]));

  test('a healthy cluster has no findings at all', () => {
    if (recording.endsWith('clean')) expect(findings.map((it) => it.summary)).toEqual([]);
    else expect(findings.length).toBeGreaterThan(0);
  });
});

test.each(recordingNames().filter((it) => existsSync(southboundOf(it))))(
  'with the Southbound of %s beside it only the chassis of a node that is gone is found besides',
  async (recording) => {
    const at = join(RECORDINGS, recording);
    const truth = truthOf(recording);
    const findings = (await observeAt(recording)).findings();
    const engine = await observe(join(at, 'nb.db'), at, southboundOf(recording));
    expect(engine.unknowns()).toEqual([]);
    const known = new Set(findings.map(({ id, summary }) => `${id} ${summary}`));
    const more = engine.findings().filter(({ id, summary }) => !known.has(`${id} ${summary}`));
    const stale = truth.filter(({ table, expect: is }) => table === 'Chassis' && is !== 'keep');
    expect(more.map(({ rule, subject }) => `${rule} ${subject.name}`)).toEqual(
      stale.map(({ symptom, name }) => `${symptom} ${name}`),
    );
    expect(engine.findings().length - more.length).toBe(findings.length);
  },
);
