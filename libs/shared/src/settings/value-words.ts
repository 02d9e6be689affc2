import type { z } from 'zod';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['array', 'a list'],
  ['boolean', 'true or false'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
  ['string', 'a text'],
]);

/**
 * What a setting takes instead, for a person, where its schema has no words of its own for it;
 * undefined leaves it to zod's.
 */
export function wordsOfValue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = TYPES.get(issue.expected);
      return wanted && `write ${wanted}`;
    }
    case 'invalid_value':
      return `write ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`;
    case 'too_small':
      return bound(issue.origin, Number(issue.minimum), issue.inclusive !== false, 'least');
    case 'too_big':
      return bound(issue.origin, Number(issue.maximum), issue.inclusive !== false, 'most');
    default:
      return undefined;
  }
}

function bound(of: string, limit: number, inclusive: boolean, side: 'least' | 'most'): string {
  const counted = of === 'string' ? ' characters' : of === 'array' ? ' entries' : '';
  if (counted !== '' && side === 'least' && limit === 1) return 'it must not be empty';
  if (inclusive) return `it must be at ${side} ${limit}${counted}`;
  return `it must be ${side === 'least' ? 'more' : 'less'} than ${limit}${counted}`;
}
