import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';

/** Whether a value is a CloudEvent 1.0, by the schema of its specification. */
export const isCloudEvent = new Ajv({
  strict: false,
  formats: {
    uri: (it) => URL.canParse(it),
    'uri-reference': (it) => /^[!-~]+$/.test(it),
    'date-time': (it) => !Number.isNaN(Date.parse(it)),
  },
}).compile(
  JSON.parse(readFileSync(join(__dirname, 'cloudevents-1.0-schema.json'), 'utf8')) as object,
);
