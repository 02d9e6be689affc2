import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { assignments, words, type Instruction, type Stage } from './dockerfile';

export interface LocalBuildOptions {
  readonly stages: readonly Stage[];
  /** The build's context, and which of its paths get in. */
  readonly context: string;
  readonly inContext: (path: string) => boolean;
  /** Holds a folder for each stage, which stands for its root. */
  readonly scratch: string;
  /** Does a RUN instruction in another way, where that is as good; false leaves it to the shell. */
  readonly instead?: (run: string, folder: string) => boolean;
}

/** A stage as it was built: where its files are, and what a process in it would be given. */
export interface Built {
  readonly root: string;
  readonly workdir: string;
  readonly env: ReadonlyMap<string, string>;
  /** What was not done: steps marked as system, and files of images we do not have. */
  readonly leftOut: readonly string[];
}

/**
 * Builds a stage and those it needs without an engine: files are copied, commands run as processes
 * of this machine in the stage's folder. Images of others are taken to be empty; so it works for
 * instructions that need nothing but Node, and name no absolute path in a command.
 */
export function localBuild(options: LocalBuildOptions): (name: string) => Built {
  const done = new Map<string, Built>();
  const build = (name: string): Built => {
    const stage = options.stages.find((it) => it.name === name);
    if (stage === undefined) throw new Error(`there is no stage ${name}`);
    const built = done.get(name) ?? buildStage(stage, options, build);
    done.set(name, built);
    return built;
  };
  return build;
}

function buildStage(
  stage: Stage,
  options: LocalBuildOptions,
  build: (name: string) => Built,
): Built {
  const base = standsOn(stage, options.stages) ? build(stage.from) : undefined;
  const root = join(options.scratch, stage.name);
  if (base) cpSync(base.root, root, { recursive: true, verbatimSymlinks: true });
  else mkdirSync(root, { recursive: true });
  const env = new Map(base?.env);
  const leftOut = [...(base?.leftOut ?? [])];
  let workdir = base?.workdir ?? '/';
  const inside = (path: string): string =>
    join(root, path.startsWith('/') ? path : join(workdir, path));

  const steps: Readonly<Record<string, (it: Instruction) => void>> = {
    WORKDIR: (instruction) => {
      workdir = join(workdir, instruction.rest);
      mkdirSync(inside('.'), { recursive: true });
    },
    ENV: (instruction) => {
      for (const [name, value] of assignments(instruction)) env.set(name, value);
    },
    RUN: (instruction) => {
      if (instruction.system) leftOut.push(instruction.rest);
      else if (!options.instead?.(instruction.rest, inside('.')))
        run(instruction, inside('.'), env);
    },
    COPY: (instruction) => {
      const [to, ...from] = words(instruction).reverse() as [string, ...string[]];
      const other = instruction.flags.get('from');
      const source = other === undefined ? undefined : build(other);
      for (const path of from.reverse()) {
        if (source && !existsSync(join(source.root, path)) && isBare(other!, options.stages))
          leftOut.push(`${other}: ${path}`);
        else if (source) copy(join(source.root, path), to, inside(to), () => true);
        else
          copy(join(options.context, path), to, inside(to), (file) =>
            options.inContext(relative(options.context, file)),
          );
      }
    },
  };
  for (const it of stage.instructions) steps[it.name]?.(it);
  return { root, workdir, env, leftOut };
}

/** The earlier stage a stage begins with; undefined when that is an image of somebody else. */
const standsOn = (stage: Stage, stages: readonly Stage[]): Stage | undefined =>
  stages.slice(0, stages.indexOf(stage)).find((it) => it.name === stage.from);

/** A stage that is somebody else's image and nothing more. */
const isBare = (name: string, stages: readonly Stage[]): boolean => {
  const stage = stages.find((it) => it.name === name);
  return (
    stage !== undefined && stage.instructions.length === 0 && standsOn(stage, stages) === undefined
  );
};

/**
 * As Docker does: of a folder its content, a file under its own name where the target ends with a
 * slash.
 */
function copy(from: string, to: string, target: string, takes: (path: string) => boolean): void {
  const isFolder = statSync(from).isDirectory();
  if (!takes(from)) throw new Error(`${from} is not in the context: .dockerignore leaves it out`);
  const place = isFolder || !to.endsWith('/') ? target : join(target, basename(from));
  mkdirSync(isFolder ? place : dirname(place), { recursive: true });
  if (!isFolder) return cpSync(from, place, { verbatimSymlinks: true });
  for (const name of readdirSync(from))
    cpSync(join(from, name), join(place, name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: takes,
    });
}

/**
 * The image's own variables and what a shell needs; nothing else of ours gets in, but npm's cache,
 * to spare the registry.
 */
function run({ rest, line }: Instruction, cwd: string, env: ReadonlyMap<string, string>): void {
  const kept = Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:PATH|HOME|NODE_EXTRA_CA_CERTS|npm_config_(?:cache|registry)|https?_proxy|no_proxy)$/i.test(
        name,
      ),
    ),
  );
  try {
    execFileSync('sh', ['-c', rest], {
      cwd,
      env: {
        ...kept,
        npm_config_prefer_offline: 'true',
        npm_config_update_notifier: 'false',
        ...Object.fromEntries(env),
      },
      stdio: 'pipe',
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`line ${line} of the Dockerfile failed: ${rest}\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}
