/**
 * npm run release -- VERSION [--dry-run]: runs all tests, closes the changelog's section "Unreleased", sets the version,
 * commits, tags, and runs `npm publish --dry-run`. You push and publish yourself. With --dry-run, it only prints its steps.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

class Refusal extends Error {}

const usage = 'usage: npm run release -- VERSION [--dry-run]';
const heading = '## [Unreleased]';

const output = (program, ...args) => execFileSync(program, args, { encoding: 'utf8' }).trim();
const show = (program, ...args) => execFileSync(program, args, { stdio: 'inherit' });
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);

function parseWords() {
  try {
    const { values, positionals } = parseArgs({
      options: { 'dry-run': { type: 'boolean', default: false } },
      allowPositionals: true,
    });
    const [version] = positionals;
    if (positionals.length !== 1) throw new Refusal(usage);
    return { version, isDry: values['dry-run'] };
  } catch (error) {
    throw new Refusal(error instanceof Refusal ? error.message : `${error.message}; ${usage}`);
  }
}

/** The parts of a version; one with a suffix such as `1.0.0-rc.1` comes before `1.0.0`. */
function partsOf(version) {
  const parts = /^(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/.exec(version);
  if (parts === null) throw new Refusal(`${version} is not a version such as 1.2.3`);
  return [...parts.slice(1, 4).map(Number), parts[4] === undefined ? 1 : 0];
}

function isNewer(version, current) {
  const [parts, others] = [partsOf(version), partsOf(current)];
  const at = parts.findIndex((part, index) => part !== others[index]);
  return at !== -1 && parts[at] > others[at];
}

/** The changelog with an empty section "Unreleased" above that of the new version. */
function closeChangelog(text, version, date) {
  const at = text.indexOf(`\n${heading}\n`);
  if (at === -1) throw new Refusal(`CHANGELOG.md has no section "${heading}"`);
  const start = at + heading.length + 2;
  const next = text.indexOf('\n## ', start);
  const notes = text.slice(start, next === -1 ? text.length : next).trim();
  if (notes === '') throw new Refusal(`CHANGELOG.md has nothing under "${heading}"`);
  return `${text.slice(0, start)}\n## [${version}] - ${date}\n${text.slice(start)}`;
}

function release() {
  const { version, isDry } = parseWords();
  const manifest = readJson('package.json');
  const lock = readJson('package-lock.json');
  const tag = `v${version}`;
  const isFirst = output('git', 'tag', '--list', `v${manifest.version}`) === '';
  if (!isNewer(version, manifest.version) && !(isFirst && version === manifest.version))
    throw new Refusal(`${version} is not newer than ${manifest.version}, the version in package.json`);
  if (output('git', 'tag', '--list', tag) !== '') throw new Refusal(`the tag ${tag} exists already`);
  if (output('git', 'status', '--porcelain') !== '')
    throw new Refusal('the working tree has uncommitted changes: commit or remove them');
  const date = new Date().toISOString().slice(0, 10);
  const changelog = closeChangelog(readFileSync('CHANGELOG.md', 'utf8'), version, date);

  const steps = [
    ['npm test', () => show('npm', 'test')],
    [
      `close the section "Unreleased" of CHANGELOG.md as ${version} - ${date}`,
      () => writeFileSync('CHANGELOG.md', changelog),
    ],
    [
      `set the version in package.json and package-lock.json to ${version}`,
      () => {
        writeJson('package.json', { ...manifest, version });
        const packages = { ...lock.packages, '': { ...lock.packages[''], version } };
        writeJson('package-lock.json', { ...lock, version, packages });
      },
    ],
    [
      `commit and tag ${tag}`,
      () => {
        show(
          'git',
          'commit',
          '-q',
          '-m',
          `Release ${version}`,
          ...['package.json', 'package-lock.json', 'CHANGELOG.md'],
        );
        show('git', 'tag', '-a', tag, '-m', `culprit ${version}`);
      },
    ],
    ['npm publish --dry-run', () => show('npm', 'publish', '--dry-run')],
  ];
  for (const [name, act] of steps) {
    console.log(isDry ? `would ${name.replace(/^npm/, 'run npm')}` : name);
    if (!isDry) act();
  }
  if (!isDry) console.log(`next: git push --follow-tags && npm publish`);
}

try {
  release();
} catch (error) {
  const isFailedCommand = error.status !== undefined;
  if (!(error instanceof Refusal) && !isFailedCommand) throw error;
  console.error(`release: ${error.message.split('\n')[0]}`);
  process.exitCode = 1;
}
