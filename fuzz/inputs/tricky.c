/* Old style, digraphs, conditionals in the middle of things. */
int old(a, b) int a; char *b; { return a + *b; }
%:define PAIR <: 2 :>
int pair PAIR = <% 1, 2 %>;
#if defined(A) && A > 2 || \
    !defined B
int chosen(void) {
#else
int chosen(int unused) {
#endif
  int x = 'a' + '\'' + L'\x41' + 1'000;
  return x, pair<:0:>;
}
static int (*table[2])(int) = { [1] = 0 };
__attribute__((noinline)) static inline void never(void) { for (;;) ; }
int loops(int n) {
  while (n) { if (n == 3) { n--; continue; } else if (n < 0) break; n--; }
  asm volatile ("nop" ::: "memory");
  return ({ int y = n; y ? y : 2; });
}
