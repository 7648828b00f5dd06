/** Programs whose lines are hard to count. */

export const programs: Readonly<Record<string, string>> = {
  'loops-on-a-line.c': `#include <stdio.h>
static int f(int n) { int s = 0; for (int i = 0; i < n; i++) if (i % 3) s += i; else s -= 1; return s; }
int main(int c, char **v) {
  int k = 10, s = 0; while (k --> 0) s += k; do { k++; } while (k < 5);
  for (int i = 0; i < 3; i++) for (int j = 0; j < i; j++) s += i * j;
  (void)v;
  printf("%d\\n", f(10) + f(c) + s); return 0; }
`,
  'goto-and-switch.c': `#include <stdlib.h>
static int step(int x) {
  switch (x % 5) {
  case 0: return x + 1;
  case 1: x++; /* fall through */
  case 2: x += 2; break;
  default: goto out;
  }
  if (x > 3 && (x & 1 || x % 7 == 0)) x--;
out:
  return x ? x + 1 : 7;
}
int main(void) {
  int x = 0;
again:
  x = step(x);
  if (x < 200) goto again;
  if (x == 1) exit(3);
  return 0;
}
`,
  'not-returning.c': `#include <setjmp.h>
#include <stdlib.h>
static jmp_buf there;
static void leave(int n) { if (n > 3) longjmp(there, n); }
static void work(int n) {
  for (int i = 0; i < n; i++)
    leave(i);
  leave(0);
}
int main(void) {
  volatile int times = 0;
  if (setjmp(there) != 0) times++;
  if (times < 4) work(6);
  exit(0);
  return 1;
}
`,
  'templates-and-throws.cpp': `#include <algorithm>
#include <map>
#include <string>
#include <vector>
template <class T> T biggest(std::vector<T> const &v) {
  T best = v[0];
  for (auto const &x : v) if (x > best) best = x;
  return best;
}
struct Bad { int n; };
struct Guard { int &n; ~Guard() { n++; } };
int risky(int n, int &left) { Guard guard{left}; if (n % 7 == 0) throw Bad{n}; return n * 2; }
int main(int argc, char **) {
  std::vector<int> a; std::vector<std::string> b;
  for (int i = 1; i < 100; i++) { a.push_back(i * 37 % 101); b.push_back(std::to_string(i)); }
  std::map<int, int> m; for (int x : a) m[x % 10]++;
  int sum = 0, caught = 0, left = 0;
  for (int i = 1; i <= 50; i++)
    try { sum += risky(i, left); } catch (Bad &e) { caught += e.n; }
  std::sort(a.begin(), a.end(), [](int x, int y) { return x > y; });
  static std::string const once = biggest(b);
  return biggest(a) + sum + caught + left + int(once.size()) + int(m.size()) > 5 && argc < 9 ? 0 : 1;
}
`,
  'virtual.cpp': `#include <memory>
#include <vector>
struct Shape { virtual ~Shape() = default; virtual int area() const = 0; };
struct Square : Shape { int side; explicit Square(int s) : side(s) {} int area() const override { return side * side; } };
template <int N> struct Fixed : Shape { int area() const override { int sum = 0; for (int i = 0; i < N; i++) sum += i; return sum; } };
int main() {
  std::vector<std::unique_ptr<Shape>> shapes;
  for (int i = 0; i < 20; i++)
    shapes.push_back(i % 3 == 0 ? std::unique_ptr<Shape>(new Square(i)) : i % 3 == 1 ? std::unique_ptr<Shape>(new Fixed<4>) : std::unique_ptr<Shape>(new Fixed<9>));
  int sum = 0;
  for (auto const &shape : shapes) sum += shape->area();
  return sum > 0 ? 0 : 1;
}
`,
};
