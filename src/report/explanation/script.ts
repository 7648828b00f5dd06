/**
 * What the page of an explanation can do where scripts run: a line of a cause shows its place in the source, with all
 * lines of that cause marked and what their variables held. Arrow keys go from line to line. Without scripts a line is a
 * link to its place.
 */

import { html, type Markup } from '../../page/index.js';

export const explanationScript: Markup = html`<script>
const panel = document.getElementById('sources');
const steps = [...document.querySelectorAll('a.step')];
const lineOf = (step) => document.getElementById(step.getAttribute('href').slice(1));
/** A line may be executed many times: so many of its states are told. */
const mostStates = 3;

function choose(step) {
  const chosen = lineOf(step);
  for (const line of panel.querySelectorAll('.in-cause, .here')) line.classList.remove('in-cause', 'here');
  for (const seen of panel.querySelectorAll('.seen')) seen.remove();
  for (const other of steps) other.removeAttribute('aria-current');
  step.setAttribute('aria-current', 'true');
  const states = new Map();
  for (const other of steps.filter(({ dataset }) => dataset.cause === step.dataset.cause)) {
    const line = lineOf(other);
    line.classList.add('in-cause');
    const known = states.get(line) ?? new Set();
    if (other.dataset.seen) known.add(other.dataset.seen);
    states.set(line, known);
  }
  states.set(chosen, new Set(step.dataset.seen ? [step.dataset.seen] : []));
  for (const [line, known] of states) {
    if (known.size === 0) continue;
    const seen = document.createElement('span');
    seen.className = 'seen';
    const told = [...known];
    seen.textContent = told.slice(0, mostStates).join('; ') + (told.length > mostStates ? '; …' : '');
    // Before the end of the line, which is part of it.
    line.lastChild.before(seen);
  }
  chosen.classList.add('here');
  for (const file of panel.querySelectorAll('.file')) file.classList.toggle('unshown', !file.contains(chosen));
  // Only the source moves: whoever reads the causes stays where they are.
  const [box, place] = [panel.getBoundingClientRect(), chosen.getBoundingClientRect()];
  panel.scrollTop += place.top - box.top - (panel.clientHeight - place.height) / 2;
}

if (panel && steps.length > 0) {
  for (const line of panel.querySelectorAll('.line')) {
    const text = document.createElement('span');
    text.textContent = line.textContent.replace(/\\n$/, '');
    line.replaceChildren(text, '\\n');
  }
  for (const [at, step] of steps.entries()) {
    step.addEventListener('click', (event) => {
      event.preventDefault();
      choose(step);
    });
    step.addEventListener('focus', () => choose(step));
    step.addEventListener('keydown', (event) => {
      const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      if (by === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      let next = at + by;
      // Those that are folded away are passed over.
      while (steps[next] && !steps[next].checkVisibility()) next += by;
      steps[next]?.focus();
    });
  }
  const failure = document.querySelector('.cause');
  const first = steps.filter((step) => failure?.contains(step) && step.closest('.cause') === failure).at(-1) ?? steps[0];
  choose(first);
}
</script>`;
