import * as fc from 'fast-check';

/**
 * Random C functions in which every step is a call with its own name and line, with the reachable steps and traces of
 * runs. Independent of the code under test.
 */

export type Test =
  | { readonly kind: 'step' }
  | { readonly kind: 'and' | 'or'; readonly left: Test; readonly right: Test }
  | { readonly kind: 'not'; readonly inner: Test }
  | { readonly kind: 'choice'; readonly test: Test; readonly yes: Test; readonly no: Test }
  | { readonly kind: 'call'; readonly argument: Test };

export type Statement =
  | { readonly kind: 'expression'; readonly value: Test }
  | { readonly kind: 'if'; readonly test: Test; readonly yes: Sequence; readonly no: Sequence | undefined }
  | { readonly kind: 'while' | 'do'; readonly test: Test; readonly body: Sequence }
  | { readonly kind: 'forever' | 'once'; readonly body: Sequence }
  | { readonly kind: 'for'; readonly parts: Three<Test>; readonly body: Sequence }
  | { readonly kind: 'switch'; readonly test: Test; readonly cases: readonly Case[] }
  | { readonly kind: 'break' | 'continue' | 'exit' }
  | { readonly kind: 'return'; readonly value: Test }
  /** Jumps to one of the labels in the sequences around it, chosen by number. */
  | { readonly kind: 'goto'; readonly number: number };

/** The parts of a `for`, each optional. */
type Three<T> = readonly [T | undefined, T | undefined, T | undefined];

interface Case {
  readonly isDefault: boolean;
  readonly body: readonly Statement[];
}

export interface Sequence {
  readonly statements: readonly Statement[];
  /** Index of the statement behind the label. */
  readonly label: number | undefined;
}

const tests: fc.Arbitrary<Test> = fc.letrec<{ test: Test }>((tie) => ({
  test: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant<Test>({ kind: 'step' }),
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      left: tie('test'),
      right: tie('test'),
    }),
    fc.record({ kind: fc.constant('not' as const), inner: tie('test') }),
    fc.record({ kind: fc.constant('choice' as const), test: tie('test'), yes: tie('test'), no: tie('test') }),
    fc.record({ kind: fc.constant('call' as const), argument: tie('test') }),
  ),
})).test;

const { sequence } = fc.letrec<{ sequence: Sequence; statement: Statement; case: Case }>((tie) => ({
  sequence: fc.record({
    statements: fc.array(tie('statement'), { maxLength: 4 }),
    label: fc.option(fc.nat(3), { nil: undefined }),
  }),
  case: fc.record({ isDefault: fc.boolean(), body: fc.array(tie('statement'), { maxLength: 2 }) }),
  statement: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.record({ kind: fc.constant('expression' as const), value: tests }),
    fc.record({ kind: fc.constantFrom('break' as const, 'continue' as const, 'exit' as const) }),
    fc.record({ kind: fc.constant('return' as const), value: tests }),
    fc.record({ kind: fc.constant('goto' as const), number: fc.nat(5) }),
    fc.record({
      kind: fc.constant('if' as const),
      test: tests,
      yes: tie('sequence'),
      no: fc.option(tie('sequence'), { nil: undefined }),
    }),
    fc.record({
      kind: fc.constantFrom('while' as const, 'do' as const),
      test: tests,
      body: tie('sequence'),
    }),
    fc.record({ kind: fc.constantFrom('forever' as const, 'once' as const), body: tie('sequence') }),
    fc.record({
      kind: fc.constant('for' as const),
      parts: fc.tuple(
        fc.option(tests, { nil: undefined }),
        fc.option(tests, { nil: undefined }),
        fc.option(tests, { nil: undefined }),
      ),
      body: tie('sequence'),
    }),
    fc.record({
      kind: fc.constant('switch' as const),
      test: tests,
      cases: fc.array(tie('case'), { maxLength: 3 }),
    }),
  ),
}));

export interface RandomFunction {
  readonly text: string;
  /** The reachable steps, and all others. */
  readonly reached: ReadonlySet<string>;
  readonly dead: ReadonlySet<string>;
  /** The steps of one run, decided by `choose`; cut off after `longestRun` steps. */
  readonly run: (choose: (ways: number) => number) => readonly string[];
}

export const randomFunctions = sequence.map((body) => builtFunction(body));

export function builtFunction(body: Sequence): RandomFunction {
  const program = new Printer().function(body);
  const walk = new Reaching();
  walk.program(program);
  return {
    text: program.text,
    reached: walk.reached,
    dead: new Set(program.steps.filter((step) => !walk.reached.has(step))),
    run: (choose) => new Runner(choose).run(program.body),
  };
}

/** The same with named steps and resolved jumps. */
type NamedTest =
  | { readonly kind: 'step'; readonly name: string }
  | { readonly kind: 'and' | 'or'; readonly left: NamedTest; readonly right: NamedTest }
  | { readonly kind: 'not'; readonly inner: NamedTest }
  | { readonly kind: 'choice'; readonly test: NamedTest; readonly yes: NamedTest; readonly no: NamedTest }
  | { readonly kind: 'call'; readonly argument: NamedTest; readonly name: string };

type Named =
  | { readonly kind: 'expression' | 'return'; readonly value: NamedTest }
  | {
      readonly kind: 'if';
      readonly test: NamedTest;
      readonly yes: NamedSequence;
      readonly no?: NamedSequence;
    }
  | { readonly kind: 'while' | 'do'; readonly test: NamedTest; readonly body: NamedSequence }
  | { readonly kind: 'forever' | 'once'; readonly body: NamedSequence }
  | {
      readonly kind: 'for';
      readonly parts: Three<NamedTest>;
      readonly body: NamedSequence;
    }
  | {
      readonly kind: 'switch';
      readonly test: NamedTest;
      /** Index of each case's first statement. */
      readonly cases: readonly number[];
      readonly hasDefault: boolean;
      readonly body: NamedSequence;
    }
  | { readonly kind: 'break' | 'continue' }
  | { readonly kind: 'exit'; readonly name: string }
  | { readonly kind: 'goto'; readonly label: string };

interface NamedSequence {
  readonly statements: readonly Named[];
  readonly label: { readonly name: string; readonly at: number } | undefined;
}

interface Program {
  readonly text: string;
  readonly steps: readonly string[];
  readonly body: NamedSequence;
}

interface Scope {
  readonly labels: readonly string[];
  readonly canBreak: boolean;
  readonly canContinue: boolean;
}

class Printer {
  private readonly lines: string[] = [];
  private readonly steps: string[] = [];
  private labels = 0;

  function(body: Sequence): Program {
    this.lines.push('int f (void)', '{');
    const named = this.sequence(body, { labels: [], canBreak: false, canContinue: false });
    this.lines.push('}', '');
    return { text: this.lines.join('\n'), steps: this.steps, body: named };
  }

  private sequence({ statements, label }: Sequence, scope: Scope): NamedSequence {
    const at = label === undefined ? -1 : Math.min(label, statements.length);
    const name = at === -1 ? undefined : `l${this.labels++}`;
    const inside = name === undefined ? scope : { ...scope, labels: [...scope.labels, name] };
    const named = statements.map((statement, i) => {
      if (i === at) this.lines.push(`${name}:`);
      return this.statement(statement, inside);
    });
    if (at === statements.length) this.lines.push(`${name}: ;`);
    return { statements: named, label: name === undefined ? undefined : { name, at } };
  }

  private braced(sequence: Sequence, scope: Scope): NamedSequence {
    this.lines.push('{');
    const named = this.sequence(sequence, scope);
    this.lines.push('}');
    return named;
  }

  private statement(statement: Statement, scope: Scope): Named {
    const loop = { ...scope, canBreak: true, canContinue: true };
    switch (statement.kind) {
      case 'expression':
        return this.ended({ kind: 'expression', value: this.test(statement.value) });
      case 'return':
        this.lines.push('return');
        return this.ended({ kind: 'return', value: this.test(statement.value) });
      case 'if': {
        const test = this.head('if', statement.test);
        const yes = this.braced(statement.yes, scope);
        if (statement.no === undefined) return { kind: 'if', test, yes };
        this.lines.push('else');
        return { kind: 'if', test, yes, no: this.braced(statement.no, scope) };
      }
      case 'while': {
        const test = this.head('while', statement.test);
        return { kind: 'while', test, body: this.braced(statement.body, loop) };
      }
      case 'do': {
        this.lines.push('do');
        const body = this.braced(statement.body, loop);
        return this.ended({ kind: 'do', body, test: this.head('while', statement.test) });
      }
      case 'forever':
        this.lines.push('while (1)');
        return { kind: 'forever', body: this.braced(statement.body, loop) };
      case 'once': {
        this.lines.push('do');
        const body = this.braced(statement.body, loop);
        this.lines.push('while (0);');
        return { kind: 'once', body };
      }
      case 'for': {
        this.lines.push('for (');
        const start = this.part(statement.parts[0], ';');
        const test = this.part(statement.parts[1], ';');
        const step = this.part(statement.parts[2], ')');
        return { kind: 'for', parts: [start, test, step], body: this.braced(statement.body, loop) };
      }
      case 'switch':
        return this.switch(statement, { ...scope, canBreak: true });
      case 'break':
      case 'continue':
        if (statement.kind === 'break' ? scope.canBreak : scope.canContinue) {
          this.lines.push(`${statement.kind};`);
          return { kind: statement.kind };
        }
        return this.ended({ kind: 'expression', value: this.test({ kind: 'step' }) });
      case 'exit': {
        const name = this.step();
        this.lines.push(`exit (${name} ());`);
        return { kind: 'exit', name };
      }
      case 'goto': {
        const label = scope.labels[statement.number % Math.max(1, scope.labels.length)];
        if (label === undefined)
          return this.ended({ kind: 'expression', value: this.test({ kind: 'step' }) });
        this.lines.push(`goto ${label};`);
        return { kind: 'goto', label };
      }
    }
  }

  private switch({ test, cases }: Extract<Statement, { kind: 'switch' }>, scope: Scope): Named {
    const named = this.head('switch', test);
    const statements: Named[] = [];
    const starts: number[] = [];
    let hasDefault = false;
    this.lines.push('{');
    cases.forEach(({ isDefault, body }, i) => {
      const isFirst = isDefault && !hasDefault;
      hasDefault ||= isDefault;
      this.lines.push(isFirst ? 'default:' : `case ${i}:`);
      starts.push(statements.length);
      for (const statement of body) statements.push(this.statement(statement, scope));
    });
    this.lines.push(';', '}');
    return { kind: 'switch', test: named, cases: starts, hasDefault, body: { statements, label: undefined } };
  }

  private head(word: string, test: Test): NamedTest {
    this.lines.push(`${word} (`);
    const named = this.test(test);
    this.lines.push(')');
    return named;
  }

  private part(test: Test | undefined, end: string): NamedTest | undefined {
    const named = test === undefined ? undefined : this.test(test);
    this.lines.push(end);
    return named;
  }

  private ended<T>(statement: T): T {
    this.lines.push(';');
    return statement;
  }

  private step(): string {
    const name = `s${this.steps.length}`;
    this.steps.push(name);
    return name;
  }

  private test(test: Test): NamedTest {
    switch (test.kind) {
      case 'step': {
        const name = this.step();
        this.lines.push(`${name} ()`);
        return { kind: 'step', name };
      }
      case 'and':
      case 'or': {
        this.lines.push('(');
        const left = this.test(test.left);
        this.lines.push(test.kind === 'and' ? '&&' : '||');
        const right = this.test(test.right);
        this.lines.push(')');
        return { kind: test.kind, left, right };
      }
      case 'not': {
        this.lines.push('! (');
        const inner = this.test(test.inner);
        this.lines.push(')');
        return { kind: 'not', inner };
      }
      case 'choice': {
        this.lines.push('(');
        const condition = this.test(test.test);
        this.lines.push('?');
        const yes = this.test(test.yes);
        this.lines.push(':');
        const no = this.test(test.no);
        this.lines.push(')');
        return { kind: 'choice', test: condition, yes, no };
      }
      case 'call': {
        const name = this.step();
        this.lines.push(`${name} (`);
        const argument = this.test(test.argument);
        this.lines.push(')');
        return { kind: 'call', argument, name };
      }
    }
  }
}

/** Computes the reachable steps for arbitrary results of the steps. */
class Reaching {
  readonly reached = new Set<string>();
  private readonly labels = new Set<string>();
  private breaks = false;
  private continues = false;

  program({ body }: Program): void {
    for (let known = -1; known !== this.labels.size; ) {
      known = this.labels.size;
      this.sequence(body, true);
    }
  }

  private sequence({ statements, label }: NamedSequence, isReached: boolean): boolean {
    let here = isReached;
    statements.forEach((statement, i) => {
      if (label?.at === i) here ||= this.labels.has(label.name);
      here = this.statement(statement, here);
    });
    if (label?.at === statements.length) here ||= this.labels.has(label.name);
    return here;
  }

  private loop(body: NamedSequence, isReached: boolean): { again: boolean; left: boolean } {
    const { breaks, continues } = this;
    this.breaks = false;
    this.continues = false;
    const end = this.sequence(body, isReached);
    const result = { again: end || this.continues, left: this.breaks };
    this.breaks = breaks;
    this.continues = continues;
    return result;
  }

  private statement(statement: Named, here: boolean): boolean {
    switch (statement.kind) {
      case 'expression':
        this.test(statement.value, here);
        return here;
      case 'return':
        this.test(statement.value, here);
        return false;
      case 'exit':
        if (here) this.reached.add(statement.name);
        return false;
      case 'break':
        this.breaks ||= here;
        return false;
      case 'continue':
        this.continues ||= here;
        return false;
      case 'goto':
        if (here) this.labels.add(statement.label);
        return false;
      case 'if': {
        this.test(statement.test, here);
        const yes = this.sequence(statement.yes, here);
        return statement.no === undefined ? here : this.sequence(statement.no, here) || yes;
      }
      case 'while':
        this.test(statement.test, here);
        this.loop(statement.body, here);
        return here;
      case 'do': {
        const { again, left } = this.loop(statement.body, here);
        this.test(statement.test, again);
        return again || left;
      }
      case 'forever':
        return this.loop(statement.body, here).left;
      case 'once': {
        const { again, left } = this.loop(statement.body, here);
        return again || left;
      }
      case 'for': {
        const [start, test, step] = statement.parts;
        if (start !== undefined) this.test(start, here);
        if (test !== undefined) this.test(test, here);
        const { again, left } = this.loop(statement.body, here);
        if (step !== undefined) this.test(step, again);
        return test === undefined ? left : here;
      }
      case 'switch':
        return this.switch(statement, here);
    }
  }

  private switch(
    { test, cases, hasDefault, body }: Extract<Named, { kind: 'switch' }>,
    here: boolean,
  ): boolean {
    this.test(test, here);
    const { breaks } = this;
    this.breaks = false;
    let falls = false;
    body.statements.forEach((statement, i) => {
      if (cases.includes(i)) falls ||= here;
      falls = this.statement(statement, falls);
    });
    if (cases.includes(body.statements.length)) falls ||= here;
    const end = falls || this.breaks || (here && !hasDefault);
    this.breaks = breaks;
    return end;
  }

  private test(test: NamedTest, here: boolean): void {
    if (!here) return;
    switch (test.kind) {
      case 'step':
        this.reached.add(test.name);
        break;
      case 'and':
      case 'or':
        this.test(test.left, here);
        this.test(test.right, here);
        break;
      case 'not':
        this.test(test.inner, here);
        break;
      case 'choice':
        this.test(test.test, here);
        this.test(test.yes, here);
        this.test(test.no, here);
        break;
      case 'call':
        this.test(test.argument, here);
        this.reached.add(test.name);
        break;
    }
  }
}

/** The reason for leaving a sequence early. */
type Exit = 'break' | 'continue' | 'end' | { readonly label: string } | undefined;

const longestRun = 60;

class Runner {
  private readonly trace: string[] = [];
  /** Counts empty loops as well. */
  private turns = 0;

  constructor(private readonly choose: (ways: number) => number) {}

  run(body: NamedSequence): readonly string[] {
    this.sequence(body, 0);
    return this.trace.slice(0, longestRun);
  }

  private get isOver(): boolean {
    return this.turns++ > 1000 || this.trace.length > longestRun;
  }

  private sequence({ statements, label }: NamedSequence, from: number): Exit {
    for (let i = from; i < statements.length; i++) {
      const statement = statements[i];
      if (statement === undefined || this.isOver) return 'end';
      const exit = this.statement(statement);
      if (typeof exit === 'object' && exit.label === label?.name) i = label.at - 1;
      else if (exit !== undefined) return exit;
    }
    return undefined;
  }

  private statement(statement: Named): Exit {
    switch (statement.kind) {
      case 'expression':
        this.test(statement.value);
        return undefined;
      case 'return':
        this.test(statement.value);
        return 'end';
      case 'exit':
        this.trace.push(statement.name);
        return 'end';
      case 'break':
      case 'continue':
        return statement.kind;
      case 'goto':
        return { label: statement.label };
      case 'if':
        if (this.test(statement.test)) return this.sequence(statement.yes, 0);
        return statement.no === undefined ? undefined : this.sequence(statement.no, 0);
      case 'while':
        return this.loop(
          () => this.test(statement.test),
          statement.body,
          () => true,
        );
      case 'do':
        return this.loop(
          () => true,
          statement.body,
          () => this.test(statement.test),
        );
      case 'forever':
        return this.loop(
          () => true,
          statement.body,
          () => true,
        );
      case 'once':
        return this.loop(
          () => true,
          statement.body,
          () => false,
        );
      case 'for': {
        const [start, test, step] = statement.parts;
        if (start !== undefined) this.test(start);
        const isOn = (): boolean => test === undefined || this.test(test);
        return this.loop(isOn, statement.body, () => {
          if (step !== undefined) this.test(step);
          return true;
        });
      }
      case 'switch': {
        this.test(statement.test);
        const { cases, hasDefault, body } = statement;
        const chosen = this.choose(cases.length + (hasDefault ? 0 : 1));
        const exit = this.sequence(body, cases[chosen] ?? body.statements.length);
        return exit === 'break' ? undefined : exit;
      }
    }
  }

  private loop(isOn: () => boolean, body: NamedSequence, again: () => boolean): Exit {
    for (;;) {
      if (this.isOver) return 'end';
      if (!isOn()) return undefined;
      const exit = this.sequence(body, 0);
      if (exit === 'break') return undefined;
      if (exit !== undefined && exit !== 'continue') return exit;
      if (!again()) return undefined;
    }
  }

  private test(test: NamedTest): boolean {
    switch (test.kind) {
      case 'step':
        this.trace.push(test.name);
        return this.choose(2) === 1;
      case 'and':
        return this.test(test.left) && this.test(test.right);
      case 'or':
        return this.test(test.left) || this.test(test.right);
      case 'not':
        return !this.test(test.inner);
      case 'choice':
        return this.test(test.test) ? this.test(test.yes) : this.test(test.no);
      case 'call':
        this.test(test.argument);
        this.trace.push(test.name);
        return this.choose(2) === 1;
    }
  }
}
