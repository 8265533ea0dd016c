const MAX_PACKED_UNITS = 4;
const INITIAL_SLOTS = 2 ** 15;

/**
 * Numbers distinct tokens from 0. Nearly all have at most four UTF-16 units and are looked up by these,
 * without making a string of each occurrence.
 */
export class TokenIds {
  readonly tokens: string[] = [];
  /** Ids + 1 by hash; 0 is free. */
  #slots = new Uint32Array(INITIAL_SLOTS);
  /** The units of each token, two to a number. */
  #firsts = new Uint32Array(INITIAL_SLOTS);
  #seconds = new Uint32Array(INITIAL_SLOTS);
  readonly #long = new Map<string, number>();

  idOf(text: string, from: number, to: number): number {
    const length = to - from;
    if (length > MAX_PACKED_UNITS) return this.#idOfLong(text.slice(from, to));
    const first = ((text.charCodeAt(from) << 16) | (length > 1 ? text.charCodeAt(from + 1) : 0)) >>> 0;
    const second =
      (((length > 2 ? text.charCodeAt(from + 2) : 0) << 16) |
        (length > 3 ? text.charCodeAt(from + 3) : 0)) >>>
      0;
    const slot = this.#slotOf(first, second);
    const known = this.#slots[slot] ?? 0;
    return known === 0 ? this.#add(text.slice(from, to), first, second, slot) : known - 1;
  }

  /** Returns all ids in the order of their tokens. */
  sorted(): number[] {
    const long = [...this.#long].sort(([a], [b]) => (a < b ? -1 : 1));
    // Sorted as numbers of 64 bits, which takes a tenth of comparing strings; the lower half comes first.
    const pairs = new Uint32Array(2 * (this.tokens.length - long.length));
    let end = 0;
    for (const taken of this.#slots) {
      if (taken === 0) continue;
      pairs[end] = this.#seconds[taken - 1] ?? 0;
      pairs[end + 1] = this.#firsts[taken - 1] ?? 0;
      end += 2;
    }
    new BigUint64Array(pairs.buffer).sort();
    const ids: number[] = [];
    let next = 0;
    for (let pair = 0; pair < end; pair += 2) {
      const id = (this.#slots[this.#slotOf(pairs[pair + 1] ?? 0, pairs[pair] ?? 0)] ?? 0) - 1;
      const token = this.tokens[id] ?? '';
      for (
        let [first, other] = long[next] ?? [];
        first !== undefined && first < token;
        [first, other] = long[next] ?? []
      ) {
        ids.push(other ?? 0);
        next += 1;
      }
      ids.push(id);
    }
    return [...ids, ...long.slice(next).map(([, id]) => id)];
  }

  /** Returns the slot of a token, or the free one where it belongs. */
  #slotOf(first: number, second: number): number {
    const mask = this.#slots.length - 1;
    for (let slot = hashOf(first, second) & mask; ; slot = (slot + 1) & mask) {
      const id = (this.#slots[slot] ?? 0) - 1;
      if (id === -1 || (this.#firsts[id] === first && this.#seconds[id] === second)) return slot;
    }
  }

  #idOfLong(token: string): number {
    const known = this.#long.get(token);
    if (known !== undefined) return known;
    this.#long.set(token, this.tokens.length);
    return this.tokens.push(token) - 1;
  }

  #add(token: string, first: number, second: number, slot: number): number {
    const id = this.tokens.push(token) - 1;
    // Long tokens have no units; theirs stay zero.
    if (id >= this.#firsts.length) {
      this.#firsts = doubled(this.#firsts);
      this.#seconds = doubled(this.#seconds);
    }
    this.#firsts[id] = first;
    this.#seconds[id] = second;
    this.#slots[slot] = id + 1;
    if (2 * this.tokens.length > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Uint32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (const taken of this.#slots) {
      if (taken === 0) continue;
      let slot = hashOf(this.#firsts[taken - 1] ?? 0, this.#seconds[taken - 1] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = taken;
    }
    this.#slots = slots;
  }
}

function hashOf(first: number, second: number): number {
  const mixed = Math.imul(first ^ Math.imul(second, 0x85ebca6b), 0x9e3779b1);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * array.length);
  larger.set(array);
  return larger;
}
