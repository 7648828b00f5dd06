/** The browser for tests: an installed one, or else Debian's headless Chromium. */

import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  addDebianTool,
  argumentList,
  type DebianArchitecture,
  type DebianOptions,
  type DebianTool,
  environmentFault,
  Fault,
  findOnPath,
  lastErrorLine,
  runTool,
  startScript,
} from '../../src/machine/index.js';

/** Libraries in later suites depend on graphics drivers. */
const suite = 'bookworm';
const home = 'usr/lib/chromium';
const program = `${home}/chromium-headless-shell`;

/** The program with its data, libraries and fonts, without graphics and sound drivers. */
const kept = [
  /^usr\/lib\/chromium\/(chromium-headless-shell|headless_[^/]*\.pak|icudtl\.dat|[^/]*\.bin)$/,
  /^usr\/lib\/[^/]+-linux-gnu\/(pulseaudio\/)?[^/]+\.so(\.[^/]*)?$/,
  /^usr\/share\/fonts\/truetype\/dejavu\//,
];

export const debianChromium: DebianTool = {
  name: 'chromium',
  suite,
  packages: ['chromium-headless-shell', 'fonts-dejavu-core'],
  // Both are for windows on a screen, and cause a third of all downloads.
  without: ['x11-utils', 'xdg-utils'],
  keeps: (path) => kept.some((pattern) => pattern.test(path)),
  async finish(folder, root, architecture) {
    const { loader, triple } = architecture;
    // Chromium looks for its data next to its executable, and the loader is the executable.
    const content = root.read(`usr/lib/${triple}/${loader}`) ?? Buffer.alloc(0);
    await writeFile(join(folder, 'root', home, loader), content, { mode: 0o755 });
    await writeFile(join(folder, 'fonts.conf'), fontConfiguration('root/usr/share/fonts'));
    await mkdir(join(folder, 'bin'));
    await writeFile(join(folder, 'bin', 'chromium'), script(architecture), { mode: 0o755 });
  },
  async test(chromium, options) {
    const why = await whyNotStarting(chromium, options);
    return why === undefined
      ? undefined
      : environmentFault(`the chromium of Debian ${suite} does not work here: ${why}`);
  },
};

/** Only DejaVu fonts, so that a page looks the same on every machine. A relative folder is next to the written file. */
export const fontConfiguration = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir${isAbsolute(folder) ? '' : ' prefix="relative"'}>${folder}</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
  <alias binding="strong"><family>sans-serif</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias binding="strong"><family>system-ui</family><prefer><family>DejaVu Sans</family></prefer></alias>
  <alias binding="strong"><family>monospace</family><prefer><family>DejaVu Sans Mono</family></prefer></alias>
</fontconfig>
`;

/** Debian's package fonts-dejavu-core installs them there. */
export const systemFonts = '/usr/share/fonts/truetype/dejavu';

/** Chromium starts a process for each page. It has to start this script, since its own program is the loader. */
const words = `export FONTCONFIG_FILE="$tool/fonts.conf"
case "$*" in
*--type=*) ;;
*) set -- --no-sandbox --no-zygote --browser-subprocess-path="$tool/bin/chromium" "$@" ;;
esac
`;

function script({ loader, triple }: DebianArchitecture): string {
  const libraries = `usr/lib/${triple}`;
  return startScript({
    program,
    loader: `${home}/${loader}`,
    libraries: [libraries, `${libraries}/pulseaudio`],
    before: words,
  });
}

const names = [
  'chromium',
  'chromium-headless-shell',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];

/** The path of a browser that works here. If the machine has none, or lacks the fonts, one is downloaded with the fonts. */
export async function findBrowser(options: DebianOptions, fonts = systemFonts): Promise<string | Fault> {
  const installed = existsSync(join(fonts, 'DejaVuSans.ttf')) ? names : [];
  for (const name of installed) {
    const file = findOnPath(name, options.machine);
    if (file !== undefined && (await whyNotStarting(file, options)) === undefined) return file;
  }
  return addDebianTool(debianChromium, options);
}

/** Some are only a script that prints where to get a browser. */
async function whyNotStarting(file: string, { machine, signal }: DebianOptions): Promise<string | undefined> {
  const command = argumentList(
    file,
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--dump-dom',
    'data:text/html,<p>it starts',
  );
  const end = await runTool(command, machine, { timeoutMs: 60_000, signal });
  if (end instanceof Fault) return end.message;
  return end.exitCode === 0 && end.stdout.includes('<p>it starts</p>') ? undefined : lastErrorLine(end);
}
