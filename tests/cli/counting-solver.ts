/** A Z3 in shell that counts as much work as it was made with, whatever the formula, and gives up at its limit. */
export function countingSolver(effort: number): string {
  return `#!/bin/sh
effort=${effort} limit=1000000000
for word; do
  case $word in
  *version) echo "Z3 version 4.8.8 - 64 bit"; exit ;;
  rlimit=*) limit=\${word#rlimit=} ;;
  esac
done
cat >/dev/null
if [ "$effort" -ge "$limit" ]; then echo unknown; effort=$((limit + 19)); else echo sat; fi
echo "(:rlimit-count $effort)"
`;
}
