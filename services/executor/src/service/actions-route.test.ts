import { ask } from '@ovn-steward/service/http/ask';
import { openApiDocument } from '@ovn-steward/service/http/openapi';
import { type ExecutorFile, openExecutorFile } from '../store/executor-file';
import { Ledger } from '../ledger/ledger';
import { action } from '../testing/actions';
import { Action } from '@ovn-steward/contracts/actions/action';
import { ACTIONS_SCHEMAS, ActionsPage, actionsRoutes } from './actions-route';

const RECORDS = [
  action('a'),
  action('b', { state: 'done', plan: 'plan-1' }),
  action('c', { state: 'deferred', undo: null }),
  action('d', { cluster: 'athens', state: 'refused', undo: null }),
];
let file: ExecutorFile;
let ledger: Ledger | undefined;
beforeAll(() => (ledger = new Ledger((file = openExecutorFile(':memory:')))).write(RECORDS));
afterAll(() => file.close());
const [list, one] = actionsRoutes(() => ledger);
const page = async (query: object): Promise<ActionsPage> =>
  ActionsPage.parse((await ask(list!, query)).body);
const ports = ({ actions }: ActionsPage): string[] => actions.map((it) => it.target.name).sort();

test('pages of any size are all actions, each once, in the order of their ids', async () => {
  const ids = RECORDS.map((it) => it.id).sort();
  for (const limit of [1, 3, 4, 100]) {
    const seen: string[] = [];
    for (let after: string | undefined; seen.length <= 4;) {
      const it: ActionsPage = await page({ limit, ...(after === undefined ? {} : { after }) });
      expect(it.total).toBe(4);
      seen.push(...it.actions.map(({ id }) => id));
      if (it.next === null) break;
      after = it.next;
    }
    expect(seen).toEqual(ids);
  }
});

test('only what is asked for', async () => {
  expect(
    await Promise.all(
      [
        { cluster: 'athens' },
        { state: 'done' },
        { plan: 'plan-1' },
        { rule: 'leaked-ip' },
        { subject: 'uid-a' },
        { state: 'claimed', cluster: 'athens' },
      ].map(async (it) => ports(await page(it))),
    ),
  ).toEqual([['d'], ['b'], ['b'], [], ['a'], []]);
  expect((await ask(list!, { state: 'gone' })).status).toBe(400);
  expect((await ask(list!, { limit: 0 })).status).toBe(400);
});

test('a list says whether there is something to undo; one action says what', async () => {
  const { actions } = await page({});
  expect(actions.filter((it) => it.undoable).map((it) => it.target.name)).toEqual(['b']);
  expect(actions.every((it) => !Object.hasOwn(it, 'undo') && !Object.hasOwn(it, 'proof'))).toBe(
    true,
  );
  const answer = await ask(one!, undefined, { id: RECORDS[1]!.id });
  expect([answer.status, Action.parse(answer.body)]).toEqual([200, RECORDS[1]]);
  expect((await ask(one!, undefined, { id: 'constructor' })).status).toBe(404);
});

test('without a memory it says so', async () => {
  const closed = actionsRoutes(() => undefined);
  expect(
    await Promise.all(
      [ask(closed[0]!, {}), ask(closed[1]!, undefined, { id: 'x' })].map(
        async (it) => (await it).status,
      ),
    ),
  ).toEqual([503, 503]);
});

test('they are described whole', () => {
  expect(
    JSON.stringify(
      openApiDocument({
        title: 't',
        version: '1',
        description: 'd',
        routes: actionsRoutes(() => undefined),
        schemas: ACTIONS_SCHEMAS,
      }),
    ),
  ).toContain('"#/components/schemas/Undo"');
});
