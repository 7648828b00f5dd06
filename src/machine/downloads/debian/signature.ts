import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFault, Fault } from '../../fault.js';
import { argumentList, operands, optionWith } from '../../processes/argument-list.js';
import { runTool } from '../../processes/tool.js';
import { findOnPath, type Machine } from '../../this-machine.js';

export interface Signed {
  readonly text: string;
  readonly trust: string;
  readonly verified: boolean;
}

/** Keyring paths of the package debian-archive-keyring. */
const keyrings = [
  '/usr/share/keyrings/debian-archive-keyring.gpg',
  '/usr/share/keyrings/debian-archive-keyring.pgp',
];

/**
 * The signed text of an InRelease file. If possible, gpgv verifies its signature with Debian's archive keys or with
 * the keys in `CULPRIT_DEBIAN_KEYRING` (`none` disables the check).
 */
export async function verifySignature(
  inRelease: Buffer,
  what: string,
  folder: string,
  machine: Machine,
): Promise<Signed | Fault> {
  const keyring = machine.env.CULPRIT_DEBIAN_KEYRING || keyrings.find((file) => existsSync(file));
  if (keyring === undefined) return unverified(inRelease, what, 'no keys of Debian on this machine');
  if (keyring === 'none') return unverified(inRelease, what, 'switched off');
  if (findOnPath('gpgv', machine) === undefined) return unverified(inRelease, what, 'gpgv is not installed');

  const file = join(folder, 'InRelease');
  await writeFile(file, inRelease);
  const command = argumentList(
    'gpgv',
    ...(['--status-fd', '2', '--output', '-'] as const),
    optionWith('--keyring', keyring),
    operands(file),
  );
  const end = await runTool(command, machine, { timeoutMs: 60_000 });
  await rm(file);
  if (end instanceof Fault) return end;
  const statuses = [...end.stderr.matchAll(/^\[GNUPG:\] (\w+)/gm)].map(([, status]) => status);
  if (statuses.includes('BADSIG')) {
    return environmentFault(`${what} has a bad signature: it was modified; use another mirror`);
  }
  // A suite is signed with the keys of two releases; one known key is enough.
  if (statuses.includes('VALIDSIG')) {
    return { text: end.stdout.toString('utf8'), trust: "the archive's signature", verified: true };
  }
  return environmentFault(
    `${what} is not signed by any key in ${keyring}: bring the package debian-archive-keyring up to date, or set ` +
      'CULPRIT_DEBIAN_KEYRING to the keys of your mirror (or to none, to go without)',
  );
}

const head = '-----BEGIN PGP SIGNED MESSAGE-----\n';
const tail = '\n-----BEGIN PGP SIGNATURE-----';

/** RFC 9580, section 7: armour headers, an empty line, the text with escaped leading dashes. */
function clearText(signed: string): string | undefined {
  const start = signed.indexOf('\n\n');
  const end = signed.indexOf(tail, start + 1);
  if (!signed.startsWith(head) || start < 0 || end < 0) return undefined;
  return signed.slice(start + 2, end).replaceAll(/^- /gm, '');
}

function unverified(inRelease: Buffer, what: string, why: string): Signed | Fault {
  const text = inRelease.toString('utf8');
  const body = clearText(text);
  if (body === undefined) return environmentFault(`${what} is damaged: it is not a signed index`);
  return { text: body, trust: `the archive's index, its signature not checked (${why})`, verified: false };
}
