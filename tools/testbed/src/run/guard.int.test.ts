import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { describeWith, kubernetes } from '../fixture';
import { PACKAGE } from '../place';
import { listens } from './ports';
import { waitFor } from './wait';

describeWith(kubernetes, 'the guard', () => {
  test('ends servers and removes their files when their owner is killed', async () => {
    const owner = spawn(process.execPath, [join(PACKAGE, 'run.cjs'), 'start'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    owner.stdout.on('data', (part: Buffer) => (printed += part.toString()));
    const [, port, file] = await waitFor(
      () => /Northbound +tcp:127\.0\.0\.1:(\d+)[^]*kubeconfig +(\S+)\n/.exec(printed) ?? undefined,
      { what: 'the bed to be up', timeoutMs: 60_000 },
    );
    expect([await listens(Number(port)), existsSync(file ?? '')]).toEqual([true, true]);
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    await waitFor(async () => !(await listens(Number(port))) && !existsSync(file ?? ''), {
      what: 'the guard to clean up',
      timeoutMs: 10_000,
    });
  });
});
