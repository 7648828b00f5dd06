import type { Done, Job } from './messages.js';
import type { Pointer, Z3Module } from './z3-module.js';

/** How often the memory of a running formula is looked at. */
const lookEveryMs = 10;

/**
 * Evaluates one formula in a context of its own. Parameters are reset before and after: `set-option` reaches the whole
 * module, and one formula's options must not become the next one's.
 */
export async function evaluate(module: Z3Module, job: Job): Promise<Done> {
  const { Z3 } = module;
  Z3.global_param_reset_all();
  if (job.memoryBytes !== undefined) {
    Z3.global_param_set('memory_max_size', String(Math.ceil(job.memoryBytes / (1 << 20))));
  }
  const config = Z3.mk_config();
  const context = Z3.mk_context(config);
  Z3.del_config(config);
  const complaints = await setOptions(module, context, job.options);

  const watch = new Watch(module, context, job);
  const answer = await say(module, context, job.text);
  const measured = watch.stop();

  const isWhole =
    measured.limit === undefined && answer.length <= (job.outputBytes ?? Number.POSITIVE_INFINITY);
  const effort = isWhole ? effortOf(await say(module, context, '(get-info :rlimit)')) : undefined;
  const model =
    isWhole && job.model && endsInSat(answer) ? await say(module, context, '(get-model)') : undefined;
  Z3.del_context(context);
  Z3.global_param_reset_all();
  return {
    kind: 'done',
    output: complaints + (isWhole ? answer : answer.slice(0, job.outputBytes)),
    ...measured,
    ...(isWhole || measured.limit !== undefined ? {} : { limit: 'output' }),
    ...(effort === undefined ? {} : { effort }),
    ...(model === undefined ? {} : { model }),
    heldBytes: Number(Z3.get_estimated_alloc_size()),
  };
}

/** Says of options that there are not, as the native solver does; Z3 as a library passes over them. */
async function setOptions(module: Z3Module, context: Pointer, options: Job['options']): Promise<string> {
  const setting = ([name, value]: Job['options'][number]): string => `(set-option :${name} ${value})`;
  if (options.length === 0 || (await say(module, context, options.map(setting).join('\n'))) === '') return '';
  const complaints: string[] = [];
  for (const option of options) {
    if ((await say(module, context, setting(option))) !== '') {
      complaints.push(`(error "unknown parameter '${option[0]}' or wrong value '${option[1]}'")\n`);
    }
  }
  return complaints.join('');
}

/** Runs commands in a context; the text is passed on the heap because a long one would not fit on the stack. */
async function say({ em }: Z3Module, context: Pointer, text: string): Promise<string> {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const at = em._malloc(bytes.length);
  em.HEAPU8.set(bytes, at);
  try {
    return await em.async_call(() => em._async_Z3_eval_smtlib2_string(context, at));
  } finally {
    em._free(at);
  }
}

/** Counts time and memory of an evaluation, which runs on another thread, and interrupts it at its limits. */
class Watch {
  private readonly startedAt = performance.now();
  private readonly cpuAtStart = process.cpuUsage();
  private readonly timers: NodeJS.Timeout[];
  private limit: 'wall' | 'cpu' | undefined;
  private peakMemoryBytes = 0;

  constructor(
    private readonly module: Z3Module,
    private readonly context: Pointer,
    private readonly job: Job,
  ) {
    this.timers = [
      setTimeout(() => this.interrupt('wall'), job.wallMs),
      setInterval(() => this.look(), lookEveryMs),
    ];
  }

  private interrupt(limit: 'wall' | 'cpu'): void {
    this.limit ??= limit;
    this.module.Z3.interrupt(this.context);
  }

  private look(): void {
    this.peakMemoryBytes = Math.max(this.peakMemoryBytes, Number(this.module.Z3.get_estimated_alloc_size()));
    if (this.job.cpuMs !== undefined && this.cpuMs() > this.job.cpuMs) this.interrupt('cpu');
  }

  private cpuMs(): number {
    const { user, system } = process.cpuUsage(this.cpuAtStart);
    return (user + system) / 1000;
  }

  stop(): Pick<Done, 'wallMs' | 'cpuMs' | 'peakMemoryBytes' | 'limit'> {
    const wallMs = performance.now() - this.startedAt;
    const cpuMs = this.cpuMs();
    for (const timer of this.timers) clearTimeout(timer);
    this.look();
    const limit = this.limit ?? (wallMs > this.job.wallMs ? 'wall' : undefined);
    return {
      wallMs,
      cpuMs,
      peakMemoryBytes: this.peakMemoryBytes,
      ...(limit === undefined ? {} : { limit }),
    };
  }
}

function effortOf(answer: string): number | undefined {
  const found = /\(:rlimit (\d+)\)/.exec(answer)?.[1];
  return found === undefined ? undefined : Number(found);
}

function endsInSat(answer: string): boolean {
  return /(?:^|\n)sat\s*$/.test(answer);
}
