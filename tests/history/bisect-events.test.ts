import { describe, expect, it } from 'vitest';
import { asWritten, fromWritten, parseBisectEvent } from '../../src/history/bisection/bisect-events.js';
import { environmentFault, usageFault } from '../../src/machine/index.js';

describe('stored observations', () => {
  it('keep their journal format', () => {
    expect(JSON.stringify(asWritten({ kind: 'measured', samples: [1.23456789], effort: 7 }))).toBe(
      '{"kind":"measured","samples":[1.23457],"effort":7}',
    );
    expect(JSON.stringify(asWritten({ kind: 'measured', samples: [20] }))).toBe(
      '{"kind":"measured","samples":[20]}',
    );
    expect(JSON.stringify(asWritten({ kind: 'unmeasured', fault: environmentFault('it crashes') }))).toBe(
      '{"kind":"silent","why":"it crashes"}',
    );
  });

  it('are read from older journals that mark unmeasurable commits as silent', () => {
    const line =
      '{"event":"looked","commit":"c0ffee","buildMs":3,"isNew":true,"observations":' +
      '[{"kind":"silent","why":"it gives up"},{"kind":"measured","samples":[20]}]}';
    const event = parseBisectEvent(JSON.parse(line));
    expect(event?.event === 'looked' ? event.observations.map(fromWritten) : []).toEqual([
      { kind: 'unmeasured', fault: usageFault('it gives up') },
      { kind: 'measured', samples: [20] },
    ]);
    expect(JSON.stringify(event)).toBe(line);
  });
});
