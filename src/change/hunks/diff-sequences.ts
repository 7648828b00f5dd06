/**
 * The difference of two sequences as an edit script, by E. W. Myers, "An O(ND) Difference Algorithm and Its
 * Variations" (1986), in the linear space of section 4b. Scripts are shortest unless that search would cost too much.
 * They always transform one sequence into the other.
 */

/** Replaces `[aFrom, aTo)` of one sequence by `[bFrom, bTo)` of the other. */
export interface Edit {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/**
 * Number of insertions and deletions to search from either end. Scripts shorter than twice this are shortest. For
 * sequences that differ more, the search continues from the path that got furthest.
 */
const usualSearchCost = 256;

/**
 * The runs in which two sequences differ, in order. There is a common item between any two runs.
 *
 * @example diffSequences([...'slow'], [...'slower']) // [{ aFrom: 4, aTo: 4, bFrom: 4, bTo: 6 }]
 */
export function diffSequences<T>(
  a: readonly T[],
  b: readonly T[],
  mostCost = usualSearchCost,
): readonly Edit[] {
  const keys = new Map<T, number>();
  const keyOf = (item: T): number => {
    const known = keys.get(item);
    if (known === undefined) keys.set(item, keys.size);
    return known ?? keys.size - 1;
  };
  return diffKeys(Int32Array.from(a, keyOf), Int32Array.from(b, keyOf), mostCost);
}

/** Like `diffSequences`, for items that are already numbers. */
export function diffKeys(a: Int32Array, b: Int32Array, mostCost = usualSearchCost): readonly Edit[] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [aTo, bTo] = [a.length - tail, b.length - tail];
  if (head === aTo && head === bTo) return [];
  if (head === aTo || head === bTo) return [{ aFrom: head, aTo, bFrom: head, bTo }];

  const aSide = new ComparedSequence(a.subarray(head, aTo), b.subarray(head, bTo));
  const bSide = new ComparedSequence(b.subarray(head, bTo), a.subarray(head, aTo));
  markDifferences(aSide, bSide, Math.max(1, mostCost));
  return runsOf(aSide.isChanged, bSide.isChanged, head);
}

/**
 * One of the sequences. An item that is missing in the other sequence is changed in any script. The search skips such
 * items, which makes it fast for sequences with little in common.
 */
class ComparedSequence {
  readonly isChanged: Uint8Array;
  /** The keys that the other sequence has too; `#places` has their positions. */
  readonly keys: Int32Array;
  readonly #places: Int32Array;

  constructor(own: Int32Array, other: Int32Array) {
    const shared = new Set(other);
    this.isChanged = new Uint8Array(own.length);
    const keys = new Int32Array(own.length);
    const places = new Int32Array(own.length);
    let count = 0;
    for (let at = 0; at < own.length; at++) {
      const key = own[at] ?? 0;
      if (shared.has(key)) {
        keys[count] = key;
        places[count++] = at;
      } else {
        this.isChanged[at] = 1;
      }
    }
    this.keys = keys.subarray(0, count);
    this.#places = places.subarray(0, count);
  }

  /** `from` and `to` are indices of `keys`. */
  markChanged(from: number, to: number): void {
    for (let at = from; at < to; at++) this.isChanged[this.#places[at] ?? 0] = 1;
  }
}

function runsOf(aChanged: Uint8Array, bChanged: Uint8Array, from: number): readonly Edit[] {
  const edits: Edit[] = [];
  for (let [i, j] = [0, 0]; i < aChanged.length || j < bChanged.length; i++, j++) {
    const [aFrom, bFrom] = [from + i, from + j];
    while (aChanged[i] === 1) i++;
    while (bChanged[j] === 1) j++;
    if (from + i > aFrom || from + j > bFrom) edits.push({ aFrom, aTo: from + i, bFrom, bTo: from + j });
  }
  return edits;
}

/** A range of one sequence and a range of the other. */
type SearchBox = Edit;

/** Splits boxes at a point of a short script until one of the ranges is empty. */
function markDifferences(aSide: ComparedSequence, bSide: ComparedSequence, mostCost: number): void {
  const { keys: a } = aSide;
  const { keys: b } = bSide;
  const search = new PathSearch(a, b, mostCost);
  // Iterative, because the recursion could get as deep as the sequences are long.
  const boxes: SearchBox[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let box = boxes.pop(); box !== undefined; box = boxes.pop()) {
    let { aFrom, aTo, bFrom, bTo } = box;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
      aFrom++;
      bFrom++;
    }
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
      aTo--;
      bTo--;
    }
    if (aFrom === aTo || bFrom === bTo) {
      aSide.markChanged(aFrom, aTo);
      bSide.markChanged(bFrom, bTo);
      continue;
    }
    const [aAt, bAt] = search.splitPoint({ aFrom, aTo, bFrom, bTo });
    boxes.push({ aFrom: aAt, aTo, bFrom: bAt, bTo }, { aFrom, aTo: aAt, bFrom, bTo: bAt });
  }
}

type SplitPoint = readonly [a: number, b: number];

/** Beyond any position. */
const beyondEnd = 0x3fffffff;

/**
 * Searches paths through a box from both corners at once, along diagonals of constant a - b. For each diagonal it
 * stores how far a path of the current cost gets.
 */
class PathSearch {
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Index of diagonal 0. There are `b.length` diagonals below it, and a sentinel at either end. */
  readonly #zero: number;

  constructor(
    readonly a: Int32Array,
    readonly b: Int32Array,
    private readonly mostCost: number,
  ) {
    this.#forward = new Int32Array(a.length + b.length + 3);
    this.#backward = new Int32Array(a.length + b.length + 3);
    this.#zero = b.length + 1;
  }

  /**
   * A point strictly between the corners on a shortest script, or on a good one if the search is cut off. The box
   * must begin and end with items that differ.
   */
  splitPoint(box: SearchBox): SplitPoint {
    const { a, b } = this;
    const { aFrom, aTo, bFrom, bTo } = box;
    const forward = this.#forward;
    const backward = this.#backward;
    const zero = this.#zero;
    const [lowest, highest] = [aFrom - bTo, aTo - bFrom];
    const [first, last] = [aFrom - bFrom, aTo - bTo];
    // If the lengths differ by an odd number, the paths meet in a forward step.
    const isOdd = ((first - last) & 1) !== 0;
    forward[zero + first] = aFrom;
    backward[zero + last] = aTo;
    let [forwardLow, forwardHigh, backwardLow, backwardHigh] = [first, first, last, last];

    for (let cost = 1; ; cost++) {
      if (forwardLow > lowest) forward[zero + --forwardLow - 1] = -1;
      else forwardLow++;
      if (forwardHigh < highest) forward[zero + ++forwardHigh + 1] = -1;
      else forwardHigh--;
      for (let k = forwardHigh; k >= forwardLow; k -= 2) {
        const right = (forward[zero + k - 1] ?? 0) + 1;
        const down = forward[zero + k + 1] ?? 0;
        let x = right > down ? right : down;
        let y = x - k;
        while (x < aTo && y < bTo && a[x] === b[y]) {
          x++;
          y++;
        }
        forward[zero + k] = x;
        if (isOdd && k >= backwardLow && k <= backwardHigh && (backward[zero + k] ?? 0) <= x) return [x, y];
      }

      if (backwardLow > lowest) backward[zero + --backwardLow - 1] = beyondEnd;
      else backwardLow++;
      if (backwardHigh < highest) backward[zero + ++backwardHigh + 1] = beyondEnd;
      else backwardHigh--;
      for (let k = backwardHigh; k >= backwardLow; k -= 2) {
        const up = backward[zero + k - 1] ?? 0;
        const left = (backward[zero + k + 1] ?? 0) - 1;
        let x = up < left ? up : left;
        let y = x - k;
        while (x > aFrom && y > bFrom && a[x - 1] === b[y - 1]) {
          x--;
          y--;
        }
        backward[zero + k] = x;
        if (!isOdd && k >= forwardLow && k <= forwardHigh && (forward[zero + k] ?? 0) >= x) return [x, y];
      }

      if (cost >= this.mostCost)
        return furthest(
          box,
          this.#onDiagonals(forward, forwardLow, forwardHigh),
          this.#onDiagonals(backward, backwardLow, backwardHigh),
        );
    }
  }

  *#onDiagonals(reached: Int32Array, low: number, high: number): Iterable<SplitPoint> {
    for (let k = low; k <= high; k += 2) {
      const x = reached[this.#zero + k] ?? 0;
      yield [x, x - k];
    }
  }
}

/** The point on a path that is furthest from the path's corner. */
function furthest(
  { aFrom, aTo, bFrom, bTo }: SearchBox,
  forward: Iterable<SplitPoint>,
  backward: Iterable<SplitPoint>,
): SplitPoint {
  // Paths along the border may have left the box.
  const isInside = ([x, y]: SplitPoint): boolean => x >= aFrom && x <= aTo && y >= bFrom && y <= bTo;
  let best: SplitPoint = [aFrom, bFrom];
  let gained = 0;
  for (const point of forward) {
    const gain = point[0] + point[1] - aFrom - bFrom;
    if (gain > gained && isInside(point)) [best, gained] = [point, gain];
  }
  for (const point of backward) {
    const gain = aTo + bTo - point[0] - point[1];
    if (gain > gained && isInside(point)) [best, gained] = [point, gain];
  }
  return best;
}
