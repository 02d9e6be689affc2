import { startApp, type TestedApp } from '@ovn-steward/service/testing/http-app';
import { type StateFile, openStateFile } from '@ovn-steward/shared/log/state-file';
import { Ledger } from '../ledger/ledger';
import { action } from '../testing/actions';
import { ActionRecord } from '@ovn-steward/contracts/actions/action';
import { ActionsController, ActionsPage, LEDGER } from './actions.controller';

const RECORDS = [
  action('a'),
  action('b', { state: 'done', plan: 'plan-1' }),
  action('c', { state: 'deferred', undo: null }),
  action('d', { cluster: 'athens', state: 'refused', undo: null }),
];
let file: StateFile;
let ledger: Ledger | undefined;
let app: TestedApp;
const withLedger = (opened: () => Ledger | undefined): Promise<TestedApp> =>
  startApp({
    controllers: [ActionsController],
    providers: [{ provide: LEDGER, useValue: opened }],
  });
beforeAll(async () => {
  (ledger = new Ledger((file = openStateFile(':memory:')))).write(RECORDS);
  app = await withLedger(() => ledger);
});
afterAll(async () => {
  await app.close();
  file.close();
});
const page = async (query: Readonly<Record<string, string | number>>): Promise<ActionsPage> =>
  ActionsPage.parse((await app.ask('/actions', query)).body);
const ports = ({ actions }: ActionsPage): string[] => actions.map((it) => it.target.name).sort();

test('pages of any size are all actions, each once, in the order of their ids', async () => {
  const ids = RECORDS.map((it) => it.id).sort();
  for (const limit of [1, 3, 4, 100]) {
    const seen: string[] = [];
    for (let after: string | undefined; seen.length <= 4;) {
      const actionsPage: ActionsPage = await page({
        limit,
        ...(after === undefined ? {} : { after }),
      });
      expect(actionsPage.total).toBe(4);
      seen.push(...actionsPage.actions.map(({ id }) => id));
      if (actionsPage.next === null) break;
      after = actionsPage.next;
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
  expect((await app.ask('/actions', { state: 'gone' })).status).toBe(400);
  expect((await app.ask('/actions', { limit: 0 })).status).toBe(400);
});

test('a list says whether there is something to undo; one action says what', async () => {
  const { actions } = await page({});
  expect(actions.filter((it) => it.undoable).map((it) => it.target.name)).toEqual(['b']);
  expect(actions.every((it) => !Object.hasOwn(it, 'undo') && !Object.hasOwn(it, 'proof'))).toBe(
    true,
  );
  const answer = await app.ask(`/actions/${RECORDS[1]!.id}`);
  expect([answer.status, ActionRecord.parse(answer.body)]).toEqual([200, RECORDS[1]]);
  expect((await app.ask('/actions/constructor')).status).toBe(404);
});

test('without a memory it says so', async () => {
  const closed = await withLedger(() => undefined);
  const answers = await Promise.all([closed.ask('/actions'), closed.ask('/actions/x')]);
  await closed.close();
  expect(answers.map(({ status }) => status)).toEqual([503, 503]);
});

test('they are described whole', () => {
  expect(JSON.stringify(app.document)).toContain('"#/components/schemas/Undo"');
});
