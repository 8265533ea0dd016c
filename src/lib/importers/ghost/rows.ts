import { Problem } from '../../markdown-file/problem.ts';
import { readRows, type JsonRow, type RowFormat } from '../json-rows.ts';

const BROKEN = '导出文件不是完整的 JSON';
const FORMAT: RowFormat = {
  isRow(open) {
    const [data, table, list] = [open.at(-3), open.at(-2), open.at(-1)];
    return list?.isList === true && table?.isList === false && data?.isList === false && data.key === 'data';
  },
  decoder: new TextDecoder(),
  problems: {
    cut: '导出文件不完整，可能没有下载完',
    broken: BROKEN,
    unreadable: BROKEN,
    tooLarge: '导出文件里有一篇文章超过 64 MB',
  },
};

/**
 * Yields the rows of `data.<table>[]`, wherever `data` is in the JSON.
 * @throws Problem if it is incomplete, not JSON, or has no such tables
 */
export async function* readTables(source: AsyncIterable<Uint8Array>): AsyncGenerator<JsonRow> {
  let hasTables = false;
  for await (const row of readRows(source, FORMAT)) {
    hasTables = true;
    yield row;
  }
  if (!hasTables) throw new Problem('不是 Ghost 导出的 JSON：里面没有 data');
}
