/** The range of commits to search for a culprit. */

import { Fault, usageFault } from '../../machine/index.js';
import { parseSpec } from '../../solver/index.js';

export interface CommitRange {
  readonly repo: string;
  readonly good: string;
  readonly bad: string;
}

/**
 * The commits that the user names, or else the commits of the versions.
 *
 * @param versions a list in the form of `--on`, the oldest first
 */
export function commitRange(
  versions: string,
  named: { readonly [Key in keyof CommitRange]?: CommitRange[Key] | undefined },
): CommitRange | Fault {
  const specs = versions.split(',').map((spec) => commitSpec(spec));
  const [oldest, newest] = [specs[0], specs.at(-1)];
  const repo = named.repo ?? newest?.repository;
  const good = named.good ?? oldest?.revision;
  const bad = named.bad ?? newest?.revision;
  if (repo === undefined || good === undefined || bad === undefined)
    return usageFault(
      '--blame needs commits: hunt --on git:PATH@OLD,git:PATH@NEW, or name them with --repo, --good and --bad',
    );
  return { repo, good, bad };
}

/** Undefined if the version is not a commit. */
function commitSpec(text: string) {
  const spec = parseSpec(text);
  return spec instanceof Fault || spec.from !== 'git' ? undefined : spec;
}
