import { PassThrough } from 'node:stream';
import { confirmed } from './confirmed';

const terminal = (isTTY = true) => ({
  input: Object.assign(new PassThrough(), { isTTY, setRawMode: () => undefined }),
  output: Object.assign(new PassThrough(), { isTTY }),
});

const answered = async (keys: string): Promise<boolean> => {
  const at = terminal();
  const requested = confirmed({}, 'Write it?', at);
  at.input.write(keys);
  return requested;
};

describe('a person asked whether it is wanted', () => {
  it('says so by y or yes, and by nothing else', async () => {
    expect(
      await Promise.all(['y\r', 'YES\r', ' yes \r', '\r', 'n\r', 'yesterday\r'].map(answered)),
    ).toEqual([true, true, true, false, false, false]);
  });

  it('says no with Ctrl-C and Ctrl-D, whatever was typed', async () => {
    expect(await Promise.all(['\u0003', 'y\u0003', '\u0004'].map(answered))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('is not asked where there is no terminal, and where the answer is given', async () => {
    expect(await confirmed({}, 'Write it?', terminal(false))).toBe(false);
    expect(await confirmed({ yes: true }, 'Write it?', terminal(false))).toBe(true);
    expect(await confirmed({ yes: true, dryRun: true }, 'Write it?', terminal())).toBe(false);
  });

  it('reads the question', async () => {
    const at = terminal();
    const requested = confirmed({}, 'Write it?', at);
    at.input.write('n\r');
    await requested;
    expect(String(at.output.read())).toContain('Write it? [y/N] ');
  });
});
