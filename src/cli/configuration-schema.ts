/** The JSON schema of `culprit.json` for editors, from the schemas of its sections. */

import { z } from 'zod';
import { buildersSchema } from '../builds/index.js';
import { triageSchema } from '../history/index.js';
import { solversSchema } from '../solver/index.js';

export function configurationJsonSchema(): object {
  const whole = z.strictObject({
    $schema: z.string().optional(),
    ...solversSchema.shape,
    ...buildersSchema.shape,
    ...triageSchema.shape,
  });
  return { title: 'culprit.json', ...z.toJSONSchema(whole, { io: 'input' }) };
}
