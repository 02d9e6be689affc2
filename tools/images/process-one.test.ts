import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './repository';

/**
 * How a program ends that loads for half a second, is sent SIGTERM meanwhile, and then does this.
 */
async function reported(
  after: string,
): Promise<{ code: number | null; signal: string | null; printed: string }> {
  const program = `process.stdout.write('loading\\n'); const until = Date.now() + 500; while (Date.now() < until); ${after}`;
  const child = spawn(
    process.execPath,
    ['--require', './deploy/docker/process-one.cjs', '-e', program],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  const [code, signal] = (await ended) as [number | null, string | null];
  return { code, signal, printed };
}

describe('process-one.cjs', () => {
  it('keeps a SIGTERM for a program that is still loading', async () => {
    expect(
      await reported(
        `process.once('SIGTERM', () => { process.stdout.write('drained'); clearInterval(work); }); const work = setInterval(() => {}, 1000);`,
      ),
    ).toEqual({ code: 0, signal: null, printed: 'loading\ndrained' });
  });

  it('ends a program that does not listen, as the system would', async () => {
    expect(await reported('setInterval(() => {}, 1000);')).toEqual({
      code: 143,
      signal: null,
      printed: 'loading\n',
    });
  });
});
