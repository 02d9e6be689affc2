import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const ours = mkdtempSync(join(tmpdir(), 'contracts-'));
afterAll(() => rmSync(ours, { recursive: true }));
beforeEach(() => cpSync(join(ROOT, 'contracts'), ours, { recursive: true, force: true }));

const { compareContracts } = createRequire(__filename)('./compare.cjs') as {
  compareContracts(before: object, after: object): string[];
};
const { readContracts } = createRequire(__filename)('./contracts.cjs') as {
  readContracts(folder: string): object;
};
const released = readContracts(join(ROOT, 'contracts/released/0.1.0'));
const broken = (): string => compareContracts(released, readContracts(ours)).join('\n');

test('a schema is compiled once, however often it is compared', () => {
  broken();
  const { prototype } = createRequire(__filename)('ajv/dist/2020').default;
  const compile = jest.spyOn(prototype, 'compile');
  try {
    broken();
    expect(compile).not.toHaveBeenCalled();
  } finally {
    compile.mockRestore();
  }
});

/** The command itself, as CI runs it. */
const run = (): { status: number | null; stdout: string } =>
  spawnSync(process.execPath, [join(__dirname, 'run.cjs'), '--contracts', ours], {
    encoding: 'utf8',
  });

interface Json {
  [name: string]: Json;
}
/** @throws Error where nothing lies there: then the case plants nothing. */
const at = (document: Json, ...path: readonly string[]): Json =>
  path.reduce((holder, name) => {
    const next = holder[name];
    if (next === undefined) throw new Error(`nothing is called ${name} in ${path.join('.')}`);
    return next;
  }, document);
/** Changes one file of today's contracts; what was released stays. */
function change(file: string, how: (document: Json) => void): void {
  const path = join(ours, file);
  const document = JSON.parse(readFileSync(path, 'utf8')) as Json;
  how(document);
  writeFileSync(path, JSON.stringify(document));
}

/** Takes out what lies at a path, whose steps are names. */
const without =
  (...path: readonly string[]) =>
  (document: Json): void => {
    delete at(document, ...path.slice(0, -1))[path.at(-1)!];
  };
/** Puts something else at a path. */
const replaced =
  (value: unknown, ...path: readonly string[]) =>
  (document: Json): void => {
    (at(document, ...path.slice(0, -1)) as Record<string, unknown>)[path.at(-1)!] = value;
  };

const KAFKA = ['channels', 'steward.findings.v1', 'bindings', 'kafka'];
const FINDING = ['$defs', 'Finding'];
const MESSAGE = ['components', 'messages', 'finding'];

/** A break of each kind: the file, what is done to it, and what must be said. */
const PLANTED: readonly (readonly [string, string, (document: Json) => void, string])[] = [
  [
    'a field of a document',
    'schemas/finding.v1.schema.json',
    without(...FINDING, 'properties', 'scope'),
    'scope: is no longer there',
  ],
  [
    'a type',
    'schemas/finding.v1.schema.json',
    replaced('string', ...FINDING, 'properties', 'revision', 'type'),
    'revision: may now be string, was integer',
  ],
  [
    'what is demanded',
    'schemas/control.v1.schema.json',
    replaced(['cluster', 'signature'], '$defs', 'ClusterIdentity', 'required'),
    'signature: is demanded now',
  ],
  [
    'a word',
    'schemas/finding.v1.schema.json',
    replaced(['garbage'], ...FINDING, 'properties', 'class', 'examples'),
    'class: no longer knows the word "leak"',
  ],
  [
    'a topic',
    'asyncapi.json',
    without('channels', 'steward.actions.v1'),
    'topic steward.actions.v1: is no longer there',
  ],
  [
    'the name of a topic',
    'asyncapi.json',
    replaced('steward.found.v1', 'channels', 'steward.findings.v1', 'address'),
    'is called steward.found.v1',
  ],
  [
    'the partitions',
    'asyncapi.json',
    replaced(24, ...KAFKA, 'partitions'),
    'has 24 partitions, had 12',
  ],
  [
    'a setting of a topic',
    'asyncapi.json',
    replaced(['delete'], ...KAFKA, 'topicConfiguration', 'cleanup.policy'),
    'has another cleanup.policy',
  ],
  [
    'a message',
    'asyncapi.json',
    without('channels', 'steward.findings.v1', 'messages', 'findingTombstone'),
    'no longer holds findingTombstone',
  ],
  [
    'a header',
    'asyncapi.json',
    without(...MESSAGE, 'headers', 'properties', 'changes'),
    'header changes: is no longer there',
  ],
  [
    'a content type',
    'asyncapi.json',
    replaced('text/plain', ...MESSAGE, 'contentType'),
    'has another content type',
  ],
  [
    'a key',
    'asyncapi.json',
    replaced('The rule.', ...MESSAGE, 'bindings', 'kafka', 'key', 'description'),
    'has another key',
  ],
  ['a value', 'asyncapi.json', replaced({}, ...MESSAGE, 'payload'), 'has another kind of value'],
  [
    'a route',
    'openapi/analyzer.json',
    without('paths', '/findings/{id}'),
    'GET /findings/{id}: is no longer there',
  ],
  [
    'a parameter',
    'openapi/analyzer.json',
    replaced([], 'paths', '/findings', 'get', 'parameters'),
    'query parameter state: is no longer there',
  ],
  [
    'a parameter that is demanded',
    'openapi.json',
    replaced(true, 'paths', '/findings', 'get', 'parameters', '0', 'required'),
    'is demanded now',
  ],
  [
    'an answer',
    'openapi/analyzer.json',
    without('paths', '/findings/{id}', 'get', 'responses', '404'),
    'no longer answers 404',
  ],
  [
    'a field of an answer',
    'openapi.json',
    without('components', 'schemas', 'FindingsPage', 'properties', 'total'),
    'total: is no longer there',
  ],
  [
    'an exit code',
    'promises.json',
    replaced(4, 'exitCodes', 'couldNotKnow'),
    'exit code couldNotKnow: is 4, was 3',
  ],
  [
    'a metric',
    'promises.json',
    without('metrics', 'analyzer', 'steward_ready'),
    'metric steward_ready of analyzer: is no longer there',
  ],
  [
    'the type of a metric',
    'promises.json',
    replaced('counter', 'metrics', 'collector', 'steward_ready', 'type'),
    'is a counter, was a gauge',
  ],
  [
    'a label',
    'promises.json',
    replaced(['pod'], 'metrics', 'executor', 'steward_ready', 'labels'),
    'has the labels pod, had ',
  ],
  ['a setting', 'promises.json', replaced([], 'settings'), 'setting cluster: is no longer there'],
  ['a code', 'promises.json', replaced([], 'actionCodes'), 'action code'],
  [
    'what a golden sample says',
    'examples/finding.v1.confirmed.json',
    replaced('other', 'owner', 'owner'),
    'no longer says what it said',
  ],
  [
    'a document that a reader of before refuses',
    'examples/finding.v1.resolved.json',
    replaced('2', 'revision'),
    'a reader of before refuses what is written now: /revision must be integer',
  ],
];

describe('npm run compatibility', () => {
  it('ends with 0 as it stands, and with 1 where something is broken', () => {
    expect(run()).toMatchObject({ status: 0, stdout: 'Nothing breaks who relied on 0.1.0.\n' });
    change('promises.json', without('exitCodes', 'findings'));
    const { status, stdout } = run();
    expect(stdout).toContain('since 0.1.0: promises.json: exit code findings: is none, was 2');
    expect(status).toBe(1);
  });

  it('ends with 1 where no release is kept to compare with', () => {
    rmSync(join(ours, 'released'), { recursive: true });
    expect(run().status).toBe(1);
  });

  it.each(PLANTED)('refuses a change of %s', (_, file, how, said) => {
    change(file, how);
    expect(broken()).toContain(said);
  });

  it('refuses that a schema, or what HTTP answers, is no longer published', () => {
    rmSync(join(ours, 'schemas/audit.v1.schema.json'));
    rmSync(join(ours, 'openapi/executor.json'));
    expect(broken()).toContain('schemas/audit.v1.schema.json: is no longer there');
    expect(broken()).toContain('http/openapi/executor.json: is no longer there');
  });

  it('takes a field, a word, a header, a topic, a route and a metric more', () => {
    change('schemas/finding.v1.schema.json', (document) => {
      replaced({ type: 'string' }, ...FINDING, 'properties', 'added')(document);
      (at(document, ...FINDING, 'properties', 'severity', 'examples') as unknown as string[]).push(
        'fatal',
      );
    });
    change('asyncapi.json', (document) => {
      replaced({ type: 'string' }, ...MESSAGE, 'headers', 'properties', 'added')(document);
      replaced(
        at(document, 'channels', 'steward.findings.v1'),
        'channels',
        'steward.more.v1',
      )(document);
    });
    change('openapi.json', (it) => replaced(at(it, 'paths', '/livez'), 'paths', '/more')(it));
    change(
      'promises.json',
      replaced({ type: 'gauge', labels: [] }, 'metrics', 'analyzer', 'steward_more'),
    );
    expect(broken()).toBe('');
  });
});
