import { object } from '../testing/builders';
import { testRule } from '../testing/test-rule';
import { world } from '../testing/world-builder';
import rule from './ovn-eip-change-ignored';

const eip = (name = 'new', address = '198.51.100.10', metadata = {}) =>
  object('OvnEip', name, {
    metadata,
    spec: { externalSubnet: 'external', type: 'nat' },
    status: address === '' ? {} : { v4Ip: address, type: 'nat' },
  });
const old = eip('old', '198.51.100.9');
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };
const using = (
  kind: 'OvnFip' | 'OvnSnatRule' | 'OvnDnatRule',
  status: Record<string, unknown> = {},
  metadata = {},
) =>
  object(kind, 'web', {
    metadata,
    spec: { ovnEip: 'new' },
    status: { ready: true, v4Eip: '198.51.100.9', ...status },
  });
const keeps = (...rules: string[]) =>
  `OvnEip new has 198.51.100.10, and ${rules.map((it) => `${it}, which names it, keeps 198.51.100.9`).join('; ')}`;

testRule(rule, {
  healthy: {
    'nobody names it': world(eip()),
    'the rule has its address': world(eip(), using('OvnFip', { v4Eip: '198.51.100.10' })),
    'the rule is not ready, so that it still gets the address': world(
      eip(),
      using('OvnFip', { ready: false }),
    ),
    'the rule was just made': world(eip(), object('OvnFip', 'web', { spec: { ovnEip: 'new' } })),
    'the rule is being deleted': world(eip(), using('OvnFip', {}, GOING)),
    'it is being deleted': world(eip('new', '198.51.100.10', GOING), using('OvnFip')),
    'it has no address yet': world(eip('new', ''), using('OvnFip')),
    'another rule that has its address names another one': world(
      eip(),
      old,
      object('OvnDnatRule', 'ssh', {
        spec: { ovnEip: 'old' },
        status: { ready: true, v4Eip: '198.51.100.9' },
      }),
    ),
    'one address is written in two ways': world(
      object('OvnEip', 'new', { status: { v6Ip: '2001:DB8:0::1', type: 'nat' } }),
      using('OvnFip', { v4Eip: '', v6Eip: '2001:db8::1' }),
    ),
  },
  violation: {
    'a floating IP was changed to name it': {
      given: world(eip(), old, using('OvnFip')),
      summary: keeps('OvnFip web'),
      concerns: ['web'],
      noRemedy: true,
    },
    'rules of two kinds were': {
      given: world(eip(), old, using('OvnSnatRule'), using('OvnDnatRule')),
      summary: keeps('OvnDnatRule web', 'OvnSnatRule web'),
      noRemedy: true,
    },
    'the former one no longer exists': {
      given: world(eip(), using('OvnFip')),
      summary: keeps('OvnFip web'),
    },
  },
});
