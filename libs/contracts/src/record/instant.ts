import { z } from 'zod';

/**
 * A moment as text, RFC 3339 in UTC. Parsing accepts any text: only the JSON Schema states the
 * format, and a reader that needs the time refuses what is none.
 */
export const Instant = z.string().meta({ format: 'date-time' });
