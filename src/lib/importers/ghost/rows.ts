import { Problem } from '../../markdown-file/problem.ts';
import { MIB } from '../../shared/units.ts';

export interface Row {
  table: string;
  row: Record<string, unknown>;
}

/** Maximum bytes of a row: a post contains its text in three forms. */
const MAX_ROW_BYTES = 64 * MIB;
const MAX_TEXT_CHARACTERS = MIB;
const [QUOTE, BACKSLASH, COLON, OBJECT, OBJECT_END, LIST, LIST_END] = [34, 92, 58, 123, 125, 91, 93];

interface Frame {
  isList: boolean;
  key: string;
}

/**
 * Yields the rows of `data.<table>[]`, wherever `data` is in the JSON; memory holds one row, so files may
 * have any size.
 * @throws Problem if it is incomplete, not JSON, or has no such tables
 */
export async function* readRows(source: AsyncIterable<Uint8Array>): AsyncGenerator<Row> {
  const scanner = createScanner();
  for await (const bytes of source) yield* scanner.push(bytes);
  scanner.end();
}

function createScanner() {
  const stack: Frame[] = [];
  let [inString, isEscaped] = [false, false];
  let text: number[] = [];
  let pieces: Uint8Array[] | undefined;
  let [pieceBytes, rowDepth] = [0, 0];
  let hasTables = false;

  const tableHere = (): string | undefined => {
    const [data, table] = [stack.at(-3), stack.at(-2)];
    const list = stack.at(-1);
    const isRow = list?.isList && table && !table.isList && data && !data.isList && data.key === 'data';
    return isRow ? table.key : undefined;
  };

  const keep = (bytes: Uint8Array): void => {
    pieceBytes += bytes.length;
    if (pieceBytes > MAX_ROW_BYTES) throw new Problem('导出文件里有一篇文章超过 64 MB');
    pieces?.push(bytes);
  };

  function finish(): Row {
    const table = tableHere() ?? '';
    const row = parse(Buffer.concat(pieces ?? []).toString('utf8'));
    pieces = undefined;
    return { table, row };
  }

  /** Handles a byte outside strings; returns whether it ended a row. */
  function take(byte: number): boolean {
    if (byte === COLON && !pieces) {
      const frame = stack.at(-1);
      if (frame) frame.key = Buffer.from(text).toString('utf8');
    } else if (byte === OBJECT || byte === LIST) {
      stack.push({ isList: byte === LIST, key: '' });
    } else if (byte === OBJECT_END || byte === LIST_END) {
      const closed = stack.pop();
      if (closed?.isList !== (byte === LIST_END)) throw broken();
      return pieces !== undefined && stack.length === rowDepth;
    }
    return false;
  }

  function takeInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === BACKSLASH) isEscaped = true;
    else if (byte === QUOTE) inString = false;
    if (pieces || !inString) return;
    text.push(byte);
    if (text.length > MAX_TEXT_CHARACTERS) throw new Problem('不是 Ghost 导出的 JSON');
  }

  return {
    *push(bytes: Uint8Array): Generator<Row> {
      let from = 0;
      for (let at = 0; at < bytes.length; at += 1) {
        const byte = bytes[at] as number;
        if (inString) {
          takeInString(byte);
          continue;
        }
        if (byte === QUOTE) {
          inString = true;
          if (!pieces) text = [];
          continue;
        }
        if (byte === OBJECT && !pieces && tableHere() !== undefined) {
          [pieces, pieceBytes, rowDepth, from] = [[], 0, stack.length, at];
          hasTables = true;
        }
        if (!take(byte)) continue;
        keep(bytes.subarray(from, at + 1));
        yield finish();
      }
      if (pieces) keep(Uint8Array.from(bytes.subarray(from)));
    },
    end(): void {
      if (inString || stack.length > 0) throw new Problem('导出文件不完整，可能没有下载完');
      if (!hasTables) throw new Problem('不是 Ghost 导出的 JSON：里面没有 data');
    },
  };
}

const broken = (): Problem => new Problem('导出文件不是完整的 JSON');

function parse(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    throw new Problem('导出文件不是完整的 JSON', { cause: error });
  }
}
