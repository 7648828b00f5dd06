import { expect, it } from 'vitest';
import { declaredNames } from '../../src/explain/comparing/changed-declarations.js';

it.each([
  ['extern void set_file_variables PARAMS ((struct file *file));', ['set_file_variables']],
  ['const struct floc **expanding_var = &reading_file;', ['expanding_var']],
  ['static int table[] = {\n  10, 4,\n  last };', ['table']],
  ['int a, *b = c, d[SIZE];', ['a', 'b', 'd']],
  ['#define LIMIT(x) \\\n  ((x) < most)', ['LIMIT']],
  ['enum state { begun = first, done };', ['state', 'begun', 'done']],
  ['struct place {\n  int line : 3;\n  char *(*name) (int kind);\n};', ['place', 'line']],
  ['typedef unsigned long word;', ['word']],
  ['  10, 4\n};', []],
  ['#ifdef __EMX__\n#include <config.h>', []],
])('declaredNames reads from %s the names %j', (text, names) => {
  expect([...declaredNames(text)]).toEqual(names);
});
