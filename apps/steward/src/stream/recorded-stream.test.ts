import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeFinding } from '@ovn-steward/contracts/findings/finding-codec';
import { FindingClass, FindingState } from '@ovn-steward/contracts/findings/finding';
import { readStream, RECORDED_STREAM } from './recorded-stream';

const stream = readStream(RECORDED_STREAM);
const read = stream.map((it) => ({ ...it, ...decodeFinding(it.partition, it) }));
const findings = read.flatMap((it) => ('finding' in it ? [it] : []));
const understood = findings.filter((it) => it.understood).map((it) => it.finding);

describe('the recorded stream has', () => {
  it('every class in every state', () => {
    const had = new Set(understood.map((it) => `${it.class} ${it.state}`));
    const all = FindingClass.options.flatMap((it) =>
      FindingState.options.map((of) => `${it} ${of}`),
    );
    expect(all.filter((it) => !had.has(it))).toEqual([]);
  });

  it('records sent twice, and older revisions behind newer ones', () => {
    const twice = new Set<string>();
    const older = new Set<string>();
    const last = new Map<string, number>();
    for (const { id, revision } of findings.map((it) => it.finding)) {
      const before = last.get(id) ?? 0;
      if (revision === before) twice.add(id);
      if (revision < before) older.add(id);
      last.set(id, Math.max(before, revision));
    }
    expect(twice.size).toBeGreaterThan(0);
    expect(older.size).toBeGreaterThan(2);
  });

  it('tombstones, also of what was open, of what was never sent, and one with a return', () => {
    const forgotten = read.flatMap((it, at) =>
      'forgotten' in it ? [{ at, id: it.forgotten }] : [],
    );
    const isSent = (id: string, from: number, to?: number): boolean =>
      read.slice(from, to).some((it) => 'finding' in it && it.key === id);
    expect(forgotten.some(({ id }) => !isSent(id, 0))).toBe(true);
    expect(forgotten.some(({ id, at }) => isSent(id, at))).toBe(true);
    expect(forgotten.some(({ id, at }) => isSent(id, 0, at) && !isSent(id, at))).toBe(true);
  });

  it('words of a later version: a class, a state, a severity, a source and a fact', () => {
    const later = findings.filter((it) => !it.understood).map((it) => it.finding);
    const words = later.flatMap((it) => [it.class, it.state, it.severity, it.subject.source]);
    expect(words).toEqual(expect.arrayContaining(['novelty', 'muted', 'fatal', 'ovn-ic']));
  });

  it('poison of ten kinds, and reports of each what it is', () => {
    const poison = read.filter((it) => 'poison' in it);
    expect(new Set(poison.map((it) => it.what)).size).toBeGreaterThan(10);
  });

  it('clusters beside, one of them in the same partition', () => {
    const clusters = new Map(findings.map((it) => [it.finding.cluster, it.partition]));
    expect(clusters.size).toBe(3);
    expect(new Set(clusters.values()).size).toBe(2);
  });

  it('on every record the headers that the contract promises', () => {
    for (const { partition, headers } of stream) {
      expect(headers['analyzer']).toBeDefined();
      expect(headers['changes']).toMatch(new RegExp(`^${partition}/\\d+-\\d+$`));
    }
  });
});

describe('a file that is no stream', () => {
  const folder = mkdtempSync(join(tmpdir(), 'steward-stream-'));
  const file = join(folder, 'stream');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['no JSON', '{', /line 1 is no record/],
    [
      'a record without a value',
      '{"what":"a","cluster":"a","key":"a","headers":{}}',
      /value or bytes/,
    ],
  ])('is refused with its line: %s', (_what, text, says) => {
    writeFileSync(file, `${text}\n`);
    expect(() => readStream(file)).toThrow(says);
  });

  it('is missing', () => {
    expect(() => readStream(join(folder, 'none'))).toThrow(/--stream/);
  });
});
