import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { RULES } from './registry';

const NOT_RULES = new Set(['registry', 'rule', 'reference-page']);
const files = readdirSync(__dirname)
  .filter((it) => it.endsWith('.ts') && !it.endsWith('.test.ts'))
  .map((it) => it.slice(0, -'.ts'.length))
  .filter((it) => !NOT_RULES.has(it));

test('the list is the folder, in order, each id the name of its file', () =>
  expect(RULES.map((it) => it.id)).toEqual(files.sort()));

test('no two rules share an id', () =>
  expect(new Set(RULES.map((it) => it.id)).size).toBe(RULES.length));

/**
 * Rules that need not say whether a start of Kube-OVN's controller mends what they find: of what
 * hangs, the finding says it; of the controller itself and where there is none, it is no question;
 * of the rest, nobody has seen it.
 */
const NOT_OF_STARTS: ReadonlySet<string> = new Set([
  'bfd-session-down',
  'controller-not-leading',
  'duplicate-chassis',
  'gateway-acl-without-policy',
  'load-balancer-vip-of-other-vpc',
  'namespace-without-subnet',
  'orphaned-load-balancer-health-check',
  'orphaned-logical-router',
  'orphaned-logical-switch',
  'stale-ip-port-mapping',
  'two-controllers',
  'uninstalled-address-set',
  'uninstalled-ha-chassis-group',
  'uninstalled-load-balancer',
  'uninstalled-port-group',
]);

describe.each(RULES.map((it) => [it.id, it] as const))('%s', (id, rule) => {
  test('has a test beside it', () =>
    expect(existsSync(join(__dirname, `${id}.test.ts`))).toBe(true));

  test('says what it is about in at most three sentences', () => {
    expect(rule.about).toMatch(/^[A-Z].*\.$/);
    expect((rule.about.match(/[.!?](?= |$)/g) ?? []).length).toBeLessThanOrEqual(3);
  });

  test('says whether a start of the controller mends it', () => {
    const says = /\b(re)?starts?\b|controller that works/i.test(rule.about);
    expect(says || rule.class === 'stuck').toBe(!NOT_OF_STARTS.has(id));
  });

  test('declares each kind once', () => {
    const declared = [
      ...rule.reads,
      ...(rule.consults ?? []).filter((it) => !rule.reads.includes(it)),
    ];
    expect(new Set(declared).size).toBe(declared.length);
  });

  test('reads Kubernetes before it calls anything of OVN garbage', () => {
    if (rule.class === 'garbage' && !kubernetesKind(rule.subject))
      expect(rule.reads.some((it) => kubernetesKind(it))).toBe(true);
  });
});
