import type { Fact } from '@ovn-steward/contracts/findings/finding';
import { referrersByUid } from '../relations/referrers-by-uid';
import type { World } from '../world/world';

/** What is wrong with a proof, fact by fact; nothing when each is true of that world. */
export const untrue = (proof: readonly Fact[], world: World): string[] =>
  proof.flatMap((it) => problem(it, world) ?? []);

function problem(fact: Fact, world: World): string | undefined {
  switch (fact.fact) {
    case 'absent':
      return world.byKey(fact.kind, fact.key).length === 0
        ? undefined
        : `${fact.kind} ${fact.key} is not absent`;
    case 'present':
    case 'unchanged': {
      const found = world.entity(fact.subject.kind, fact.subject.uid);
      if (!found) return `${fact.subject.kind} ${fact.subject.uid} is not there`;
      return fact.fact === 'present' || fact.digest === found.hash
        ? undefined
        : `${fact.subject.kind} ${fact.subject.uid} says something else`;
    }
    case 'value': {
      const found = world.entity(fact.subject.kind, fact.subject.uid);
      // A path with a space is a figure we counted, named for a person.
      if (fact.path.includes(' ') && !fact.path.includes('[')) return undefined;
      const is = found && textOf(valueAt(found.object, fact.path));
      return is === fact.value
        ? undefined
        : `${fact.subject.kind} ${fact.subject.name} has ${fact.path} = ${is}, not ${fact.value}`;
    }
    case 'unreferenced': {
      const [referrer] = world.related(referrersByUid.id, fact.subject.uid);
      return referrer && `${referrer.kind} ${referrer.uid} refers to ${fact.subject.uid}`;
    }
    case 'unclaimed':
      return claimed(fact, world);
  }
}

/** A field of its own can be read here; what is put together of several cannot. */
function claimed(
  { kind, path, value }: Extract<Fact, { fact: 'unclaimed' }>,
  world: World,
): string | undefined {
  if (path.includes(' ')) return undefined;
  const claimant = [...world.entities(kind)].find(
    ({ object }) => value === 'any' || textOf(valueAt(object, path)) === value,
  );
  return claimant && `${kind} ${claimant.name} has ${path} = ${value}`;
}

/** `spec.vlan`, `vips[10.0.0.1:80]`, `metadata.annotations[ovn.kubernetes.io/logical_switch]`. */
function valueAt(object: unknown, path: string): unknown {
  const [, fields = '', key] = /^([^[]+)(?:\[(.*)\])?$/s.exec(path) ?? [];
  const steps = [...fields.split('.'), ...(key === undefined ? [] : [key])];
  return steps.reduce<unknown>(
    (at, step) =>
      typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[step] : undefined,
    object,
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
