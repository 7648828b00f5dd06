import { z } from 'zod';

export const commitIdPattern = /^[0-9a-f]{40,64}$/;

/** A full commit id. Stored files are untrusted, and the id becomes an argument of git. */
export const commitIdSchema = z.string().regex(commitIdPattern);
