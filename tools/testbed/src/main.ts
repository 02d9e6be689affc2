import { once } from 'node:events';
import { startBed, type Bed } from './bed';
import { KITS } from './kit';
import { messageOf } from './message';
import { provision, provisionAll } from './provision';
import { RECORDINGS, type RecordingName } from './recordings';

const USAGE = `usage:
  [start [${RECORDINGS.join('|')}]]   OVN, Kubernetes and Kafka with that recorded cluster in place, until Ctrl-C
  provision [${KITS.join('|')}]   fetch and build what tests need, and nothing else
`;

/**
 * Exit statuses: 0 done, 1 wrong use or failure, 3 something cannot be had here (why, on standard
 * output).
 */
async function main([command = 'start', name]: readonly string[]): Promise<number> {
  const known = <T extends string>(names: readonly T[]): T | undefined =>
    names.find((each) => each === name);
  if (command === 'start' && (name === undefined || known(RECORDINGS) !== undefined))
    return start(known(RECORDINGS) ?? 'leaky');
  if (command === 'provision' && name === undefined) return report(await provisionAll());
  const kit = known(KITS);
  if (command === 'provision' && kit !== undefined)
    return report(
      await provision(kit).then(
        () => new Map(),
        (error: unknown) => new Map([[kit, messageOf(error)]]),
      ),
    );
  process.stderr.write(USAGE);
  return 1;
}

function report(missing: ReadonlyMap<string, string>): number {
  for (const [kit, reason] of missing) process.stdout.write(`${kit}: ${reason}\n`);
  return missing.size === 0 ? 0 : 3;
}

async function start(name: RecordingName): Promise<number> {
  const bed = await startBed(name);
  process.stdout.write(greeting(name, bed));
  const idle = setInterval(() => undefined, 60_000);
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  clearInterval(idle);
  await bed.stop();
  return 0;
}

/**
 * Where everything is, and what to call: the one-shot check, or the three services, each on its own
 * port and folder.
 */
function greeting(name: RecordingName, bed: Bed): string {
  const log = `--kafka.brokers ${bed.brokers.join(',')} --kafka.replicationFactor 1 --log.format text`;
  const service = (which: string, port: number, more: string): string =>
    `  node services/${which}/dist/main.js ${log} --stateDir .steward/${which} --http.listen 127.0.0.1:${port}${more}\n`;
  const sources = ` --cluster ${name} --ovnNb.remote ${bed.northbound} --ovnSb.remote ${bed.southbound} --kubernetes.kubeconfig ${bed.kubeconfig}`;
  return `The recorded cluster "${name}" is up:
  OVN Northbound   ${bed.northbound}
  OVN Southbound   ${bed.southbound}
  Kubernetes       ${bed.kubernetes}
  kubeconfig       ${bed.kubeconfig}
  Kafka            ${bed.brokers.join(',')}

Try:  steward audit --ovn-nb ${bed.northbound} --ovn-sb ${bed.southbound} --kubernetes ${bed.kubeconfig}

Or the services, after "npm run build", each in a terminal of its own:
${service('collector', 9471, sources)}${service('analyzer', 9472, '')}${service('executor', 9473, '')}
Ctrl-C stops it.
`;
}

void main(process.argv.slice(2)).then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
