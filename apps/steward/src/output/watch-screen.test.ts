import { drawn, watchScreen } from './watch-screen';

test('a screen has no more lines than fit, and says how many do not', () => {
  const lines = ['a', 'b', 'c', 'd'];
  expect(drawn(lines, 4)).toBe('\u001b[Ha\u001b[K\nb\u001b[K\nc\u001b[K\nd\u001b[K\u001b[J');
  expect(drawn(lines, 3)).toBe('\u001b[Ha\u001b[K\nb\u001b[K\n… and 2 more lines\u001b[K\u001b[J');
});

test('without a terminal each new line is printed once, until it ends', async () => {
  let printed = '';
  const write = jest.spyOn(process.stdout, 'write').mockImplementation((it) => {
    printed += String(it);
    return true;
  });
  const stop = new AbortController();
  const frames = ['a\nb\n', 'a\nb\n', 'b\nc\n'];
  await watchScreen(
    () => {
      const frame = frames.shift()!;
      if (frames.length === 0) stop.abort();
      return Promise.resolve(frame);
    },
    { everyMs: 1, signal: stop.signal },
  );
  write.mockRestore();
  expect(printed).toBe('a\nb\nc\n');
});
