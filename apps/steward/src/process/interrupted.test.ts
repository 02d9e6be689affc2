import { interrupted } from './interrupted';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** How many hear each. */
const heard = (): readonly number[] => SIGNALS.map((it) => process.listenerCount(it));
const STREAMS = [process.stdout, process.stderr];

type Listener = (...args: unknown[]) => void;
/** Bring back what files that ran before in this process left listening: a signal sets it off. */
let others: (() => void)[] = [];
beforeEach(() => {
  const apart = (from: NodeJS.EventEmitter, event: string): (() => void) => {
    const listeners = from.rawListeners(event) as Listener[];
    from.removeAllListeners(event);
    return () => {
      from.removeAllListeners(event);
      for (const it of listeners) from.on(event, it);
    };
  };
  others = [...SIGNALS.map((it) => apart(process, it)), ...STREAMS.map((it) => apart(it, 'error'))];
});
afterEach(() => {
  for (const restore of others) restore();
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
