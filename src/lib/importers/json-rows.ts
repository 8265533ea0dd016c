import { Problem } from '../markdown-file/problem.ts';
import { MIB } from '../contract/rules/units.ts';

/** An open list or object, and the key of the value that is read. */
interface Frame {
  isList: boolean;
  key: string;
}

export interface RowFormat {
  /** Whether an object is a row, by the lists and objects that contain it. */
  isRow(open: readonly Frame[]): boolean;
  /** Whether a byte may occur outside of rows. */
  accepts?(byte: number, open: readonly Frame[]): boolean;
  decoder: TextDecoder;
  /**
   * Chinese sentences for a text that ends too early, has wrong brackets, or has a row that is no JSON or
   * larger than 64 MiB.
   */
  problems: Record<'cut' | 'broken' | 'unreadable' | 'tooLarge', string>;
}

export interface JsonRow {
  /** Key of the list that contains the row. */
  table: string;
  row: Record<string, unknown>;
}

const MAX_ROW_BYTES = 64 * MIB;
const MAX_KEY_BYTES = 1_000;
const [QUOTE, BACKSLASH, COLON, OBJECT, OBJECT_END, LIST, LIST_END] = [34, 92, 58, 123, 125, 91, 93];

/**
 * Yields rows of JSON; memory holds one row, so files may have any size. Outside of rows, checks brackets
 * only.
 * @throws Problem
 */
export async function* readRows(
  source: AsyncIterable<Uint8Array>,
  format: RowFormat,
): AsyncGenerator<JsonRow> {
  const splitter = createSplitter(format);
  for await (const bytes of source) yield* splitter.push(bytes);
  splitter.end();
}

function createSplitter({ isRow, accepts = () => true, decoder, problems }: RowFormat) {
  const open: Frame[] = [];
  let [inString, isEscaped] = [false, false];
  let text: number[] = [];
  let row: { parts: Uint8Array[]; length: number; depth: number } | undefined;

  function keep(bytes: Uint8Array): void {
    if (!row) return;
    row.length += bytes.length;
    if (row.length > MAX_ROW_BYTES) throw new Problem(problems.tooLarge);
    // The source may use the memory of its bytes again.
    row.parts.push(Uint8Array.from(bytes));
  }

  function finish(): JsonRow {
    const bytes = Buffer.concat(row?.parts ?? []);
    row = undefined;
    try {
      const read = JSON.parse(decoder.decode(bytes)) as JsonRow['row'];
      return { table: open.at(-2)?.key ?? '', row: read };
    } catch (error) {
      throw new Problem(problems.unreadable, { cause: error });
    }
  }

  /** Handles a byte outside strings; returns whether it ended a row. */
  function take(byte: number): boolean {
    if (byte === COLON && !row) {
      const frame = open.at(-1);
      if (frame) frame.key = Buffer.from(text).toString('utf8');
    } else if (byte === OBJECT || byte === LIST) {
      open.push({ isList: byte === LIST, key: '' });
    } else if (byte === OBJECT_END || byte === LIST_END) {
      const closed = open.pop();
      if (closed?.isList !== (byte === LIST_END)) throw new Problem(problems.broken);
      return open.length === row?.depth;
    }
    return false;
  }

  function takeInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    if (!row && inString && text.length < MAX_KEY_BYTES) text.push(byte);
  }

  return {
    *push(bytes: Uint8Array): Generator<JsonRow> {
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (inString) {
          takeInString(byte);
          continue;
        }
        if (!row) {
          if (!accepts(byte, open)) throw new Problem(problems.broken);
          if (byte === QUOTE) text = [];
          if (byte === OBJECT && isRow(open))
            [row, from] = [{ parts: [], length: 0, depth: open.length }, at];
        }
        inString = byte === QUOTE;
        if (!take(byte)) continue;
        keep(bytes.subarray(from, at + 1));
        yield finish();
      }
      keep(bytes.subarray(from));
    },
    end(): void {
      if (inString || open.length > 0) throw new Problem(problems.cut);
    },
  };
}

/** Parses JSON; null if it is invalid. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
