/** Compares Debian version numbers (Debian policy, 5.6.12). */
export function compareDebianVersions(a: string, b: string): number {
  const left = split(a);
  const right = split(b);
  return (
    left.epoch - right.epoch ||
    comparePart(left.upstream, right.upstream) ||
    comparePart(left.revision, right.revision)
  );
}

function split(version: string) {
  const [, epoch, rest = ''] = /^(?:(\d+):)?(.*)$/.exec(version) ?? [];
  const dash = rest.lastIndexOf('-');
  return {
    epoch: Number(epoch ?? 0),
    upstream: dash === -1 ? rest : rest.slice(0, dash),
    revision: dash === -1 ? '0' : rest.slice(dash + 1),
  };
}

/** Compares runs of non-digits and runs of digits alternately. */
function comparePart(a: string, b: string): number {
  let left = a;
  let right = b;
  while (left !== '' || right !== '') {
    const [leftText = '', leftDigits = ''] = run(left);
    const [rightText = '', rightDigits = ''] = run(right);
    const difference = compareText(leftText, rightText) || Number(leftDigits || 0) - Number(rightDigits || 0);
    if (difference !== 0) return difference;
    left = left.slice(leftText.length + leftDigits.length);
    right = right.slice(rightText.length + rightDigits.length);
  }
  return 0;
}

function run(text: string): readonly string[] {
  return /^(\D*)(\d*)/.exec(text)?.slice(1) ?? [];
}

function compareText(a: string, b: string): number {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const difference = weight(a[at]) - weight(b[at]);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** A tilde sorts before the end of a part, letters before everything else. */
function weight(character: string | undefined): number {
  if (character === undefined) return 0;
  if (character === '~') return -1;
  const code = character.charCodeAt(0);
  return /[A-Za-z]/.test(character) ? code : code + 256;
}
