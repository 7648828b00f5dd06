import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFault, type Fault, usageFault } from '../../fault.js';
import type { Machine } from '../../this-machine.js';
import { readParagraphs, words } from './control.js';

/**
 * The Debian archive to use: `CULPRIT_DEBIAN_MIRROR`, else the mirror in `culprit.json` (`configured`), else the
 * mirror that apt uses. culprit has no default mirror.
 */
export async function findMirror(machine: Machine, configured: string | undefined): Promise<URL | Fault> {
  const named = machine.env.CULPRIT_DEBIAN_MIRROR || configured;
  const address = named || (await aptMirror(machine.etc));
  if (address === undefined) {
    return environmentFault(
      'no Debian mirror is known on this machine: set CULPRIT_DEBIAN_MIRROR to the address of one ' +
        '(the folder that holds dists/ and pool/), or "mirrors": { "debian": … } in culprit.json',
    );
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:', 'file:'].includes(url.protocol)) {
    return usageFault(
      `"${address}" is not the address of a Debian mirror: it starts with http://, https:// or file://`,
    );
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

interface AptSource {
  readonly uris: readonly string[];
  readonly suites: readonly string[];
  readonly components: readonly string[];
}

async function aptMirror(etc: string): Promise<string | undefined> {
  // Other distributions ship other versions under the same package names.
  if (!/^ID="?debian"?$/m.test(await readText(join(etc, 'os-release')))) return undefined;
  for (const source of await aptSources(join(etc, 'apt'))) {
    const security = source.suites.some((suite) => /-security$|\/updates$/.test(suite));
    const uri = source.uris.find((address) => /^(https?|file):/.test(address));
    if (!security && source.components.includes('main') && uri !== undefined) return uri;
  }
  return undefined;
}

async function aptSources(folder: string): Promise<readonly AptSource[]> {
  const parts = join(folder, 'sources.list.d');
  const names = (await readdir(parts).catch(() => [])).sort();
  const sources = oneLineSources(await readText(join(folder, 'sources.list')));
  for (const name of names) {
    const text = await readText(join(parts, name));
    if (name.endsWith('.list')) sources.push(...oneLineSources(text));
    if (name.endsWith('.sources')) sources.push(...paragraphSources(text));
  }
  return sources;
}

/** `deb [arch=amd64] http://… bookworm main contrib` */
function oneLineSources(text: string): AptSource[] {
  return text.split('\n').flatMap((line) => {
    const [, uri, suite, components] =
      /^deb\s+(?:\[[^\]]*\]\s+)?(\S+)\s+(\S+)([^#]*)/.exec(line.trim()) ?? [];
    if (uri === undefined || suite === undefined) return [];
    return [{ uris: [uri], suites: [suite], components: (components ?? '').split(/\s+/) }];
  });
}

function paragraphSources(text: string): AptSource[] {
  return readParagraphs(text)
    .filter((source) => words(source, 'types').includes('deb') && source.get('enabled') !== 'no')
    .map((source) => ({
      uris: words(source, 'uris'),
      suites: words(source, 'suites'),
      components: words(source, 'components'),
    }));
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}
