import { EXECUTOR_ACTIONS } from '@ovn-steward/executor';
import { kubernetesKind } from '@ovn-steward/shared/kinds';
import { parse } from 'yaml';
import { rulesIn } from './chart/rules-in';
import { EXECUTOR_ROLE } from './executor-role';
import { PODS_ROLES } from './pods-roles';
import { roleRule } from './role-rule';

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** `verb group/resource` of all that the executor may do. */
const RIGHTS = [
  rulesIn(EXECUTOR_ROLE, 'ovn-steward-executor'),
  rulesIn(PODS_ROLES, 'ovn-steward-pods'),
  rulesIn(PODS_ROLES, 'ovn-steward-pods-restart'),
]
  .flatMap((it) => (parse(it) as Rule[] | null) ?? [])
  .flatMap(({ apiGroups: [group], resources, verbs }) =>
    resources.flatMap((it) => verbs.map((verb) => `${verb} ${group}/${it}`)),
  );

const rightOn = (kind: string, verb: string): string => {
  const { group, resource } = kubernetesKind(kind)!;
  return verb === 'evict' ? `create ${group}/${resource}/eviction` : `${verb} ${group}/${resource}`;
};

const onObjects = EXECUTOR_ACTIONS.flatMap((it) =>
  it.verb === null ? [] : [{ ...it, verb: it.verb }],
);

test.each(onObjects)('$id has its right where a rule proposes it, and else none', (action) => {
  const granted = action.kinds.filter((it) => RIGHTS.includes(rightOn(it, action.verb)));
  expect(granted).toEqual(action.unproposed === undefined ? action.kinds : []);
});

test('a rule has an entry for each API group, and none where nothing needs it', () => {
  const said = roleRule({ comment: 'x', verb: 'patch', kinds: ['IP', 'Pod', 'Vip'] });
  expect(parse(`rules:\n${said}`)).toEqual({
    rules: [
      { apiGroups: ['kubeovn.io'], resources: ['ips', 'vips'], verbs: ['patch'] },
      { apiGroups: [''], resources: ['pods'], verbs: ['patch'] },
    ],
  });
  expect(roleRule({ comment: 'x', verb: 'patch', kinds: [] })).toBe('');
});
