import { createReadStream } from 'node:fs';
import { UsageError } from '../server/operations/explain.ts';
import { KIB } from '../contract/rules/units.ts';

export interface CsvRow {
  line: number;
  cells: string[];
  read: number;
}

/** Maximum characters of a line, which is held in memory. */
const MAX_LINE_CHARACTERS = 64 * KIB;
const CELL = /(?:^|,)\s*(?:"((?:[^"]|"")*)"\s*(?=,|$)|([^,]*))/g;

/**
 * Yields the rows of a CSV file in UTF-8, without empty lines. Cells cannot contain line breaks.
 * @throws UsageError if the file is not CSV or not UTF-8; system errors
 */
export async function* readCsv(file: string): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [line, read, rest] = [0, 0, ''];
  const cut = (text: string): string[] => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new UsageError(`第 ${line + lines.length + 1} 行过长，不像 CSV 文件`);
    return lines;
  };
  const rowsOf = function* (lines: string[]): Generator<CsvRow> {
    for (const each of lines) {
      line++;
      if (each.trim() !== '') yield { line, cells: cellsOf(each.replace(/\r$/, '')), read };
    }
  };
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    read += chunk.length;
    yield* rowsOf(cut(decode(decoder, chunk)));
  }
  yield* rowsOf([...cut(decode(decoder)), rest]);
}

function decode(decoder: TextDecoder, chunk?: Buffer): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    throw new UsageError('文件不是 UTF-8 编码：请另存为 UTF-8 的 CSV');
  }
}

const cellsOf = (line: string): string[] =>
  Array.from(line.matchAll(CELL), ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain.trim());

export const toCell = (text: string): string =>
  /[",\n\r]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
