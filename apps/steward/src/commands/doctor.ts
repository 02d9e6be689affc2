import { type Command, Option } from 'commander';
import { actionOf, buildPlan, createProver } from '@ovn-steward/executor';
import { protectionOf } from '@ovn-steward/judgement/protection';
import type { Engine } from '@ovn-steward/judgement/engine/engine';
import { carriedOut, ripened } from '../apply/carry-out';
import { type Diagnosis, diagnose, type Patient, patientOf } from '../doctor/diagnosis';
import { free } from '../doctor/free';
import { EXIT } from '../exit-codes';
import { type Channel, channelOf, type ChannelOptions, withChannel } from '../inputs/decisions';
import { withInputs } from '../inputs/options';
import { inputsFrom } from '../inputs/sources';
import { type TakeOverOptions, withSystems, withTakeOver } from '../inputs/systems';
import { interrupted } from '../interrupted';
import { doctorDocument } from '../output/doctor-json';
import { doctorText } from '../output/doctor-text';
import { decidedText } from '../output/outcome-text';
import { startProgress } from '../output/progress';
import { takeLook } from '../take-look';
import { secondsOf } from './seconds';

interface DoctorOptions extends ChannelOptions, TakeOverOptions {
  readonly free?: boolean;
  readonly overCeilings?: boolean;
  readonly output: 'text' | 'json';
  readonly timeout: number;
}

/** A plan of one round is applied at once. */
const VALID_MS = 3_600_000;

/** `steward doctor`: what a deletion waits for, and in which order it comes free; with --free, done. */
export function doctorCommand(program: Command, done: (code: number) => void): void {
  withTakeOver(withChannel(withInputs(program.command('doctor [what...]').description('show what a deletion that hangs waits for, and the order in which it comes free; <what> is <kind>/<name>, such as subnet/apps; all that hangs when none is named'))))
    .option('--free', 'do of it what can be proven, round by round, until nothing more can: what you see, by your approval')
    .option('--by <name>', 'who wants it freed; recorded. You, as user@host, unless told')
    .option('--over-ceilings', 'also where it goes beyond the executor\'s ceilings')
    .addOption(new Option('--output <form>', 'how to report').choices(['text', 'json']).default('text'))
    .option('--timeout <seconds>', 'how long a look may take', secondsOf, 120)
    .action(async (what: readonly string[], options: DoctorOptions) => {
      const patients = what.map(patientOf);
      const channel = channelOf(options);
      const look = (): Promise<Engine> => looked(channel, options);
      if (options.free) return done(await freed(patients, channel, options, look));
      const engine = await look();
      const diagnosis = diagnose(engine, patients);
      process.stdout.write(options.output === 'json' ? `${JSON.stringify(doctorDocument(diagnosis), null, 2)}\n` : doctorText(diagnosis, nowOf(engine)));
      done(codeOf(diagnosis));
    });
}

async function looked({ config, cluster }: Channel, options: DoctorOptions): Promise<Engine> {
  const progress = startProgress('read');
  return takeLook(inputsFrom(options, config, { note: progress.note }), { ...config, cluster }, { timeoutMs: options.timeout * 1000, onProgress: progress.update }).finally(progress.end);
}

/** When the objects were seen: of a recording, when it was taken. */
function nowOf(engine: Engine): Date {
  const seen = engine.streams().filter((it) => it.source === 'kubernetes').map((it) => it.observedThrough).filter((it) => it !== '').sort().at(-1);
  return seen === undefined ? new Date() : new Date(seen);
}

const codeOf = ({ trees, unknown }: Diagnosis): number => (trees.length > 0 ? EXIT.findings : unknown.length > 0 ? EXIT.couldNotKnow : EXIT.nothingFound);

async function freed(patients: readonly Patient[], channel: Channel, options: DoctorOptions, look: () => Promise<Engine>): Promise<number> {
  const { config, cluster } = channel;
  const [stop, progress, isText] = [interrupted(), startProgress('held against the systems'), options.output === 'text'];
  const say = (text: string): void => void (isText && process.stdout.write(text));
  try {
    return await withSystems(options, config, async (systems) => {
      const { diagnosis, actions, rounds } = await free(patients, patients.length === 0, {
        look,
        plan: (proposals) => buildPlan({
          proposals, graceOf: (of) => config.grace[of], prover: createProver({ cluster, systems, isProtected: protectionOf(config.protect), kubeOvn: config.executor.kubeOvn }),
          systems, actionOf, cluster, now: () => new Date(), validMs: VALID_MS + Math.max(...Object.values(config.grace)), signal: stop.signal,
        }),
        onRound: (round, plan) => say(`Round ${round}: ${plan.entries.length} to do\n`),
        async apply(plan) {
          await ripened(plan, true, stop.signal);
          const onAction = (it: Parameters<typeof decidedText>[0]): void => void (it.state !== 'claimed' && say(`  ${decidedText(it)}\n`));
          return carriedOut(plan, channel, systems, { overCeilings: options.overCeilings ?? false, wait: false }, { signal: stop.signal, onAction, note: progress.note });
        },
      }, stop.signal);
      const count = actions.filter(({ state }) => state === 'done').length;
      if (isText) process.stdout.write(`${count} done in ${rounds} ${rounds === 1 ? 'look' : 'looks'}.\n\n${doctorText(diagnosis, new Date())}`);
      else process.stdout.write(`${JSON.stringify({ ...doctorDocument(diagnosis), rounds, interrupted: stop.signal.aborted, actions }, null, 2)}\n`);
      return codeOf(diagnosis);
    });
  } finally {
    progress.end();
    stop.end();
  }
}
