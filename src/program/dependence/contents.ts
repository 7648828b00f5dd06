/** What was written to an object, and who reads it: cells that pass pointers on to one another where they meet. */

import type { Locations } from './objects.js';
import { anywhere, distances, gcd, mayMeet, type Offsets, single, start, sum } from './offsets.js';

/** What one kind of access to an object writes or reads. */
export interface Cell {
  readonly offsets: Offsets;
  readonly bytes: number;
  /** Holds the pointers. */
  readonly node: number;
}

/** `bytes` from somewhere in the object are carried to somewhere else. */
interface Transfer {
  readonly from: Offsets;
  readonly bytes: number;
  readonly toObject: number;
  readonly to: Offsets;
}

interface ObjectContents {
  readonly writers: Cell[];
  readonly readers: Cell[];
  readonly transfers: Map<string, Transfer>;
  readonly writerByKey: Map<number, number>;
  readonly readerByKey: Map<number, number>;
}

/** What the contents need of the graph they are part of. */
export interface CellGraph {
  newNode(): number;
  copy(from: number, to: number): void;
  /** Where all that ends up that code outside can get at. */
  readonly escapes: number;
  isEscaped(object: number): boolean;
}

/** Accesses of this many bytes or more are taken to go on for ever. */
const mostBytes = 4095;

/** Writers of one object that are kept apart; what comes after them is anywhere in it. */
const mostWriters = 256;

export class Contents {
  readonly #of: (ObjectContents | undefined)[] = [];

  constructor(
    private readonly locations: Locations,
    private readonly graph: CellGraph,
  ) {}

  writers(object: number): readonly Cell[] {
    return this.#of[object]?.writers ?? [];
  }

  /** The node for what an object nobody has made yet holds anywhere in it. */
  original(object: number): number {
    const contents = this.#contents(object);
    return this.#cell(contents.writers, contents.writerByKey, object, anywhere, Number.POSITIVE_INFINITY)
      .node;
  }

  /** The node for what is written there; undefined where nothing can be. */
  writer(object: number, offsets: Offsets, bytes: number): number | undefined {
    const { kind, size } = this.locations.object(object);
    if (kind === 'unknown') return this.graph.escapes;
    if (kind === 'function' || isOutside(offsets, bytes, size)) return undefined;
    const contents = this.#contents(object);
    if (contents.writers.length >= mostWriters && offsets !== anywhere)
      return this.writer(object, anywhere, Number.POSITIVE_INFINITY);
    const cell = this.#cell(contents.writers, contents.writerByKey, object, offsets, bytes);
    if (!cell.isNew) return cell.node;
    for (const reader of contents.readers)
      if (mayMeet(reader.offsets, reader.bytes, cell.offsets, cell.bytes))
        this.graph.copy(cell.node, reader.node);
    if (this.graph.isEscaped(object)) this.graph.copy(cell.node, this.graph.escapes);
    for (const transfer of contents.transfers.values()) this.#carry(transfer, cell);
    return cell.node;
  }

  /** The node for what is read there. */
  reader(object: number, offsets: Offsets, bytes: number): number | undefined {
    const { kind, size } = this.locations.object(object);
    if (kind === 'function' || isOutside(offsets, bytes, size)) return undefined;
    const contents = this.#contents(object);
    const cell = this.#cell(contents.readers, contents.readerByKey, object, offsets, bytes);
    if (cell.isNew)
      for (const writer of contents.writers)
        if (mayMeet(cell.offsets, cell.bytes, writer.offsets, writer.bytes))
          this.graph.copy(writer.node, cell.node);
    return cell.node;
  }

  transfer(fromObject: number, from: Offsets, bytes: number, toObject: number, to: Offsets): void {
    const { transfers, writers } = this.#contents(fromObject);
    const key = `${this.locations.at(fromObject, from)} ${bytes} ${this.locations.at(toObject, to)}`;
    if (transfers.has(key)) return;
    const transfer = { from, bytes, toObject, to };
    transfers.set(key, transfer);
    // What is carried may be written to the same object, which is then carried on by itself.
    for (const writer of [...writers]) this.#carry(transfer, writer);
  }

  #carry({ from, bytes, toObject, to }: Transfer, cell: Cell): void {
    const apart = distances(from, bytes, cell.offsets, cell.bytes);
    if (apart === undefined) return;
    const { distance, left } = clipped(apart, cell.bytes, bytes);
    // By way of the table of locations, so that it can put a limit to their number.
    const location = this.locations.at(toObject, sum(to, distance));
    const node = this.writer(toObject, this.locations.offsetsOf(location), left);
    if (node !== undefined) this.graph.copy(cell.node, node);
  }

  #contents(object: number): ObjectContents {
    let contents = this.#of[object];
    if (contents === undefined) {
      contents = {
        writers: [],
        readers: [],
        transfers: new Map(),
        writerByKey: new Map(),
        readerByKey: new Map(),
      };
      this.#of[object] = contents;
    }
    return contents;
  }

  #cell(
    cells: Cell[],
    byKey: Map<number, number>,
    object: number,
    offsets: Offsets,
    bytes: number,
  ): Cell & { readonly isNew: boolean } {
    const limited = Math.min(bytes, mostBytes);
    const key = this.locations.at(object, offsets) * (mostBytes + 1) + limited;
    const known = byKey.get(key);
    if (known !== undefined) return { ...(cells[known] as Cell), isNew: false };
    const cell = {
      offsets,
      bytes: limited === mostBytes ? Number.POSITIVE_INFINITY : bytes,
      node: this.graph.newNode(),
    };
    byKey.set(key, cells.push(cell) - 1);
    return { ...cell, isNew: true };
  }
}

/** Only what lies inside the `whole` bytes is carried. */
function clipped(
  distance: Offsets,
  bytes: number,
  whole: number,
): { readonly distance: Offsets; readonly left: number } {
  if (distance.step === 0) {
    const cut = Math.max(0, -distance.first);
    const at = Math.max(0, distance.first);
    return { distance: at === 0 ? start : single(at), left: Math.min(bytes - cut, whole - at) };
  }
  if (distance.first >= 0) return { distance, left: Math.min(bytes, whole) };
  const step = gcd(distance.step, -distance.first);
  return { distance: { first: 0, step, last: Math.max(0, distance.last) }, left: Math.min(bytes, whole) };
}

function isOutside({ first, last }: Offsets, bytes: number, size: number): boolean {
  return first >= size || last + bytes <= 0;
}
