import { parseArgs } from 'node:util';
import { Failure, messageOf } from '@ovn-steward/shared/errors';
import { observe } from './still-missing';
import { WAIT_EXIT, waitedJson, waitedText } from './report';
import { ACCOUNT_FOLDER, readAsPod } from './service-account';
import { waitUntil } from './wait-until';
import { type WaitTarget, wantedOf } from './wanted';

const USAGE = `Usage: steward-wait subnet/<name> [--for ready|pod-addressed] [--namespace <name>] [--pod <namespace>/<name>]... [--timeout 5m] [--output text|json]
Waits as this pod's service account. Exit codes: 0 it is there, 1 an error, 3 it was not there in time or could not be known.
`;

/**
 * `deploy/wait/steward-wait.cjs`: `steward wait` for a pod, in one file that needs Node alone.
 * Gives the exit code.
 */
export async function main(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const options = optionsOf(argv);
    if (options === 'help') {
      process.stdout.write(USAGE);
      return WAIT_EXIT.there;
    }
    const { wanted, account, output } = options;
    const read = readAsPod(account, env);
    const waited = await waitUntil({
      observe: (signal) => observe(wanted, read, signal),
      print: (line) => process.stderr.write(`${line}\n`),
      timeoutMs: wanted.timeoutMs,
    });
    if (output === 'json') process.stdout.write(waitedJson(wanted, waited));
    else process[waited.there ? 'stdout' : 'stderr'].write(waitedText(wanted, waited));
    return waited.there ? WAIT_EXIT.there : WAIT_EXIT.notInTime;
  } catch (error) {
    process.stderr.write(`steward-wait: ${messageOf(error)}\n`);
    return WAIT_EXIT.error;
  }
}

function optionsOf(
  argv: readonly string[],
): 'help' | { readonly wanted: WaitTarget; readonly account: string; readonly output: string } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      for: { type: 'string', default: 'ready' },
      namespace: { type: 'string' },
      pod: { type: 'string', multiple: true, default: [] },
      timeout: { type: 'string', default: '5m' },
      output: { type: 'string', default: 'text' },
      account: { type: 'string', default: ACCOUNT_FOLDER },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const [subject, ...more] = positionals;
  if (subject === undefined || more.length > 0)
    throw new Failure(
      'config-invalid',
      'name one thing to wait for, such as subnet/apps; --help says more.',
    );
  if (!['text', 'json'].includes(values.output))
    throw new Failure('config-invalid', `--output ${values.output}: write text or json.`);
  return {
    wanted: wantedOf({ ...values, subject }),
    account: values.account,
    output: values.output,
  };
}
