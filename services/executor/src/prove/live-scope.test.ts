import type { Entity } from '@ovn-steward/judgement/world/entity';
import { DEFAULT_VPC } from '@ovn-steward/shared/default-vpc';
import { QueryingWorld } from './querying-world';
import { scopeIn } from './live-scope';
import { found } from './question';

/** The entity, with what else is there; all that is asked for is answered. */
function scopeOf(subject: Entity, others: readonly Entity[] = []): ReturnType<typeof scopeIn> {
  const world = new QueryingWorld();
  for (;;) {
    world.begin();
    const scope = scopeIn(world, subject);
    const open = world.open();
    if (open.length === 0) return scope;
    for (const question of open)
      world.answer(
        question,
        found(
          others.filter(
            (entity) =>
              (question.ask === 'key' &&
                entity.kind === question.kind &&
                entity.name === question.key) ||
              (question.ask === 'uid' &&
                entity.kind === question.kind &&
                entity.uid === question.uid),
          ),
        ),
      );
  }
}
const subnet = (name: string, vpc: string | undefined): Entity =>
  ({ source: 'kubernetes', kind: 'Subnet', uid: name, name, object: { spec: { vpc } } }) as never;
const ip = (spec: object): Entity =>
  ({ source: 'kubernetes', kind: 'IP', uid: 'ip', name: 'ip', object: { spec } }) as never;

test('it lies in the VPC of its subnet', () =>
  expect(scopeOf(ip({ subnet: 'apps' }), [subnet('apps', 'blue')])).toEqual({
    subnet: 'apps',
    vpc: 'blue',
  }));

test.each([undefined, ''])('which is the default VPC where the subnet says %j', (vpc) =>
  expect(scopeOf(ip({ subnet: 'apps' }), [subnet('apps', vpc)])).toEqual({
    subnet: 'apps',
    vpc: DEFAULT_VPC,
  }),
);

test('where the subnet is gone nobody can say', () =>
  expect(scopeOf(ip({ subnet: 'apps' }))).toEqual({ subnet: 'apps', vpc: null }));

test('a proof does not rest on what the subnet says', () => {
  const world = new QueryingWorld();
  world.answer({ ask: 'key', kind: 'Subnet', key: 'apps' }, found([subnet('apps', 'blue')]));
  world.begin();
  scopeIn(world, ip({ subnet: 'apps' }));
  expect(world.answered().map(({ contents }) => contents)).toEqual([false]);
});

describe('a row', () => {
  const row = (parents: readonly object[], externalIds: object = {}): Entity =>
    ({
      source: 'ovn-nb',
      kind: 'Logical_Router_Static_Route',
      uid: 'route',
      name: '',
      object: { external_ids: externalIds, _parents: parents },
    }) as never;
  const router = (uid: string): Entity =>
    ({ source: 'ovn-nb', kind: 'Logical_Router', uid, name: `vpc-${uid}`, object: {} }) as never;
  const heldBy = (uid: string, kind = 'Logical_Router'): object => ({ kind, uid });

  test('lies in the VPC of the one router that holds it', () =>
    expect(scopeOf(row([heldBy('a')]), [router('a')])).toEqual({ subnet: null, vpc: 'vpc-a' }));

  test('but of two routers nobody can say which', () =>
    expect(scopeOf(row([heldBy('a'), heldBy('b')]), [router('a'), router('b')])).toEqual({
      subnet: null,
      vpc: null,
    }));

  test('nor where what holds it is no router', () =>
    expect(scopeOf(row([heldBy('a', 'Logical_Switch')]), [router('a')])).toEqual({
      subnet: null,
      vpc: null,
    }));
});

test('what names its VPC itself lies there, whatever holds it', () =>
  expect(
    scopeOf({
      source: 'ovn-nb',
      kind: 'Logical_Router',
      uid: 'r',
      name: 'blue',
      object: { name: 'blue' },
    } as never),
  ).toEqual({ subnet: null, vpc: 'blue' }));
