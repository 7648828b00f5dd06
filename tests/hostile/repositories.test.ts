import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { changeOfWorkingTree } from '../../src/change/code/commit-change.js';
import { measureCommit, measureFiles } from '../../src/change/sequences/measure-commit.js';
import { Fault } from '../../src/machine/index.js';
import { Repository } from '../../src/repository/index.js';
import { commitFiles, gitIn, initRepository } from '../git-repository.js';
import { temporaryFolder } from '../temporary-folder.js';
import { withoutFault } from '../without-fault.js';

const { signal } = new AbortController();

/** A repository with every kind of configurable file, and a program that records that it was run. */
function strange() {
  const root = temporaryFolder('strange');
  const folder = join(root, 'repository');
  const touched = join(root, 'touched');
  const program = join(root, 'program');
  writeFileSync(program, `#!/bin/sh\necho "$0 $*" >>${touched}\ncat\n`);
  chmodSync(program, 0o755);
  initRepository(folder);
  commitFiles(folder, {
    '.gitattributes': '* filter=evil diff=evil\n*.h text eol=crlf ident\n',
    'a.c': '#define M 1\nint f(int a) { return a; }\n',
    'b.c': '#include "a.h"\nint g(int a) { return a + M; }\n',
    'a.h': '/* $Id$ */\nint f(int);\n',
    'a.txt': 'text\n',
  });
  commitFiles(folder, { 'a.c': '#define M 2\nint f(int a) { if (a) return M; return a; }\n' });
  return { root, folder, touched, program };
}

/** Applies every operation of culprit to a repository. */
async function lookAtAll(folder: string): Promise<void> {
  const repository = withoutFault(await Repository.open(folder));
  const head = withoutFault(await repository.resolve('HEAD'));
  const before = withoutFault(await repository.resolve('HEAD~1'));
  withoutFault(await repository.line(before, head, 'all'));
  withoutFault(await repository.commits([head, before]));
  withoutFault(await repository.commitsNaming(before, head));
  withoutFault(await repository.filesOf(head));
  withoutFault(await repository.deltas(before, head));
  withoutFault(await repository.functionsOf(head));
  withoutFault(await repository.filesWith(['M'], head, ['*.c']));
  withoutFault(await repository.filesWith(['M'], undefined, ['*.c']));
  withoutFault(await repository.unknownFiles(['*.c']));
  withoutFault(await repository.recent(['*.c'], 5, undefined));
  withoutFault(await repository.range('HEAD~1..HEAD'));
  withoutFault(await changeOfWorkingTree(repository, head, signal));
  withoutFault(await measureCommit(folder, 'HEAD'));
  withoutFault(await measureFiles(repository));
  withoutFault(await repository.checkOut(before, `${folder}.out`));
  withoutFault(await repository.checkOut(head, `${folder}.out`));
  await repository.commitLink();
}

/** Settings that name a program. `filter.evil.process` is missing because it would replace the other two filters. */
const programs = [
  ...['filter.evil.smudge', 'filter.evil.clean', 'filter.other.process'],
  ...['diff.evil.textconv', 'diff.evil.command', 'diff.external', 'diff.other.textconv'],
  ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.askPass', 'pager.log', 'pager.grep'],
  ...['gpg.program', 'gpg.ssh.program', 'gpg.x509.program'],
  ...['core.sshCommand', 'core.gitProxy', 'core.alternateRefsCommand', 'credential.helper'],
];

describe('the configuration of a repository', () => {
  it('runs no program and no hook', async () => {
    const { root, folder, touched, program } = strange();
    const own = (name: string) => {
      cpSync(program, join(root, name));
      return join(root, name);
    };
    for (const key of programs) gitIn(folder, ['config', key, own(key)]);
    for (const name of ['log', 'rev-parse', 'grep', 'diff-index'])
      gitIn(folder, ['config', `alias.${name}`, `!${own(name)}`]);
    gitIn(folder, ['config', 'log.showSignature', 'true']);
    gitIn(folder, ['config', 'filter.evil.required', 'true']);
    gitIn(folder, ['config', 'core.hooksPath', join(folder, '.git', 'hooks')]);
    for (const hook of ['post-checkout', 'post-index-change', 'fsmonitor-watchman', 'reference-transaction'])
      cpSync(program, join(folder, '.git', 'hooks', hook));
    writeFileSync(join(folder, '.git', 'info', 'attributes'), 'b.c filter=other diff=other\n');
    // Changes the stat of the file, so that git has to read its content.
    writeFileSync(join(folder, 'a.c'), readFileSync(join(folder, 'a.c'), 'utf8'));
    writeFileSync(join(folder, 'b.c'), 'int g(int a) { return a; }\n');
    await lookAtAll(folder);
    expect(existsSync(touched) ? readFileSync(touched, 'utf8') : '').toBe('');
  });

  it('fetches no missing object over any transport', async () => {
    for (const remote of ['ext', 'ssh', 'upload', 'vcs']) {
      const { root, folder, touched, program } = strange();
      const settings = {
        'extensions.partialClone': 'origin',
        'remote.origin.promisor': 'true',
        'remote.origin.url': remote === 'ext' ? `ext::${program}` : remote === 'ssh' ? 'ssh://x/y' : root,
        'remote.origin.uploadpack': program,
        'core.sshCommand': program,
        'protocol.allow': 'always',
        'protocol.ext.allow': 'always',
        ...(remote === 'vcs' ? { 'remote.origin.vcs': `ext::${program}` } : {}),
      };
      for (const [key, value] of Object.entries(settings)) gitIn(folder, ['config', key, value]);
      gitIn(folder, ['config', 'core.repositoryFormatVersion', '1']);
      removeObject(folder, gitIn(folder, ['rev-parse', 'HEAD:a.c']));
      expect(await measureCommit(folder, 'HEAD')).toBeInstanceOf(Fault);
      expect(existsSync(touched)).toBe(false);
    }
  });

  it('runs no program for submodules', async () => {
    const { root, folder, touched, program } = strange();
    const inner = join(root, 'inner');
    initRepository(inner);
    commitFiles(inner, { '.gitattributes': '* filter=evil\n', 'i.c': 'int i;\n' });
    gitIn(folder, ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner, 'sub']);
    commitFiles(folder, { 'c.c': 'int c;\n' });
    const modules = join(folder, '.git', 'modules', 'sub');
    for (const key of ['filter.evil.smudge', 'filter.evil.clean', 'core.fsmonitor'])
      execFileSync('git', [`--git-dir=${modules}`, 'config', key, program]);
    writeFileSync(join(folder, 'sub', 'i.c'), 'int j;\n');
    await lookAtAll(folder);
    expect(existsSync(touched)).toBe(false);
    expect(readFileSync(join(`${folder}.out`, 'source', 'sub', 'i.c'), 'utf8')).toBe('int i;\n');
  });
});

describe("the caller's environment", () => {
  afterEach(() => vi.unstubAllEnvs());

  it('makes git run no program and read no other repository', async () => {
    const { root, folder, touched, program } = strange();
    const configuration = join(root, 'configuration');
    writeFileSync(configuration, `[filter "evil"]\n\tsmudge = ${program}\n\tclean = ${program}\n`);
    const variables = {
      GIT_EXTERNAL_DIFF: program,
      GIT_SSH_COMMAND: program,
      GIT_SSH: program,
      GIT_PAGER: program,
      GIT_ASKPASS: program,
      GIT_PROXY_COMMAND: program,
      GIT_EXEC_PATH: root,
      GIT_CONFIG_GLOBAL: configuration,
      GIT_CONFIG_SYSTEM: configuration,
      GIT_CONFIG_PARAMETERS: `'filter.evil.smudge=${program}'`,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'diff.evil.textconv',
      GIT_CONFIG_VALUE_0: program,
      GIT_DIR: root,
      GIT_WORK_TREE: root,
      GIT_INDEX_FILE: root,
      GIT_OBJECT_DIRECTORY: root,
      GIT_COMMON_DIR: root,
      GIT_TRACE: touched,
    };
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    await lookAtAll(folder);
    expect(existsSync(touched)).toBe(false);
  });
});

describe('files of a commit', () => {
  it('are checked out byte by byte as committed', async () => {
    const folder = temporaryFolder('bytes');
    initRepository(folder);
    const bytes: Readonly<Record<string, string>> = {
      'lines.c': 'one\ntwo\r\nthree\n',
      'ident.c': '/* $Id$ */\n',
      'utf16.txt': 'text\n',
      'large.bin': 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 3\n',
    };
    commitFiles(folder, bytes);
    const attributes = [
      '*.c text eol=crlf ident',
      '*.txt working-tree-encoding=UTF-16LE-BOM',
      '*.bin filter=lfs diff=lfs merge=lfs -text',
    ];
    const id = commitFiles(folder, {});
    writeFileSync(join(folder, '.gitattributes'), `${attributes.join('\n')}\n`);
    gitIn(folder, ['add', '.gitattributes']);
    gitIn(folder, ['commit', '-qm', 'attributes']);
    expect(id).not.toBe('');
    const repository = withoutFault(await Repository.open(folder));
    const head = withoutFault(await repository.resolve('HEAD'));
    const out = temporaryFolder('out');
    expect(await repository.checkOut(head, out)).toEqual([]);
    for (const [name, text] of Object.entries(bytes))
      expect(readFileSync(join(out, 'source', name), 'utf8')).toBe(text);
  });
});

/** Removes an object from a repository, like a broken disk. */
function removeObject(folder: string, id: string): void {
  rmSync(join(folder, '.git', 'objects', id.slice(0, 2), id.slice(2)), { force: true });
}

describe('a missing object', () => {
  const broken = async (expression: string) => {
    const folder = temporaryFolder('missing');
    initRepository(folder);
    commitFiles(folder, { 'd/a.c': '#define M 1\nint f(int a) { return a; }\n', 'd/b.c': 'int b = M;\n' });
    commitFiles(folder, { 'd/a.c': '#define M 2\nint f(int a) { if (a) return M; return a; }\n' });
    const id = gitIn(folder, ['rev-parse', expression]);
    removeObject(folder, id);
    return { folder, id };
  };

  it.each([
    'HEAD:d/a.c',
    'HEAD~1:d/a.c',
    'HEAD:d',
    'HEAD^{tree}',
    'HEAD~1:d',
    'HEAD~1',
    'HEAD~1^{tree}',
  ])('is reported, and nothing is measured without it: %s', async (expression) => {
    const { folder, id } = await broken(expression);
    const measured = await measureCommit(folder, 'HEAD');
    expect(measured).toMatchObject({
      kind: 'environment',
      // For a tree, git names the commit that contains it.
      message: expect.stringMatching(expression.endsWith('^{tree}') ? /[\da-f]{40}/ : id),
    });
  });

  it('is not treated as a missing file', async () => {
    const { folder, id } = await broken('HEAD:d/b.c');
    const repository = withoutFault(await Repository.open(folder));
    const head = withoutFault(await repository.resolve('HEAD'));
    expect(await repository.fileAt(head, 'd/b.c')).toMatchObject({
      kind: 'environment',
      message: expect.stringContaining(id),
    });
    expect(await repository.fileAt(head, 'd/c.c')).toBeUndefined();
    expect(await repository.fileAt(head, 'd')).toBeUndefined();
    expect(await repository.blobs([id])).toBeInstanceOf(Fault);
    expect(await repository.filesWith(['M'], head, ['*.c'])).toBeInstanceOf(Fault);
    expect(await repository.checkOut(head, temporaryFolder('out'))).toBeInstanceOf(Fault);
  });

  it('is reported for the list of submodules', async () => {
    const folder = temporaryFolder('submodules');
    initRepository(folder);
    const head = commitFiles(folder, { '.gitmodules': '[submodule "x"]\n\tpath = x\n\turl = y\n' });
    removeObject(folder, gitIn(folder, ['rev-parse', 'HEAD:.gitmodules']));
    const repository = withoutFault(await Repository.open(folder));
    expect(await repository.checkOut(head, temporaryFolder('out'))).toBeInstanceOf(Fault);
  });

  it('is reported in a partial clone that never had it', async () => {
    const root = temporaryFolder('partial');
    const { folder } = strange();
    gitIn(folder, ['config', 'uploadpack.allowFilter', 'true']);
    gitIn(root, ['clone', '-q', '--no-checkout', '--filter=blob:none', `file://${folder}`, 'clone']);
    const clone = join(root, 'clone');
    const before = readdirSync(join(clone, '.git', 'objects', 'pack'));
    expect(await measureCommit(clone, 'HEAD')).toMatchObject({ kind: 'environment' });
    expect(readdirSync(join(clone, '.git', 'objects', 'pack'))).toEqual(before);
  });
});

describe('a repository with an unusual layout', () => {
  it('is read: linked working tree, split index, branch with an upstream branch', async () => {
    const { root, folder } = strange();
    gitIn(folder, ['update-index', '--split-index']);
    gitIn(folder, ['branch', 'base', 'HEAD~1']);
    gitIn(folder, ['branch', '-q', '--set-upstream-to=base', 'main']);
    gitIn(folder, ['worktree', 'add', '-q', '--detach', join(root, 'linked'), 'HEAD~1']);
    await lookAtAll(folder);
    const repository = withoutFault(await Repository.open(folder));
    expect(await repository.resolve('@{upstream}')).toBe(gitIn(folder, ['rev-parse', 'HEAD~1']));
    expect(await repository.resolve('HEAD@{1}')).toBe(gitIn(folder, ['rev-parse', 'HEAD~1']));
    const linked = withoutFault(await Repository.open(join(root, 'linked')));
    expect(await linked.resolve('HEAD')).toBe(gitIn(folder, ['rev-parse', 'HEAD~1']));
    expect(await measureFiles(linked)).toMatchObject({ complexity: 0, lines: 0 });
    mkdirSync(join(folder, 'deep'));
    const below = withoutFault(await Repository.open(join(folder, 'deep')));
    expect(below.top).toBe(folder);
  });
});
