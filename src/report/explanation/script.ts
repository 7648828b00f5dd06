/**
 * The script of an explanation page. A click on a line of a cause shows its place in the source, marks all lines of
 * the cause and shows the values of their variables. Arrow keys move between lines. Without scripts, a line is a
 * link.
 */

import { html, type Markup } from '../../page/index.js';

export const explanationScript: Markup = html`<script>
const panel = document.getElementById('sources');
const steps = [...document.querySelectorAll('a.step')];
const lineOf = (step) => document.getElementById(step.getAttribute('href').slice(1));
/** Maximum number of shown states of a line that is executed many times. */
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
    const texts = [...known];
    seen.textContent = texts.slice(0, mostStates).join('; ') + (texts.length > mostStates ? '; …' : '');
    // The line's text ends with a newline.
    line.lastChild.before(seen);
  }
  chosen.classList.add('here');
  for (const file of panel.querySelectorAll('.file')) file.classList.toggle('unshown', !file.contains(chosen));
  // Scrolls only the source; the causes keep their position.
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
      // Skip folded lines.
      while (steps[next] && !steps[next].checkVisibility()) next += by;
      steps[next]?.focus();
    });
  }
  const failure = document.querySelector('.cause');
  const first = steps.filter((step) => failure?.contains(step) && step.closest('.cause') === failure).at(-1) ?? steps[0];
  choose(first);
}
</script>`;
