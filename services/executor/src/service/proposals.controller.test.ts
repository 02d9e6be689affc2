import { startApp, type TestedApp } from '@ovn-steward/service/testing/http-app';
import type { Proposal } from '../findings/proposal';
import type { ProposalFilter } from '../store/executor-store';
import {
  ProposalsController,
  type ProposalsPage,
  PROPOSING,
  type Proposing,
} from './proposals.controller';

const PROPOSALS = ['d', 'a', 'c', 'b'].map(
  (id) => ({ id, rule: id < 'c' ? 'leaked-ip' : 'leaked-vip' }) as Proposal,
);
let requested: ProposalFilter | undefined;
const from: Proposing = {
  reading: () => true,
  proposals: (filter) => {
    requested = filter;
    return PROPOSALS.filter(({ rule }) => filter.rule === undefined || rule === filter.rule);
  },
};
let app: TestedApp;
beforeAll(async () => {
  app = await startApp({
    controllers: [ProposalsController],
    providers: [{ provide: PROPOSING, useValue: from }],
  });
});
afterAll(() => app.close());
const page = async (query: Readonly<Record<string, string | number>>): Promise<ProposalsPage> =>
  (await app.ask('/proposals', query)).body as ProposalsPage;

test('pages of any size are all proposals, each once, in the order of their ids', async () => {
  for (const limit of [1, 3, 4, 100]) {
    const seen: string[] = [];
    for (let after: string | undefined; seen.length <= 4;) {
      const proposalsPage: ProposalsPage = await page({
        limit,
        ...(after === undefined ? {} : { after }),
      });
      expect(proposalsPage).toMatchObject({ total: 4, reading: true });
      seen.push(...proposalsPage.proposals.map(({ id }) => id));
      if (proposalsPage.next === null) break;
      after = proposalsPage.next;
    }
    expect(seen).toEqual(['a', 'b', 'c', 'd']);
  }
});

test('what is asked for is asked of the store', async () => {
  expect(
    (await page({ rule: 'leaked-ip', cluster: 'berlin' })).proposals.map((it) => it.id),
  ).toEqual(['a', 'b']);
  expect(requested).toEqual({ cluster: 'berlin', rule: 'leaked-ip' });
  expect((await app.ask('/proposals', { limit: 0 })).status).toBe(400);
  expect(await app.ask('/proposals', { rule: 'leaked-ips' })).toMatchObject({
    status: 400,
    body: { message: 'rule: there is no rule "leaked-ips"; did you mean "leaked-ip"?' },
  });
});
