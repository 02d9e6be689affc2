import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWith, promtool } from '@ovn-steward/testbed/fixture';
import { promtoolAtHand } from '@ovn-steward/testbed/provision/promtool';
import { ROOT } from '../testing/pages';
import { sampleOfSeries } from '../testing/sample-of-series';

const FOLDER = join(ROOT, 'deploy/prometheus');

/** Its name is a promise; the label has the word that Prometheus keeps for summaries. */
const KNOWN =
  'steward_event_loop_delay_seconds non-summary metrics should not have "quantile" label';

describeWith(promtool, 'with promtool', () => {
  const run = (args: readonly string[], cwd = FOLDER, input = '') => {
    const { status, stdout, stderr } = spawnSync(promtoolAtHand()!, args, {
      cwd,
      input,
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  };

  test('the rules are well formed', () => {
    expect(run(['check', 'rules', '--lint-fatal', 'rules.yaml'])).toEqual({
      status: 0,
      output: expect.stringContaining('SUCCESS'),
    });
  });

  test.each(['rules.test.yaml', 'rules.hours.test.yaml'])(
    'each alert of %s fires when it should, and only then',
    (file) => {
      expect(run(['test', 'rules', file])).toEqual({
        status: 0,
        output: expect.stringContaining('SUCCESS'),
      });
    },
  );

  test('an alert that fires too late is noticed', () => {
    const copy = mkdtempSync(join(tmpdir(), 'steward-alerts-'));
    try {
      const rules = readFileSync(join(FOLDER, 'rules.yaml'), 'utf8');
      const later = rules.replace('for: 1m', 'for: 1h');
      expect(later).not.toBe(rules);
      writeFileSync(join(copy, 'rules.yaml'), later);
      writeFileSync(
        join(copy, 'rules.test.yaml'),
        readFileSync(join(FOLDER, 'rules.test.yaml'), 'utf8'),
      );
      expect(run(['test', 'rules', 'rules.test.yaml'], copy).output).toContain('FAILED');
    } finally {
      rmSync(copy, { recursive: true });
    }
  });

  test('names, types and helps of the series are as Prometheus wants them', async () => {
    const text = await sampleOfSeries();
    expect(text).toContain('# TYPE steward_findings gauge');
    const { output } = run(['check', 'metrics'], FOLDER, text);
    expect(output.split('\n').filter((it) => it !== '' && it !== KNOWN)).toEqual([]);
  });
});
