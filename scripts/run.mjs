import { spawn } from 'node:child_process';

/**
 * Runs a program to its end and resolves to its exit code and output. npm puts node_modules/.bin on the PATH of its
 * scripts. With `isShown`, the program prints directly to the terminal and `output` is empty.
 */
export function run(program, args, { isShown = true } = {}) {
  return new Promise((resolve) => {
    const chunks = [];
    const child = spawn(program, args, { stdio: isShown ? 'inherit' : ['ignore', 'pipe', 'pipe'] });
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.on('error', ({ message }) => resolve({ code: 1, output: `${program}: ${message}: use npm run\n` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}
