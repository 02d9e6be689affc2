import { interrupted } from './interrupted';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How many hear each: jest may be among them. */
const heard = (): readonly number[] => SIGNALS.map((it) => process.listenerCount(it));
const STREAMS = [process.stdout, process.stderr];
afterEach(() => {
  for (const it of STREAMS) it.removeAllListeners('error');
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s fires it, and the second ends the process as ever',
  (name) => {
    const before = heard();
    const { signal, end } = interrupted();
    expect(heard()).toEqual(before.map((it) => it + 1));
    process.emit(name);
    expect(signal.aborted).toBe(true);
    expect(heard().slice(0, 2)).toEqual(before.slice(0, 2));
    end();
    expect(heard()).toEqual(before);
  },
);

test('a lost terminal fires it, ends nothing when it is signalled twice, and may refuse every word', () => {
  const before = heard();
  const { signal, end } = interrupted();
  process.emit('SIGHUP');
  expect([signal.aborted, heard()]).toEqual([true, [before[0], before[1], before[2]! + 1]]);
  process.emit('SIGHUP');
  expect(STREAMS.map((it) => it.listenerCount('error'))).toEqual([1, 1]);
  end();
  expect(heard()).toEqual(before);
});
