const maxDiagnostics = 200;

const diagnostic =
  /\berror\b|: note:|undefined reference|multiple definition|undefined symbol|duplicate symbol|No rule to make target/;

/** The lines in which a compiler, linker or make says why a build fails. */
export function diagnosticsIn(output: string): readonly string[] {
  return output
    .split('\n')
    .filter((line) => diagnostic.test(line))
    .slice(0, maxDiagnostics);
}
