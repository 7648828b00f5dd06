/** What compilers and linkers complain about. */

/** More of them say nothing new. */
const mostComplaints = 200;

const complaint =
  /\berror\b|: note:|undefined reference|multiple definition|undefined symbol|duplicate symbol|No rule to make target/;

/** The lines that say why something does not build. */
export function complaintsIn(said: string): readonly string[] {
  return said
    .split('\n')
    .filter((line) => complaint.test(line))
    .slice(0, mostComplaints);
}
