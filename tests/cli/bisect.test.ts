import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { gitIn } from '../git-repository.js';
import { type Made, makeRepository, recipe } from '../history/made-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { culprit, madeTogether } from './culprit.js';

let folder: string;
let made: Made;

beforeAll(() => {
  folder = temporaryFolder('bisect');
  const commits = Array.from({ length: 24 }, (_, at) => ({
    levels: [at < 10 ? 20 : 800, at < 17 ? 5 : 90],
    isBroken: at === 12,
    subject: at === 10 ? 'Rewrite the length solver' : `change ${at}`,
  }));
  made = makeRepository(join(folder, 'repository'), commits);
});

const build = ['--build', recipe.build[0] as string, '--binary', recipe.binary, '--prints'];
const command = ['--', '{program}', '{case}'];

const asUsual = () => ({ cwd: folder, env: { XDG_CACHE_HOME: join(folder, 'cache') } });
const run = (args: readonly string[]) => culprit(args, asUsual());

const jsonLines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('culprit bisect', () => {
  it('names the commits, and resumes from its journal', () => {
    const good = made.line[0] as string;
    const asked = [
      'bisect',
      '0',
      '1',
      '--repo',
      'repository',
      '--good',
      good,
      '--bad',
      'main',
      '--out',
      'one',
      ...build,
    ];
    const first = run([...asked, ...command]);
    const lines = first.stderr.trim().split('\n');
    // A log shows progress from the start.
    expect(lines[0]).toBe('2 cases over 24 commits; measurements are stored in one');
    expect(lines[1]).toBe(`building ${good.slice(0, 10)}; 0 looked at, at least 7 to go, no estimate yet`);
    expect(lines[2]).toMatch(new RegExp(`^${good.slice(0, 10)} built in \\d.*; running the cases$`));
    expect(lines[3]).toMatch(/^building [0-9a-f]{10}; 1 looked at, at least 6 to go, about \d/);
    expect(lines.filter((line) => line.startsWith('building '))).toHaveLength(
      lines.filter((line) => /built in|was built before|does not build/.test(line)).length,
    );
    expect(first.stderr).toContain(`measuring both sides of ${made.line[10]?.slice(0, 10)} in turns`);
    expect(first.stdout).toContain(`${made.line[10]?.slice(0, 10)}  Rewrite the length solver`);
    expect(first.stdout).toMatch(/0 +20 +800 +slower/);
    expect(first.stdout).toMatch(/^ {2}is the first slow commit of 1 of \d cases; /m);
    expect(first.stdout).toMatch(
      /culprit triage \S+\n.*culprit report \S+ --tracker texts\n.*culprit report \S+ --html report\.html\n$/,
    );
    expect(first.stdout).toContain(`${made.line[17]?.slice(0, 10)}  change 17`);
    expect(first.exitCode).toBe(0);
    const again = run(['bisect', '--resume', 'one', '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({
      culprits: [
        { case: '0', commit: made.line[10], direction: 'slower', isVerified: true },
        { case: '1', commit: made.line[17] },
      ],
    });
  });

  it('measures a shell command', () => {
    const range = [
      '--repo',
      'repository',
      '--good',
      made.line[8] as string,
      '--bad',
      made.line[11] as string,
    ];
    const measure = ['--measure', 'echo {case} | xargs {program} && true'];
    const { stdout, stderr } = run(['bisect', '0', ...range, '--out', 'text', ...build, ...measure]);
    expect(stderr).not.toContain('culprit:');
    expect(stdout).toContain(`${made.line[10]?.slice(0, 10)}  Rewrite the length solver`);
  });

  it.each(['sprfinder', 'git-bisect'])('finds the same commits with the strategy %s', (strategy) => {
    const range = ['--repo', 'repository', '--good', made.line[0] as string, '--bad', 'main'];
    const asked = ['bisect', '0', '1', ...range, '--out', strategy, '--strategy', strategy, '--json'];
    const { stdout, stderr, exitCode } = run([...asked, ...build, ...command]);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/building [0-9a-f]{10}; .* at least \d+ to go/);
    expect(JSON.parse(stdout).culprits).toMatchObject([
      { case: '0', commit: made.line[10], isVerified: true },
      { case: '1', commit: made.line[17], isVerified: true },
    ]);
  });

  it('has the purpose of its culprits triaged', () => {
    const { stdout, exitCode } = run(['triage', 'one']);
    expect(stdout).toContain('Rewrite the length solver');
    expect(stdout).toMatch(/intention +algorithm update/);
    expect(stdout).toMatch(/touches +solver\.c; \d+ lines/);
    expect(stdout).toMatch(/cases +0; at worst 20 before, 800 after/);
    expect(stdout).toMatch(/today +all cases are still slow/);
    expect(exitCode).toBe(0);
    const [first] = run(['triage', 'one', '--json']).stdout.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      triage: { intention: 'algorithm update' },
      cases: [{ case: '0' }],
    });
    expect(run(['triage', 'nowhere']).stderr).toBe('culprit: there is no folder nowhere.\n');
  });

  it('is reported in every format', () => {
    const { stdout, exitCode } = run(['report', 'one']);
    expect(stdout).toContain(`${made.line[10]?.slice(0, 10)}  Rewrite the length solver`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(run(['report', 'one', '--json']).stdout).culprits).toHaveLength(2);
    const page = run(['report', 'one', '--html', '-']).stdout;
    expect(page).toContain(`<code>${made.line[10]?.slice(0, 10)}</code> Rewrite the length solver`);
    expect(page).toContain('<a href="#case-1">0</a>');
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
    const markdown = run(['report', 'one', '--markdown', '-']).stdout;
    expect(markdown.match(/^# /gm)).toHaveLength(2);
  });

  it('reports the intermediate result of an unfinished bisection', () => {
    const file = join(folder, 'one', 'bisection.json');
    const journal = join(folder, 'one', 'journal.ndjson');
    const [whole, events] = [readFileSync(file, 'utf8'), readFileSync(journal, 'utf8')];
    rmSync(file);
    const looks = events.split('\n').filter((line) => line.includes('"looked"'));
    writeFileSync(journal, `${looks.slice(0, 4).join('\n')}\n`);
    const { stdout, exitCode } = run(['report', 'one']);
    expect(stdout).toMatch(/^4 of 24 commits tested so far\.\n/);
    expect(stdout).toMatch(/^0 +20 +800 +slower +one of \d+ after [0-9a-f]{10} up to [0-9a-f]{10} +\d+$/m);
    expect(stdout).toContain('To go on: culprit bisect --resume one\n');
    expect(exitCode).toBe(0);
    expect(JSON.parse(run(['report', 'one', '--json']).stdout)).toMatchObject({
      isFinished: false,
      commits: 24,
      looked: 4,
      steps: [{ case: '0', direction: 'slower' }, { case: '1' }],
    });
    expect(run(['report', 'one', '--html', '-']).stdout).toContain('not finished</title>');
    expect(run(['report', 'one', '--markdown', '-']).stderr).toContain('contains no finished bisection');
    writeFileSync(file, whole);
    writeFileSync(journal, events);
  });

  it('reports an unknown revision', () => {
    const file = join(folder, 'one', 'bisection.json');
    const whole = readFileSync(file, 'utf8');
    const pwned = join(folder, 'pwned');
    writeFileSync(file, whole.replaceAll(made.line[10] as string, `--output=${pwned}`));
    const { stderr, exitCode } = run(['triage', 'one']);
    expect(stderr).toContain('bisection.json is damaged');
    expect(exitCode).toBe(2);
    expect(existsSync(pwned)).toBe(false);
    writeFileSync(file, whole);
  });

  const refused: readonly (readonly [words: readonly string[], sentence: string])[] = [
    [['--by', 'effort', '--', '{program}'], '--by effort needs formulas'],
    [['--', 'true'], 'must contain {program}'],
    [['1', '--', '{program}'], 'must contain {case}'],
    [['--measure', 'true'], 'must contain {program}'],
    [['1', '--measure', '{program}'], 'must contain {case}'],
    [['--measure', '{program}', '--', '{program}'], 'not both'],
    [['--threshold', 'soon', '--', '{program}'], '--threshold soon: '],
  ];
  const refusal = madeTogether(
    refused.map(([words]) => [
      ...['bisect', '0', '--repo', 'repository', '--good', 'main~3', '--bad', 'main'],
      ...['--build', 'true', '--binary', 'x', ...words],
    ]),
    asUsual,
  );

  it.each(
    refused.map(([words, sentence], at) => [words, sentence, at] as const),
  )('refuses %j', (_words, sentence, at) => {
    const { stderr, exitCode } = refusal(at);
    expect(stderr).toContain(sentence);
    expect(exitCode).toBe(2);
  });

  it('refuses {case} in a command without cases', () => {
    const { stderr, exitCode } = run([
      ...['bisect', '--repo', 'repository', '--good', 'main~3', '--bad', 'main'],
      ...['--build', 'true', '--binary', 'x', ...command],
    ]);
    expect(stderr).toBe(
      'culprit: {case} stands for each case, but no case is given: name cases before the command.\n',
    );
    expect(exitCode).toBe(2);
  });

  it('writes one tracker text per commit', () => {
    const { stdout, exitCode } = run(['report', 'one', '--tracker', 'texts']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(`${join('texts', `${made.line[10]?.slice(0, 10)}.md`)}  40x slower since`);
    const text = readFileSync(join(folder, 'texts', `${made.line[10]?.slice(0, 10)}.md`), 'utf8');
    expect(text).toContain('# 40x slower since');
    expect(text).toContain(`--bad ${made.line[10]}`);
    expect(text).toContain('| `0` | 20 | 800 | yes | yes |');
    expect(text).toContain('looks like an algorithm update');
    expect(run(['report', 'nowhere', '--tracker', 'texts']).exitCode).toBe(2);
  });

  const wrong: readonly (readonly [words: readonly string[], sentence: string])[] = [
    [['--repo', '.', '--good', 'x'], 'is not a git repository'],
    [['--repo', 'repository'], 'name a commit at which the cases are fast'],
    [['--repo', 'repository', '--good', 'nothing'], 'has no commit nothing'],
    [['--repo', 'repository', '--good', 'main', '--bad', 'main~3'], 'does not come before'],
    [['--repo', 'repository', '--good', 'main', '--bad', 'main'], 'are the same commit'],
  ];
  const complaint = madeTogether(
    wrong.map(([words]) => ['bisect', '0', ...words, ...build, ...command]),
    asUsual,
  );

  it.each(
    wrong.map(([words, sentence], at) => [words, sentence, at] as const),
  )('explains in one sentence the error in %j', (_words, sentence, at) => {
    const { stderr, exitCode } = complaint(at);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(2);
  });

  it('reports that an end does not build', () => {
    const { stderr, exitCode } = run([
      ...['bisect', '0', '--repo', 'repository', '--good', made.line[12] as string, '--bad', 'main'],
      ...[...build, ...command],
    ]);
    expect(stderr).toContain(`the good commit ${made.line[12]?.slice(0, 10)} does not build`);
    expect(exitCode).toBe(2);
    const builds = jsonLines(run(['builds', 'list', '--json']).stdout);
    expect(builds).toContainEqual(
      expect.objectContaining({ commit: made.line[12], failed: expect.stringMatching(/./) }),
    );
  });

  it('asks for a build command for an unknown repository', () => {
    writeFileSync(join(folder, 'f.smt2'), '(check-sat)');
    const { stderr } = run(['bisect', 'f.smt2', '--repo', 'repository', '--good', 'main~3', '--bad', 'main']);
    expect(stderr).toContain('is not a solver that culprit knows how to build');
  });

  it('prints JSON with units, builds and simulated costs of each strategy', () => {
    const found = JSON.parse(run(['report', 'one', '--json']).stdout);
    expect(found).toMatchObject({ isFinished: true, by: 'printed' });
    expect(found.ends).toMatchObject([
      { case: '0', good: { level: 20 }, bad: { level: 800 } },
      { case: '1', good: { level: 5 }, bad: { level: 90 } },
    ]);
    const [dossier] = run(['triage', 'one', '--json']).stdout.split('\n');
    expect(JSON.parse(dossier ?? '')).toMatchObject({
      by: 'printed',
      commit: { id: made.line[10], date: expect.stringMatching(/^2020-09-13T\d\d:\d\d:\d\d\.000Z$/) },
    });
    const [history] = JSON.parse(run(['study', 'localization', 'one', '--json']).stdout).histories;
    expect(history).toMatchObject({ name: 'one', by: 'printed', commits: 24, cases: 2 });
    const listed = run(['builds', 'list', '--json']).stdout;
    const builds = jsonLines(listed);
    const whole = builds.filter(({ failed }) => failed === undefined);
    expect(whole.filter(({ buildMs, program }) => buildMs > 0 && program !== undefined)).toEqual(whole);
    expect(run(['builds', 'prune', '--all', '--json']).stdout).toBe(listed);
  });

  it('does not modify the repository', () => {
    const status = gitIn(made.path, ['worktree', 'list']);
    expect(status.trim().split('\n')).toHaveLength(1);
  });
});
