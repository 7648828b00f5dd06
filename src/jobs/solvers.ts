import { openRunner } from '../solver/index.js';

export type Solvers = ReturnType<typeof openRunner>;

/** Opens solvers for a job and closes them after it, whatever happens. */
export async function withSolvers<Value>(
  workers: number | undefined,
  job: (runner: Solvers) => Promise<Value>,
): Promise<Value> {
  const runner = openRunner(workers === undefined ? {} : { workers });
  try {
    return await job(runner);
  } finally {
    await runner.close();
  }
}
