import { authorizationsIn } from './authorizations';

const line = (user: string, outcome: string, operation: string, resource: string): string =>
  `[data-plane-kafka-request-handler-0] DEBUG kafka.authorizer.logger - Principal = User:${user} is ${outcome} operation = ${operation} from host = 127.0.0.1 on resource = ${resource} for request = Fetch with resourceRefCount = 1 based on rule MatchingAcl(acl=x)\n`;

test('each thing a user was allowed to do is found once', () => {
  const log = [
    line('analyzer', 'Allowed', 'READ', 'Topic:LITERAL:steward.changes.v1'),
    line('analyzer', 'Allowed', 'READ', 'Topic:LITERAL:steward.changes.v1'),
    line('analyzer', 'Allowed', 'READ', 'Group:LITERAL:steward-analyzer'),
    'INFO something else\n',
  ].join('');
  expect(authorizationsIn(log)).toEqual([
    { user: 'analyzer', resource: 'topic', name: 'steward.changes.v1', operation: 'READ' },
    { user: 'analyzer', resource: 'group', name: 'steward-analyzer', operation: 'READ' },
  ]);
});

test('what was denied, and what is of no kind that is known, is not', () => {
  expect(
    authorizationsIn(
      line('analyzer', 'Denied', 'WRITE', 'Topic:LITERAL:steward.actions.v1') +
        line('analyzer', 'Allowed', 'WRITE', 'DelegationToken:LITERAL:x'),
    ),
  ).toEqual([]);
});
