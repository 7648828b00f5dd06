/** The contents of objects: cells for writes and reads, linked if they overlap. */

import {
  getOrCreate,
  type LocationId,
  type ObjectId,
  PairMap,
  type PointerId,
  Table,
} from '../../graph/index.js';
import { accessKey, type Locations, maxBytes } from './objects.js';
import { anywhere, distances, gcd, mayMeet, type Offsets, single, start, sum } from './offsets.js';

/** A range of an object that is written or read. */
export interface Cell {
  readonly offsets: Offsets;
  readonly bytes: number;
  readonly node: PointerId;
}

interface Transfer {
  readonly from: Offsets;
  readonly bytes: number;
  readonly toObject: ObjectId;
  readonly to: Offsets;
}

interface ObjectContents {
  readonly writers: Cell[];
  readonly readers: Cell[];
  readonly transfers: Transfer[];
  /** The byte counts of transfers, by source and target. */
  readonly transferred: PairMap<LocationId, LocationId, Set<number>>;
  readonly writerByKey: Map<number, Cell>;
  readonly readerByKey: Map<number, Cell>;
}

/** The part of the points-to graph that the contents use. */
export interface CellGraph {
  newNode(): PointerId;
  copy(from: PointerId, to: PointerId): void;
  /** Receives everything that code outside the program can access. */
  readonly escapes: PointerId;
  isEscaped(object: ObjectId): boolean;
}

/** Distinct writers per object; further ones are merged into one for the whole object. */
const maxWriters = 256;

export class Contents {
  readonly #of = new Table<ObjectId, ObjectContents | undefined>();

  constructor(
    private readonly locations: Locations,
    private readonly graph: CellGraph,
  ) {}

  writers(object: ObjectId): readonly Cell[] {
    return this.#of.get(object)?.writers ?? noCells;
  }

  /** The node for the contents of an object that existed before the program. */
  original(object: ObjectId): PointerId {
    const { writers, writerByKey } = this.#contents(object);
    const key = accessKey(this.locations.at(object, anywhere), unlimited);
    return (writerByKey.get(key) ?? this.#newCell(writers, writerByKey, key, anywhere, unlimited)).node;
  }

  /** The node for a write; undefined if nothing can be written there. */
  writer(object: ObjectId, offsets: Offsets, bytes: number): PointerId | undefined {
    const { kind, size } = this.locations.object(object);
    if (kind === 'unknown') return this.graph.escapes;
    if (kind === 'function' || isOutside(offsets, bytes, size)) return undefined;
    const { writers, writerByKey, readers, transfers } = this.#contents(object);
    if (writers.length >= maxWriters && offsets !== anywhere) return this.writer(object, anywhere, unlimited);
    const key = accessKey(this.locations.at(object, offsets), bytes);
    const existing = writerByKey.get(key);
    if (existing !== undefined) return existing.node;
    const cell = this.#newCell(writers, writerByKey, key, offsets, bytes);
    for (const reader of readers)
      if (mayMeet(reader.offsets, reader.bytes, cell.offsets, cell.bytes))
        this.graph.copy(cell.node, reader.node);
    if (this.graph.isEscaped(object)) this.graph.copy(cell.node, this.graph.escapes);
    for (const transfer of transfers) this.#carry(transfer, cell);
    return cell.node;
  }

  /** The node for a read; undefined if nothing can be read there. */
  reader(object: ObjectId, offsets: Offsets, bytes: number): PointerId | undefined {
    const { kind, size } = this.locations.object(object);
    if (kind === 'function' || isOutside(offsets, bytes, size)) return undefined;
    const { writers, readers, readerByKey } = this.#contents(object);
    const key = accessKey(this.locations.at(object, offsets), bytes);
    const existing = readerByKey.get(key);
    if (existing !== undefined) return existing.node;
    const cell = this.#newCell(readers, readerByKey, key, offsets, bytes);
    for (const writer of writers)
      if (mayMeet(cell.offsets, cell.bytes, writer.offsets, writer.bytes))
        this.graph.copy(writer.node, cell.node);
    return cell.node;
  }

  transfer(fromObject: ObjectId, from: Offsets, bytes: number, toObject: ObjectId, to: Offsets): void {
    const { transfers, transferred, writers } = this.#contents(fromObject);
    const [source, target] = [this.locations.at(fromObject, from), this.locations.at(toObject, to)];
    const byteCounts = transferred.get(source, target);
    if (byteCounts === undefined) transferred.set(source, target, new Set([bytes]));
    else if (byteCounts.has(bytes)) return;
    else byteCounts.add(bytes);
    const transfer = { from, bytes, toObject, to };
    transfers.push(transfer);
    // A copy: a transfer within one object adds writers, which transfer themselves.
    for (const writer of [...writers]) this.#carry(transfer, writer);
  }

  #carry({ from, bytes, toObject, to }: Transfer, cell: Cell): void {
    const apart = distances(from, bytes, cell.offsets, cell.bytes);
    if (apart === undefined) return;
    const { distance, left } = clip(apart, cell.bytes, bytes);
    // Uses the table of locations, which limits their number.
    const location = this.locations.at(toObject, sum(to, distance));
    const node = this.writer(toObject, this.locations.offsetsOf(location), left);
    if (node !== undefined) this.graph.copy(cell.node, node);
  }

  #contents(object: ObjectId): ObjectContents {
    return this.#of.get(object) ?? getOrCreate(this.#of, object, newContents);
  }

  #newCell(cells: Cell[], byKey: Map<number, Cell>, key: number, offsets: Offsets, bytes: number): Cell {
    const cell = { offsets, bytes: bytes >= maxBytes ? unlimited : bytes, node: this.graph.newNode() };
    byKey.set(key, cell);
    cells.push(cell);
    return cell;
  }
}

const newContents = (): ObjectContents => ({
  writers: [],
  readers: [],
  transfers: [],
  transferred: new PairMap(),
  writerByKey: new Map(),
  readerByKey: new Map(),
});

const noCells: readonly Cell[] = [];
const unlimited = Number.POSITIVE_INFINITY;

/** Restricts a transferred cell to the `whole` bytes. */
function clip(
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
