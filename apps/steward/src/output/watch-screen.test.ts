import { drawn, watchScreen } from './watch-screen';

test('a screen has no more lines than fit, and says how many do not', () => {
  const lines = ['a', 'b', 'c', 'd'];
  expect(drawn(lines, 4)).toBe('\u001b[Ha\u001b[K\nb\u001b[K\nc\u001b[K\nd\u001b[K\u001b[J');
  expect(drawn(lines, 3)).toBe('\u001b[Ha\u001b[K\nb\u001b[K\n… and 2 more lines\u001b[K\u001b[J');
});

/** What is printed into a pipe where the text was these, one after the other. */
async function piped(frames: string[], separator?: string): Promise<string> {
  let printed = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  const stop = new AbortController();
  await watchScreen(
    () => {
      const frame = frames.shift()!;
      if (frames.length === 0) stop.abort();
      return Promise.resolve(frame);
    },
    { everyMs: 1, signal: stop.signal, separator },
  );
  write.mockRestore();
  return printed;
}

test('without a terminal each new line is printed once, until it ends', async () =>
  expect(await piped(['a\nb\n', 'a\nb\n', 'b\nc\n'])).toBe('a\nb\nc\n'));

test('an empty list prints nothing', async () =>
  expect(await piped(['', 'a\n', '', 'a\n'])).toBe('a\na\n'));

test('of documents each that differs is printed whole', async () => {
  const frames = ['[\n  1\n]\n', '[\n  1\n]\n', '[\n  2\n]\n'];
  expect(await piped([...frames], '')).toBe('[\n  1\n]\n[\n  2\n]\n');
  expect(await piped([...frames], '---\n')).toBe('---\n[\n  1\n]\n---\n[\n  2\n]\n');
});
