import { expect, it } from 'vitest';
import { errorLines } from '../../src/builds/error-lines.js';

it("errorLines reports compiler errors and not CMake's checks", () => {
  const log = [
    '-- Treating only serious compiler warnings as errors',
    '-- Performing Test HAS__Werror_odr',
    '[17/90] Building CXX object error_codes.cpp.o',
    'FAILED: src/math/lp/nla.cpp.o',
    "../src/math/lp/nla.cpp:12:5: error: 'vaxr' was not declared in this scope",
    'ninja: build stopped: subcommand failed.',
  ];
  expect(errorLines(log.join('\n'))).toBe(log[4]);
});

it.each([
  ["main.c:(.text+0x1): undefined reference to `f'"],
  ['make: *** No rule to make target `x'],
  ['CMake Error at CMakeLists.txt:3 (message):'],
  ['sh: 1: frob: not found'],
])('errorLines reports %s', (line) => {
  expect(errorLines(`something\n${line}\nand more\n`)).toBe(line);
});

it("errorLines joins CMake's location with the reason below it", () => {
  const log = [
    '-- Found Git: /usr/bin/git',
    'CMake Error at src/options/CMakeLists.txt:11 (message):',
    '  Could not find Python module toml.  Install via',
    '  `pip install toml`.',
    '',
    '',
    '-- Configuring incomplete, errors occurred!',
    '  something else',
  ];
  expect(errorLines(log.join('\n'))).toBe(
    'CMake Error at src/options/CMakeLists.txt:11 (message): Could not find Python module toml.  Install via `pip install toml`.',
  );
});

it('errorLines falls back to any error word, then to the last lines', () => {
  expect(errorLines('one\nAn Error occurred\ntwo\n')).toBe('An Error occurred');
  expect(errorLines('one\n\ntwo\nthree\nfour\n')).toBe('two | three | four');
  expect(errorLines('-- one\n-- two\n')).toBe('-- one | -- two');
  expect(errorLines('')).toBe('');
});
