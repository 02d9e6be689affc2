import Ajv2020 from 'ajv/dist/2020';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import { ActionRecord, ActionState } from './actions/action';
import { AuditDocument } from './audit';
import { Change } from './changes/change';
import { Control } from './control/control';
import { DeadLetter } from './dead-letters/dead-letter';
import { findingEvent, FindingEvent } from './findings/finding-event';
import { Fact, Finding, FindingState } from './findings/finding';
import { ActionsNotification } from './notifications/actions-notification';
import { Notification } from './notifications/notification';
import { jsonSchemas } from './schemas';
import { SourceStatus } from './status/source-status';
import { Undo } from './actions/undo';

const CONTRACTS = join(__dirname, '../../../contracts');
const read = (path: string): unknown => JSON.parse(readFileSync(join(CONTRACTS, path), 'utf8'));

const ajv = new Ajv2020({
  strict: true,
  allowUnionTypes: true,
  allErrors: true,
  formats: { 'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/ },
});
const committed = readdirSync(join(CONTRACTS, 'schemas')).sort();
const checks = new Map(
  committed.map((file) => [
    file.replace('.schema.json', ''),
    ajv.compile(read(`schemas/${file}`) as object),
  ]),
);
const inCode = new Map<string, z.ZodType>([
  ['change.v1', Change],
  ['finding.v1', Finding],
  ['finding-event.v1', FindingEvent],
  ['audit.v1', AuditDocument],
  ['dead-letter.v1', DeadLetter],
  ['action.v1', ActionRecord],
  ['control.v1', Control],
  ['notification.v1', Notification],
  ['actions-notification.v1', ActionsNotification],
  ['status.v1', SourceStatus],
]);

interface Sample {
  readonly file: string;
  readonly contract: string;
  readonly document: Record<string, unknown>;
}

/** A sample is named after its contract: `finding.v1.confirmed.json`. */
const samplesIn = (folder: string): Sample[] =>
  readdirSync(join(CONTRACTS, folder))
    .sort()
    .map((file) => ({
      file,
      contract: file.split('.').slice(0, 2).join('.'),
      document: read(`${folder}/${file}`) as Record<string, unknown>,
    }));
const samples = samplesIn('examples');
/** Those of every release, each with the release before its name. */
const released = readdirSync(join(CONTRACTS, 'released')).flatMap((version) =>
  samplesIn(`released/${version}/examples`).map((it) => ({ ...it, file: `${version} ${it.file}` })),
);
const accepts = (contract: string, document: unknown): boolean =>
  checks.get(contract)?.(document) ?? false;

/** Every mapping of a document changed, the innermost first. */
const everywhere = (
  value: unknown,
  change: (mapping: Record<string, unknown>) => Record<string, unknown>,
): unknown => {
  if (Array.isArray(value)) return value.map((it) => everywhere(it, change));
  if (typeof value !== 'object' || value === null) return value;
  return change(
    Object.fromEntries(Object.entries(value).map(([key, it]) => [key, everywhere(it, change)])),
  );
};

describe('the published schemas', () => {
  it('are what the code says; after a change run `npm run generate`', () => {
    expect(committed).toEqual(
      jsonSchemas()
        .map(({ file }) => file)
        .sort(),
    );
    for (const { file, schema } of jsonSchemas())
      expect(read(`schemas/${file}`)).toEqual(JSON.parse(JSON.stringify(schema)));
  });

  it.each([...samples, ...released])(
    'accept the golden sample $file, as the code does',
    ({ contract, document }) => {
      expect([contract, checks.get(contract)?.(document), checks.get(contract)?.errors]).toEqual([
        contract,
        true,
        null,
      ]);
      expect(inCode.get(contract)?.parse(document)).toEqual(document);
    },
  );

  it('have samples of every change, fact, state, decision and way to undo', () => {
    const changes = samples
      .filter(({ contract }) => contract === 'change.v1')
      .map(({ document }) => document['type']);
    expect(new Set(changes)).toEqual(new Set(Change.options.map((it) => it.shape.type.value)));
    const findings = samples
      .filter(({ contract }) => contract === 'finding.v1')
      .map(({ document }) => Finding.parse(document));
    expect(new Set(findings.flatMap(({ proof }) => proof.map(({ fact }) => fact)))).toEqual(
      new Set(Fact.options.map((it) => it.shape.fact.value)),
    );
    expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(FindingState.options));
    const actions = samples
      .filter(({ contract }) => contract === 'action.v1')
      .map(({ document }) => ActionRecord.parse(document));
    expect(new Set(actions.map(({ state }) => state))).toEqual(new Set(ActionState.options));
    expect(new Set(actions.flatMap(({ undo }) => (undo === null ? [] : [undo.of])))).toEqual(
      new Set(Undo.options.map((it) => it.shape.of.value)),
    );
    const decisions = samples
      .filter(({ contract }) => contract === 'control.v1')
      .map(({ document }) => document['type']);
    expect(new Set(decisions)).toEqual(new Set(Control.options.map((it) => it.shape.type.value)));
    expect(new Set(samples.map(({ contract }) => contract))).toEqual(new Set(checks.keys()));
  });

  it('have event samples that are what the analyzer would send', () => {
    const events = samples
      .filter(({ contract }) => contract === 'finding-event.v1')
      .map(({ document }) => FindingEvent.parse(document));
    expect(events.map(({ data }) => findingEvent(data))).toEqual(events);
  });

  it.each(samples)('stay open to what later versions add: $file', ({ contract, document }) => {
    // a mapping of nothing but numbers is a table of counts, not a place for new properties
    const grown = everywhere(document, (mapping) =>
      Object.values(mapping).every((it) => typeof it === 'number')
        ? mapping
        : { ...mapping, addedLater: { deep: [1] } },
    );
    expect(accepts(contract, grown)).toBe(true);
  });

  it('take enum values, facts and changes of a later version', () => {
    const finding = read('examples/finding.v1.confirmed.json') as Finding;
    expect(
      accepts('finding.v1', {
        ...finding,
        class: 'novelty',
        severity: 'fatal',
        subject: { ...finding.subject, source: 'ovn-ic' },
        proof: [...finding.proof, { fact: 'quorum', members: 3 }],
      }),
    ).toBe(true);
    expect(accepts('change.v1', { type: 'compacted', whatever: true })).toBe(true);
    const action = read('examples/action.v1.claimed.json') as ActionRecord;
    expect(
      accepts('action.v1', {
        ...action,
        state: 'rehearsed',
        mode: 'rehearse',
        code: 'anything',
        undo: { of: 'snapshot', at: 'x' },
      }),
    ).toBe(true);
    expect(accepts('control.v1', { type: 'limit', whatever: true })).toBe(true);
  });

  it.each(readdirSync(join(CONTRACTS, 'later-versions')))(
    'take what a later v1 may say: %s',
    (file) => {
      const contract = file.split('.').slice(0, 2).join('.');
      expect([file, accepts(contract, read(`later-versions/${file}`))]).toEqual([file, true]);
    },
  );

  it('still demand what v1 promises', () => {
    const finding = read('examples/finding.v1.confirmed.json') as Finding;
    // What was added since is optional: findings from before it have none.
    const added = new Set(['scope', 'cause']);
    for (const key of Object.keys(finding).filter((it) => !added.has(it)))
      expect([
        key,
        accepts(
          'finding.v1',
          Object.fromEntries(Object.entries(finding).filter(([it]) => it !== key)),
        ),
      ]).toEqual([key, false]);
    expect(
      accepts('finding.v1', { ...finding, proof: [{ fact: 'absent', source: 'kubernetes' }] }),
    ).toBe(false);
    expect(accepts('finding.v1', { ...finding, revision: '2' })).toBe(false);
    expect(
      accepts('change.v1', { ...(read('examples/change.v1.delete.json') as object), uid: '' }),
    ).toBe(false);
    expect(
      accepts('finding-event.v1', {
        ...(read('examples/finding-event.v1.confirmed.json') as object),
        type: 'dev.ovn-steward.finding.v2',
      }),
    ).toBe(false);
    const action = read('examples/action.v1.claimed.json') as ActionRecord;
    for (const key of Object.keys(action).filter((it) => it !== 'identity'))
      expect([
        key,
        accepts(
          'action.v1',
          Object.fromEntries(Object.entries(action).filter(([it]) => it !== key)),
        ),
      ]).toEqual([key, false]);
    expect(accepts('action.v1', { ...action, undo: { of: 'rows', rows: [] } })).toBe(false);
    expect(
      accepts('control.v1', { ...(read('examples/control.v1.hold.json') as object), cluster: '' }),
    ).toBe(false);
    expect(
      accepts('audit.v1', { ...(read('examples/audit.v1.findings.json') as object), version: 2 }),
    ).toBe(false);
  });
});
