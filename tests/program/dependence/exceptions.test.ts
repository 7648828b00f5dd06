import { describe, test } from 'vitest';
import { compileCxx } from './compile.js';
import { expectSlice } from './marked-slices.js';

const backward: Readonly<Record<string, string>> = {
  'includes the conditions of a throw for the code that catches it': `
    void check(int x, int y) {
      if (x > 3)        // *
        throw 1;        // *
      y = 2;
    }
    int main(int n, char **v) {
      int found = 0;    // *
      int other = 1;
      try {
        check(n, 1);    // *
      } catch (...) {
        found = 1;      // *
      }
      return found;     // <
    }`,
  'includes the source of a thrown value': `
    void fail(int x) {
      throw x;          // *
    }
    int main(int n, char **v) {
      int code = 0;     // *
      try {
        int unused = 3;
        fail(n);        // *
      } catch (int thrown) { // *
        code = thrown;  // *
      }
      return code;      // <
    }                   // *`,
  'includes the destructor of an exception': `
    int closed, other;
    struct Error {
      ~Error() {
        closed = 1;     // *
      }                 // *
    };
    void fail() {
      throw Error();    // *
    }
    int main(int n, char **v) {
      closed = 0;       // *
      other = 2;
      try {
        fail();         // *
      } catch (...) {
      }                 // *
      return closed;    // <
    }`,
};

describe('a backward slice', () => {
  test.each(Object.entries(backward))('%s', (_, source) => expectSlice(source, 'backwardSlice', compileCxx));
});
