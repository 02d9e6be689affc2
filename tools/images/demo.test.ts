import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { ROOT } from './repository';

interface DemoPort {
  readonly name: string;
  readonly addresses: string;
  readonly externalIds: Readonly<Record<string, string>>;
  readonly groups: readonly string[];
}
interface Step {
  readonly says: string;
  readonly command: readonly string[];
}

const load = createRequire(__filename);
const { story } = load(join(ROOT, 'deploy/demo/story.cjs')) as {
  story(cluster: { seed: number; ports: readonly DemoPort[] }): Iterable<Step>;
};
const { findingLine } = load(join(ROOT, 'deploy/demo/finding-line.cjs')) as {
  findingLine(value: Buffer | null): string | undefined;
};

const PORTS: readonly DemoPort[] = Array.from({ length: 12 }, (_, index) => {
  const [namespace, ls] = index % 2 === 0 ? ['payments', 'apps'] : ['shop', 'ovn-default'];
  const pod = `pod-${index}`;
  return {
    name: `${pod}.${namespace}`,
    addresses: `0a:00:00:00:00:0${index.toString(16)} 10.17.0.${index + 2}`,
    externalIds: { ls, pod: `${namespace}/${pod}`, vendor: 'kube-ovn' },
    groups: index === 0 ? ['pg.from.ledger.payments'] : [],
  };
});

function reported(seed: number, steps: number): Step[] {
  const all: Step[] = [];
  for (const step of story({ seed, ports: PORTS })) if (all.push(step) === steps) break;
  return all;
}

const nameIn = (command: readonly string[]): string =>
  JSON.parse(command.find((it) => it.startsWith('name='))!.slice('name='.length)) as string;

/**
 * Plays the commands on names alone, as ovn-nbctl would: it refuses to make a port that is there,
 * or to touch one that is not.
 */
function portsAfter(steps: readonly Step[]): { standing: Set<string>; most: number } {
  const standing = new Set(PORTS.map((it) => it.name));
  let most = standing.size;
  for (const {
    command: [first, second, third],
    command,
  } of steps) {
    const gone = (name: string): void => {
      if (!standing.delete(name)) throw new Error(`${name} is not there: ${command.join(' ')}`);
    };
    const touched = (name: string): void => {
      if (!standing.has(name)) throw new Error(`${name} is not there: ${command.join(' ')}`);
    };
    if (first === 'lsp-del') gone(second!);
    if (first === 'set') touched(third!);
    if (first === '--id=@port' && second === 'get') touched(command[3]!);
    if (!command.includes('create')) continue;
    if (standing.has(nameIn(command)))
      throw new Error(`${nameIn(command)} is there: ${command.join(' ')}`);
    standing.add(nameIn(command));
    most = Math.max(most, standing.size);
  }
  return { standing, most };
}

describe('the story of the demo cluster', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(reported(7, 500)).toEqual(reported(7, 500));
    expect(reported(8, 500)).not.toEqual(reported(7, 500));
  });

  it('can be played for hours: no step contradicts what came before, and no port is forgotten for ever', () => {
    for (const seed of [1, 2, 3]) {
      const { standing, most } = portsAfter(reported(seed, 10_000));
      expect(standing.size).toBeLessThan(PORTS.length + 25);
      expect(most).toBeLessThan(PORTS.length + 25);
    }
  });

  it('shows every trouble within the first twenty steps, and its end within two hundred more', () => {
    const says = (steps: readonly Step[], pattern: RegExp): boolean =>
      steps.some((it) => pattern.test(it.says));
    const steps = reported(1, 220);
    for (const begins of [
      /its port is lost/,
      /is made with the address of/,
      /whose policy does not select/,
      /is new, with port/,
    ])
      expect(says(steps.slice(0, 20), begins)).toBe(true);
    for (const ends of [
      /gets its port back/,
      /with an address of another/,
      /leaves port group/,
      /a port that was forgotten/,
      /its port is removed/,
      /restarts/,
    ])
      expect(says(steps, ends)).toBe(true);
  });

  it('gives two new pods different addresses', () => {
    const addresses = reported(1, 300)
      .filter((it) => /is new/.test(it.says))
      .map((it) => it.command.find((word) => word.startsWith('addresses='))!.split(' ')[1]);
    expect(addresses.length).toBeGreaterThan(10);
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

describe('findingLine', () => {
  const sample = readFileSync(join(ROOT, 'contracts/examples/finding-event.v1.confirmed.json'));

  it('puts a finding of the contract on a line', () => {
    expect(findingLine(sample)).toBe(
      '10:20:00 confirmed warning  278d5047f4 orphaned-logical-switch-port: Logical_Switch_Port web-0.shop holds 10.16.0.13 for Pod shop/web-0, which does not exist.',
    );
  });

  it('passes over tombstones and what it does not know', () => {
    expect(findingLine(null)).toBeUndefined();
    expect(
      findingLine(Buffer.from(sample.toString().replace('finding.v1"', 'finding.v2"'))),
    ).toBeUndefined();
  });

  it('lets nothing through that steers a terminal', () => {
    expect(
      findingLine(
        Buffer.from(sample.toString().replace('which does not exist', 'which\\u001b[2J\\ngone')),
      ),
    ).toMatch(/which {1}\[2J gone\.$/);
  });
});
