import { beforeAll, describe, expect, it } from 'vitest';
import type { NamedChange } from '../../src/change/index.js';
import { complexityHtml, interactionsText } from '../../src/report/index.js';
import { commitOf, madeChange } from './made-changes.js';

const text = (last: string): string => `int f (int a)
{
  while (a)
    {
      g (a);
      ${last}
    }
  return a;
}
`;

let changes: readonly NamedChange[];

beforeAll(async () => {
  changes = [
    await madeChange(1, 'Say why', { 'a.c': text('a--;') }, { 'a.c': `/* why */\n${text('a--;')}` }),
    await madeChange(2, 'One more', { 'a.c': text('a--;') }, { 'a.c': text('a -= 2;') }),
    await madeChange(
      3,
      'Many <more>',
      { 'a.c': text('') },
      { 'a.c': text('if (a > 3) a--; else if (h (a)) a -= 2; else break;') },
    ),
  ];
});

const [second, third] = [2, 3].map((number) => commitOf(number, '').id);
const nameOf = (id = ''): string => id.slice(0, 10);

describe('complexity page', () => {
  it('lists the most complex change first and leaves out those of complexity 0 by default', async () => {
    const page = await complexityHtml({ changes }, '1');
    const [table = ''] = /<table class="sortable filterable"[^>]*>.*?<\/table>/s.exec(page) ?? [];
    expect(
      [...table.matchAll(/<td class="words">([^<]+)<\/td><\/tr>/g)].map(([, subject]) => subject),
    ).toEqual(['Many &lt;more&gt;', 'One more']);
    expect(page).toContain('1 more change of complexity 0: no executed code changed (--all lists it).');
    const all = await complexityHtml({ changes, isEvery: true }, '1');
    expect(all).toContain('<td class="words">Say why</td>');
    expect(all).not.toContain('of complexity 0:');
    const top = await complexityHtml({ changes, top: 1 }, '1');
    expect(top).toContain('<td class="words">Many &lt;more&gt;</td>');
    expect(top).not.toContain('<td class="words">One more</td>');
  });

  it('names the commits above the limit and links to them', async () => {
    const [most = 0, less = 0] = changes.map(({ measure }) => measure.complexity).toSorted((a, b) => b - a);
    const page = await complexityHtml({ changes, max: less }, '1');
    expect(page).toContain(
      `<p class="bad"><b>1 of 3 above ${less}</b>: <a href="#change-1"><code>${nameOf(third)}</code></a> (${most}).</p>`,
    );
    expect(page.match(/above the limit of/g)).toHaveLength(1);
    expect(page).toContain('<section id="change-1">');
    const within = await complexityHtml({ changes, max: most }, '1');
    expect(within).toContain(`None is above the limit of ${most}.`);
  });

  it('shows the code of each change, then the graph, and the meaning of the numbers last', async () => {
    const page = await complexityHtml({ changes: changes.slice(1, 2) }, '1');
    expect(page).toContain(`<title>${nameOf(second)}: complexity `);
    const places = [
      '<ins class="line changed counted" data-line="6">',
      '<svg class="sequence"',
      '<summary>What the numbers mean</summary>',
    ].map((part) => page.indexOf(part));
    expect(places.every((at) => at > 0)).toBe(true);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(page).not.toContain('<table class="sortable');
  });

  it('lists places where changes can interact', async () => {
    const [, change] = changes;
    const at = { file: 'a.c', line: 8, function: 'f' };
    const of = [
      { file: 'a.c', line: 6 },
      { file: 'b.c', line: 2 },
    ];
    const interactions = {
      found: [{ at, of }],
      sequences: {
        statements: [
          { ...at, line: 6, kind: 'change' as const },
          { ...at, kind: 'interaction' as const, changes: [0] },
        ],
        edges: [[0, 1] as const],
      },
    };
    const page = await complexityHtml({ changes: change === undefined ? [] : [change], interactions }, '1');
    expect(page).toContain('<td>a.c:8</td><td>f</td><td>6, b.c:2</td>');
    expect(page).toContain('<g class="interaction">');
    const many = Array.from({ length: 140 }, (_, line) => ({
      at: { ...at, line },
      of: Array(50).fill(of[0]),
    }));
    const short = await complexityHtml(
      { changes: change === undefined ? [] : [change], interactions: { ...interactions, found: many } },
      '1',
    );
    expect(short).toContain('<td>6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6 and 38 more</td>');
    expect(short).toContain('And 40 more places; --json has all.');
    expect(interactionsText(many).split('\n').at(-1)).toBe('and 40 more places (all with --json)');
    const [first] = changes;
    const none = await complexityHtml(
      {
        changes: change === undefined || first === undefined ? [] : [change],
        interactions: { ...interactions, found: [] },
      },
      '1',
    );
    expect(none).toContain('No other statement depends on more than one of the changes.');
  });

  it('accepts a commit with an invalid time', async () => {
    const [, change] = changes;
    if (change === undefined) throw new Error('there is no second change');
    const of = { ...commitOf(4, 'Later'), time: 1e17 };
    expect(await complexityHtml({ changes: [{ ...change, of }] }, '1')).toContain(
      '<p class="quiet">Somebody</p>',
    );
  });

  it('names the command for a graph that is too large, and leaves out an empty one', async () => {
    const [, change] = changes;
    if (change === undefined) throw new Error('there is no second change');
    const withEdges = (edgeCount: number): NamedChange => ({
      ...change,
      measure: { ...change.measure, graph: { ...change.measure.graph, edgeCount } },
    });
    const hint = 'draw it with --graph changes.svg';
    expect(await complexityHtml({ changes: [withEdges(1000)] }, '1')).toContain(hint);
    const none = await complexityHtml({ changes: [withEdges(0)] }, '1');
    expect(none).not.toContain(hint);
    expect(none).not.toContain('<figure>');
  });

  it('accepts an empty list of changes', async () => {
    expect(await complexityHtml({ changes: changes.slice(0, 1) }, '1')).toContain('complexity 0');
    expect(await complexityHtml({ changes: [] }, '1')).toContain('No change');
  });
});
