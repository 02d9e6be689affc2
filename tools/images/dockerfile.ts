/** One instruction of a Dockerfile, its lines joined. */
export interface Instruction {
  readonly name: string;
  /** What follows the name, `--flag=value` words taken off. */
  readonly rest: string;
  readonly flags: ReadonlyMap<string, string>;
  readonly line: number;
  /** The comment right above it is `# system`: it needs root or a package of the distribution. */
  readonly system: boolean;
}

export interface Stage {
  readonly name: string;
  /** An earlier stage, or an image of somebody else. */
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** `COPY a b to/`, or a list in JSON. */
export const words = ({ rest }: Pick<Instruction, 'rest'>): string[] =>
  rest.startsWith('[') ? (JSON.parse(rest) as string[]) : rest.split(/\s+/);

/**
 * The stages of a Dockerfile, by name, in their order. Reads what ours uses of the format: no
 * heredocs, no other escape than the backslash. Arguments before the first stage are put into its
 * `FROM`.
 */
export function readDockerfile(text: string): Stage[] {
  const args = new Map<string, string>();
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    const stage = stages.at(-1);
    if (instruction.name === 'FROM') {
      const [, image, name] = /^(\S+)(?:\s+AS\s+(\S+))?$/i.exec(instruction.rest) ?? [];
      if (image === undefined || name === undefined)
        throw new Error(`line ${instruction.line}: a stage without a name: ${instruction.rest}`);
      stages.push({ name, from: substituted(image, args), instructions: [] });
    } else if (stage) stage.instructions.push(instruction);
    else if (instruction.name === 'ARG') {
      const [name, value] = assigned(instruction.rest);
      args.set(name, substituted(value, args));
    } else throw new Error(`line ${instruction.line}: ${instruction.name} before the first stage`);
  }
  return stages;
}

const substituted = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replace(/\$\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole);

/** `NAME=value` and `NAME="value"`. */
function assigned(text: string): [string, string] {
  const [, name = text, value = ''] =
    /^(\w[\w.]*)=(?:"(.*)"|(.*))$/s.exec(text)?.filter((it) => it !== undefined) ?? [];
  return [name, value];
}

/** The pairs of an ENV, ARG or LABEL. */
export const assignments = ({ rest }: Pick<Instruction, 'rest'>): Map<string, string> =>
  new Map((rest.match(/[\w.]+=(?:"[^"]*"|\S*)/g) ?? []).map(assigned));

function* instructionsOf(text: string): Generator<Instruction> {
  const lines = text.split('\n');
  let system = false;
  for (let at = 0; at < lines.length; at++) {
    const line = at + 1;
    let whole = lines[at]!.trim();
    if (whole.startsWith('#')) system = whole === '# system';
    if (whole === '' || whole.startsWith('#')) continue;
    while (whole.endsWith('\\')) whole = `${whole.slice(0, -1).trimEnd()} ${lines[++at]!.trim()}`;
    const [, name = '', after = ''] = /^(\w+)\s+(.*)$/s.exec(whole) ?? [];
    const flagged = /^((?:--[\w-]+=\S+\s+)*)(.*)$/s.exec(after)!;
    const flags = new Map(
      [...flagged[1]!.matchAll(/--([\w-]+)=(\S+)/g)].map((it) => [it[1]!, it[2]!]),
    );
    yield { name: name.toUpperCase(), rest: flagged[2]!, flags, line, system };
    system = false;
  }
}
