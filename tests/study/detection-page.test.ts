import { describe, expect, it } from 'vitest';
import { countCampaigns, detectionTable } from '../../src/study/detection/detection.js';
import { detectionPage } from '../../src/study/detection/detection-page.js';
import { detectionText } from '../../src/study/detection/detection-text.js';

const campaigns = [
  {
    strategy: 'sprfinder' as const,
    repeat: 1,
    data: {
      tried: 12,
      slowdowns: 2,
      slowdownTimes: [100, 200],
      refuted: 0,
      groups: [
        {
          findings: [{ kind: { answer: 'sat', operators: ['str.at'], since: 1 }, foundAtMs: 100, text: 'x' }],
        },
      ],
    },
  },
];
const settings = {
  culprit: '1',
  versions: ['old', 'new'],
  forMs: 1000,
  workers: 1,
  repeats: 1,
  slowness: { noise: { floorMs: 20, relative: 0.1 }, timeoutMs: 2000 },
  causes: 'commits' as const,
};
const counts = countCampaigns(campaigns);
const rows = detectionTable(counts, ['sprfinder']);

/** The formula's text is hostile and must not become markup. */
const releases = {
  releases: ['z3@1', 'z3@2'],
  courses: new Map([
    [
      '<script>',
      {
        releases: [],
        text: '<script>',
        by: 'effort' as const,
        most: 1000,
        points: [
          { release: 'z3@1', outcome: 'sat', level: 10 },
          { release: 'z3@2', outcome: 'timeout', level: 1000 },
        ],
      },
    ],
  ]),
  steps: new Map([
    ['<script>', [{ before: 'z3@1', release: 'z3@2', direction: 'slower' as const, from: 10, to: 1000 }]],
  ]),
};

describe('detection study', () => {
  it('page has Table 2 by commits, the published table, and the curves of Fig. 2 and 3', () => {
    const page = detectionPage({ counts, campaigns, rows, releases: undefined }, settings);
    for (const words of ['#Test min', '#Commit min', '(Fig. 2)', 'Commits found (Fig. 3)', '362.4', '49.8'])
      expect(page).toContain(words);
  });

  it('text has Table 2 and the published table', () => {
    const text = detectionText({
      settings,
      rows,
      counts,
      campaigns,
      releases: undefined,
      notes: [],
      out: 'o',
      page: 'p',
    });
    expect(text).toMatch(/^sprfinder +12 +2 +2 +2\.0 +1 +1 +1\.0$/m);
    expect(text).toMatch(/^sprfinder +Z3Seq +359 +371 +362\.4 +49 +51 +49\.8$/m);
    expect(text).toMatch(/^random +CVC4 +22 +28 +24\.0 +1 +4 +2\.0$/m);
  });

  it('page and text show the releases that slowed formulas down, and the timelines', () => {
    const page = detectionPage({ counts, campaigns, rows, releases }, { ...settings, causes: 'releases' });
    expect(page).toContain('Slower since which release?');
    expect(page).toMatch(/z3@2: [^<]*, slower/);
    expect(page).not.toContain('<pre><script>');
    expect(page).toContain('#Release min');
  });
});
