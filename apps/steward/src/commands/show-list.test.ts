import { showList, type ShownList } from './show-list';

const LIST: ShownList = {
  text: 'a\n',
  doubt: 'Of ovn-nb not known: \u001b[2Jx.',
  remarks: ['1 more is suppressed.'],
  code: 2,
};

/** What is printed where it watches until the list was read twice. */
async function watched(
  output: string,
  text = () => LIST.text,
): Promise<{ out: string; err: string; code: number }> {
  const printed = { out: '', err: '' };
  const spies = (['stdout', 'stderr'] as const).map((stream) =>
    jest.spyOn(process[stream], 'write').mockImplementation((text) => {
      printed[stream === 'stdout' ? 'out' : 'err'] += String(text);
      return true;
    }),
  );
  let reads = 0;
  const read = (): Promise<ShownList> => {
    if (++reads === 2) process.emit('SIGINT');
    return Promise.resolve({ ...LIST, text: text() });
  };
  try {
    const code = await showList({ watch: true, every: 0.001, output }, read);
    return { ...printed, code };
  } finally {
    for (const it of spies) it.mockRestore();
  }
}

test('a list that is watched ends with its doubt, in which nothing moves the terminal', async () => {
  expect(await watched('table')).toEqual({
    out: 'a\n1 more is suppressed.\nNot known: Of ovn-nb not known: \\u001b[2Jx.\n',
    err: '',
    code: 2,
  });
});

test('beside what programs read, the doubt goes to standard error, once', async () => {
  expect(await watched('ndjson')).toEqual({
    out: 'a\n',
    err: '1 more is suppressed.\nNot known: Of ovn-nb not known: \\u001b[2Jx.\n',
    code: 2,
  });
});

test.each([
  ['json', '[\n1,\n2\n]\n[\n1,\n3\n]\n'],
  ['yaml', '---\n[\n1,\n2\n]\n---\n[\n1,\n3\n]\n'],
])('a program reads a whole document of %s for each change', async (output, out) => {
  const texts = ['[\n1,\n2\n]\n', '[\n1,\n3\n]\n'];
  expect((await watched(output, () => texts.shift()!)).out).toBe(out);
});
