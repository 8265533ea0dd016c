import { UsageError } from '../../cli/explain.ts';
import { MIB } from '../../shared/units.ts';

/** Maximum characters of a row: an article with its history is far smaller. */
const MAX_ROW_CHARACTERS = 64 * MIB;
const OUTSIDE = /["{}]/g;
const INSIDE = /["\\]/g;
const BETWEEN = /^[\s,[\]]*$/;

/**
 * Yields the objects of an array, or of lines, without holding the whole file: a backup is a single line of
 * any length.
 * @throws UsageError for other data, and if it ends within an object
 */
export async function* readJsonRows(text: AsyncIterable<string>): AsyncGenerator<Record<string, unknown>> {
  const cutter = new Cutter();
  for await (const piece of text) for (const row of cutter.cut(piece)) yield parse(row);
  cutter.end();
}

function parse(row: string): Record<string, unknown> {
  try {
    return JSON.parse(row) as Record<string, unknown>;
  } catch (error) {
    throw new UsageError('extensions.data 里有看不懂的数据，备份不完整或已损坏', { cause: error });
  }
}

class Cutter {
  #parts: string[] = [];
  #length = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #brackets = 0;

  *cut(piece: string): Generator<string> {
    // Start of the current object in this piece; -1 if no object is open.
    let start = this.#depth > 0 ? 0 : -1;
    let between = 0;
    for (let at = this.#afterEscape(piece); ;) {
      const signs = this.#isInString ? INSIDE : OUTSIDE;
      signs.lastIndex = at;
      const found = signs.exec(piece);
      if (!found) break;
      at = this.#pass(found[0], found.index, piece.length);
      if (found[0] === '{' && this.#depth === 1 && start < 0) {
        this.#refuseOther(piece.slice(between, found.index));
        start = found.index;
      } else if (found[0] === '}' && this.#depth === 0 && !this.#isInString) {
        this.#keep(piece.slice(start, at));
        yield this.#collect();
        start = -1;
        between = at;
      }
    }
    if (start >= 0) this.#keep(piece.slice(start));
    else this.#refuseOther(piece.slice(between));
  }

  end(): void {
    if (this.#depth > 0 || this.#brackets !== 0) throw broken();
  }

  /** A backslash at the end of the previous piece escapes the first character of this one. */
  #afterEscape(piece: string): number {
    const isEscaped = this.#isEscaped && piece !== '';
    if (isEscaped) this.#isEscaped = false;
    return isEscaped ? 1 : 0;
  }

  #pass(sign: string, index: number, length: number): number {
    if (sign === '\\') {
      this.#isEscaped = index + 1 === length;
      return index + 2;
    }
    if (sign === '"') {
      if (this.#depth === 0) throw broken();
      this.#isInString = !this.#isInString;
    } else this.#depth += sign === '{' ? 1 : -1;
    if (this.#depth < 0) throw broken();
    return index + 1;
  }

  #refuseOther(text: string): void {
    if (!BETWEEN.test(text)) throw broken();
    for (const sign of text) this.#brackets += sign === '[' ? 1 : sign === ']' ? -1 : 0;
    if (this.#brackets < 0 || this.#brackets > 1) throw broken();
  }

  #keep(part: string): void {
    this.#length += part.length;
    if (this.#length > MAX_ROW_CHARACTERS)
      throw new UsageError('备份里有超过 64 MiB 的一行数据，不是博客的数据');
    this.#parts.push(part);
  }

  #collect(): string {
    const text = this.#parts.join('');
    this.#parts = [];
    this.#length = 0;
    return text;
  }
}

const broken = (): UsageError => new UsageError('extensions.data 不完整或已损坏');
