#include <stdio.h>
#include <stdlib.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#ifdef DEBUG
#define LOG(...) fprintf(stderr, __VA_ARGS__)
#else
#define LOG(...) ((void)0)
#endif

struct node { int value; struct node *next; };
static struct node *head;
enum colour { RED, GREEN = 5, BLUE };

static int push(int value) {
  struct node *made = malloc(sizeof *made);
  if (!made) return -1;
  made->value = value; made->next = head;
  head = made;
  LOG("pushed %d\n", value);
  return 0;
}

int longest(const char *text) {
  int best = 0, run = 0;
  for (const char *at = text; *at; at++) {
    switch (*at) {
    case ' ': case '\t': run = 0; break;
    case '\\': at++; /* fall through */
    default: run++;
    }
    best = MAX(best, run);
  }
  do { if (best > 80) goto out; best += 1; } while (best % 8 != 0);
out:
  return best ? best : -1;
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-') continue;
    else if (push(longest(argv[i])) < 0) return 1;
  while (head) { printf("%d\n", head->value); head = head->next; }
  return 0;
}
