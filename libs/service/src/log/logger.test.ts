import { Failure } from '@ovn-steward/shared/errors';
import type { LoggerOptions } from './logger';
import { createLogger } from './logger';

function logging(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const logger = createLogger({
    service: 'collector',
    cluster: 'berlin',
    level: 'info',
    format: 'json',
    write: (line) => {
      lines.push(line);
    },
    ...options,
  });
  return {
    logger,
    lines,
    parsed: () => lines.map((it) => JSON.parse(it) as Record<string, unknown>),
  };
}

test('a line is one JSON object with level, time, service, cluster and message', () => {
  const { logger, lines, parsed } = logging();
  logger.info('partitions given', { partitions: [1, 2], offset: 12n });
  expect(lines[0]).toMatch(/^\{.*\}\n$/);
  expect(parsed()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: 'collector',
      cluster: 'berlin',
      message: 'partitions given',
      partitions: [1, 2],
      offset: '12',
    },
  ]);
});

test('what is less important than the level is not written', () => {
  const { logger, parsed } = logging({ level: 'warn' });
  for (const level of ['debug', 'info', 'warn', 'error'] as const) logger[level](level);
  expect(parsed().map((it) => it['level'])).toEqual(['warn', 'error']);
});

test('an expected failure is its code and message; anything else also says where', () => {
  const { logger, parsed } = logging();
  logger.error('x', {
    error: new Failure('log-unavailable', 'no broker answers', { cause: new Error('cause') }),
  });
  logger.error('y', { error: new TypeError('not a function') });
  expect(parsed()[0]!['error']).toEqual({ code: 'log-unavailable', message: 'no broker answers' });
  expect(parsed()[1]!['error']).toEqual({
    code: 'TypeError',
    message: 'not a function',
    stack: expect.stringContaining('logger.test'),
  });
});

test.each(['json', 'text'] as const)('a secret is hidden wherever it turns up, as %s', (format) => {
  const { logger, lines } = logging({ format, level: 'debug' });
  const secret = 'p"ss\\w\nörd';
  logger.conceal(secret);
  logger.conceal('');
  const error = Object.assign(new Error(`login with ${secret} failed`), { code: 'EAUTH' });
  logger.error(`refused: ${secret}`, {
    error,
    deep: { list: [`a${secret}b`, { [secret]: secret }] },
    map: new Map([[secret, secret]]),
    set: new Set([secret]),
  });
  logger.debug('%s %j', { fields: secret });
  const all = lines.join('');
  for (const form of [secret, JSON.stringify(secret).slice(1, -1), 'ss\\w', 'örd'])
    expect(all).not.toContain(form);
  expect(all).toContain('refused: ***');
});

test('fields with a secret’s name are hidden unseen', () => {
  const { logger, lines } = logging();
  logger.info('kafka', {
    kafka: { sasl: { username: 'u', password: 'hunter2' }, clientId: 'c' },
    passwordFile: '/run/secret',
    PrivateKey: 'hunter2',
    headers: { Authorization: 'Bearer hunter2' },
    private_key: 'hunter2',
    clientSecret: 'hunter2',
  });
  expect(lines.join('')).not.toContain('hunter2');
  expect(lines.join('')).toContain('"clientId":"c"');
});

test('anything can be logged, and costs a bounded line', () => {
  const { logger, lines } = logging();
  const circle: Record<string, unknown> = {
    buffer: Buffer.alloc(10),
    date: new Date('2026-01-01'),
    no: new Date('x'),
    f: () => 1,
    n: null,
  };
  circle['self'] = circle;
  logger.info('x'.repeat(100_000), {
    circle,
    long: Array.from({ length: 10_000 }, () => 'y'.repeat(10)),
    __proto__: 1,
  });
  expect(lines[0]!.length).toBeLessThan(10_000);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    circle: {
      buffer: '(10 bytes)',
      self: '…',
      date: '2026-01-01T00:00:00.000Z',
      no: null,
      n: null,
    },
  });
});

test('text is for people: time, level, sentence, fields, and nothing a terminal would obey', () => {
  const { logger, lines } = logging({ format: 'text' });
  logger.warn('source\u001b failed', {
    source: 'ovn-nb',
    retryInMs: 500,
    error: new Failure('source-unreachable', 'gone\n'),
  });
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} WARN {2}collector: source\\u001b failed source=ovn-nb retryInMs=500 error=\{"code":"source-unreachable","message":"gone\\n"\}\n$/,
  );
});
