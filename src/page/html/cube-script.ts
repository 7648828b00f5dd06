/**
 * The part of the page script that turns cube charts, by mouse, finger or arrow keys. All cubes of a page turn
 * together, so that they can be compared from every side. The Home key resets the view.
 */

import { html, type Markup } from '../markup.js';

export const cubeScript: Markup = html`
const cubes = [...document.querySelectorAll('svg.cube')];
if (cubes.length > 0) {
  const { turn, tilt, unit } = cubes[0].dataset;
  const { width, height } = cubes[0].viewBox.baseVal;
  const begin = [Number(turn), Number(tilt)];
  let view = begin;
  const numbers = (text) => text.split(' ').map(Number);
  const draw = () => {
    const [a, b] = view.map((degrees) => (degrees * Math.PI) / 180);
    const seen = (at) => {
      const [x, y, z] = at.map((value) => value - 0.5);
      const away = x * Math.sin(a) + y * Math.cos(a);
      const up = z * Math.cos(b) + away * Math.sin(b);
      return [
        width / 2 + unit * (x * Math.cos(a) - y * Math.sin(a)),
        height / 2 - unit * up,
        away * Math.cos(b) - z * Math.sin(b),
      ];
    };
    const set = (element, names, at) => {
      const place = seen(at);
      for (const [i, name] of names.entries()) element.setAttribute(name, Math.round(10 * place[i]) / 10);
      return place[2];
    };
    for (const cube of cubes) {
      for (const line of cube.querySelectorAll('line')) {
        const ends = numbers(line.dataset.ends);
        set(line, ['x1', 'y1'], ends.slice(0, 3));
        set(line, ['x2', 'y2'], ends.slice(3));
      }
      for (const text of cube.querySelectorAll('text[data-at]')) set(text, ['x', 'y'], numbers(text.dataset.at));
      const dots = [...cube.querySelectorAll('circle')];
      const depths = new Map(dots.map((dot) => [dot, set(dot, ['cx', 'cy'], numbers(dot.dataset.at))]));
      cube.querySelector('g').append(...dots.sort((c, d) => depths.get(d) - depths.get(c)));
    }
  };
  const turnBy = (around, down) => {
    view = [(view[0] + around) % 360, Math.max(-90, Math.min(90, view[1] + down))];
    draw();
  };
  const keys = new Map([
    ['ArrowLeft', [5, 0]],
    ['ArrowRight', [-5, 0]],
    ['ArrowUp', [0, -5]],
    ['ArrowDown', [0, 5]],
  ]);
  let held;
  for (const hint of document.querySelectorAll('.turn-hint')) hint.hidden = false;
  for (const cube of cubes) {
    cube.tabIndex = 0;
    cube.classList.add('turnable');
    cube.setAttribute('role', 'application');
    cube.setAttribute('aria-label', cube.getAttribute('aria-label') + '; turn it with the arrow keys, reset it with Home');
    cube.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      cube.setPointerCapture(event.pointerId);
      held = { x: event.clientX, y: event.clientY, isFresh: event.pointerType === 'touch' };
    });
    cube.addEventListener('pointermove', (event) => {
      if (!held || !cube.hasPointerCapture(event.pointerId)) return;
      const [right, down] = [event.clientX - held.x, event.clientY - held.y];
      // A vertical swipe scrolls the page instead of turning the cube.
      const isForPage = held.isFresh && Math.abs(down) > Math.abs(right);
      held = isForPage ? null : { x: event.clientX, y: event.clientY, isFresh: false };
      if (!isForPage) turnBy(-right / 2, down / 2);
    });
    cube.addEventListener('lostpointercapture', () => { held = null; });
    cube.addEventListener('keydown', (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const step = keys.get(event.key);
      if (event.key !== 'Home' && !step) return;
      event.preventDefault();
      if (!step) view = begin;
      turnBy(...(step ?? [0, 0]));
    });
  }
}
`;
