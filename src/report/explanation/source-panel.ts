/** The source panel of an explanation page. It holds only the lines that the page refers to. */

import type { Change, SourceExcerpt } from '../../explain/index.js';
import { html, type Markup } from '../../page/index.js';
import { isOn } from './cause-tree.js';

export class SourcePanel {
  readonly #files: ReadonlyMap<string, number>;

  constructor(
    private readonly excerpts: readonly SourceExcerpt[],
    private readonly blamed: readonly Change[],
  ) {
    this.#files = new Map(excerpts.map(({ file }, at) => [file, at]));
  }

  get isEmpty(): boolean {
    return this.excerpts.length === 0;
  }

  /** Undefined if the page does not have the line. */
  idOf({ file, line }: { readonly file: string; readonly line: number }): string | undefined {
    const at = this.#files.get(file);
    return at === undefined || this.textAt(file, line) === undefined ? undefined : `s${at}-${line}`;
  }

  textAt(file: string, line: number): string | undefined {
    const part = this.excerpts[this.#files.get(file) ?? -1]?.parts.find(
      ({ from, lines }) => from <= line && line < from + lines.length,
    );
    return part?.lines[line - part.from];
  }

  markup(): Markup {
    return html`<div class="sources" id="sources" tabindex="0" role="region" aria-label="source of the new version">
${this.excerpts.map((excerpt) => this.#file(excerpt))}</div>`;
  }

  #file({ file, parts }: SourceExcerpt): Markup {
    return html`<div class="file"><h3><code>${file}</code></h3>
<div class="wide source"><code>${parts.map(
      ({ from, lines }, at) =>
        html`${at === 0 ? undefined : html`<span class="gap" aria-hidden="true"></span>`}${lines.map(
          (text, down) => {
            const line = from + down;
            const isBlamed = this.blamed.some((change) => isOn({ file, line }, change));
            return html`<span class="line${isBlamed ? ' changed' : ''}" id="${this.idOf({ file, line })}" data-line="${line}">${text}
</span>`;
          },
        )}`,
    )}</code></div></div>
`;
  }
}
