import { missingKit } from './availability';
import type { Kit } from './kit';

/** Something real that tests need. */
export interface Fixture {
  readonly name: string;
  /**
   * Why it cannot be had here, in a sentence that says what to do; undefined when it can.
   * Provisions it on the way.
   */
  missing(): string | undefined;
}

const kitFixture = (kit: Kit, name: string, variable: string): Fixture => ({
  name,
  missing: () => (process.env[variable] ? undefined : missingKit(kit)),
});

/** OVN's servers and tools. */
export const ovn = kitFixture('ovn', 'OVN', 'STEWARD_TEST_OVN_NB');

/** Apache Kafka's brokers. */
export const kafka = kitFixture('kafka', 'Kafka', 'STEWARD_TEST_KAFKA');

/** A Kubernetes API server with its etcd. */
export const kubernetes = kitFixture('kubernetes', 'Kubernetes', 'STEWARD_TEST_KUBECONFIG');

/** The command line of Kubernetes. */
export const kubectl: Fixture = { name: 'kubectl', missing: () => missingKit('kubectl') };

/** What checks and tries Prometheus' rules. */
export const promtool: Fixture = { name: 'promtool', missing: () => missingKit('promtool') };

/** What sends Prometheus' alerts on. */
export const alertmanager: Fixture = {
  name: 'Alertmanager',
  missing: () => missingKit('alertmanager'),
};

/** Grafana's components, and a browser that draws with them. */
export const grafana: Fixture = {
  name: 'Grafana’s components and Chromium',
  missing: () => missingKit('grafana'),
};

/** The package manager of Kubernetes. */
export const helm: Fixture = { name: 'Helm', missing: () => missingKit('helm') };

/** The shells beside bash that complete our command line. */
export const shells: Fixture = { name: 'zsh and fish', missing: () => missingKit('shells') };

/** What this needs of the test runner and the surroundings; jest's own by default. */
export interface Runner {
  describe(name: string, tests: () => void): void;
  skip(name: string, tests: () => void): void;
  test(name: string, body: () => void): void;
  warn(text: string): void;
  readonly ci: boolean;
}

const jestRunner = (): Runner => ({
  describe: (name, tests) => describe(name, tests),
  skip: (name, tests) => describe.skip(name, tests),
  test: (name, body) => test(name, body),
  warn: (text) => void process.stderr.write(text),
  ci: underCi(process.env['CI']),
});

/** CI set to anything but an explicit no. */
export const underCi = (value: string | undefined): boolean =>
  value !== undefined && !['', '0', 'false', 'no'].includes(value.toLowerCase());

/**
 * `describe` for tests that need something real. Where it is missing the tests are marked as
 * skipped, with a banner nobody can overlook; under CI they fail, because there nobody reads
 * banners.
 */
export function describeWith(
  fixture: Fixture,
  name: string,
  tests: () => void,
  runner: Runner = jestRunner(),
): void {
  const reason = fixture.missing();
  if (reason === undefined) return runner.describe(name, tests);
  if (runner.ci) {
    return runner.describe(name, () =>
      runner.test(`has ${fixture.name}`, () => {
        throw new Error(`${fixture.name} is missing, and CI must not skip: ${reason}`);
      }),
    );
  }
  runner.warn(banner(`SKIPPED: ${name}`, `${fixture.name} is missing: ${reason}`));
  runner.skip(`${name} (skipped: no ${fixture.name})`, tests);
}

function banner(...lines: readonly string[]): string {
  const bar = '!'.repeat(100);
  return `\n${bar}\n${lines.map((line) => `!! ${line}\n`).join('')}${bar}\n\n`;
}
