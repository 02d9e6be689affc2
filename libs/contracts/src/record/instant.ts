import { z } from 'zod';

/**
 * A moment as it is written: RFC 3339, UTC. What is no time is for the reader to refuse; schemas
 * say the format.
 */
export const Instant = z.string().meta({ format: 'date-time' });
