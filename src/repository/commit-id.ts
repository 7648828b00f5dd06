import { z } from 'zod';

/** A commit's whole id, read from a stored file: it becomes a word of a command. */
export const commitIdSchema = z.string().regex(/^[0-9a-f]{40,64}$/);
