import {
  createScratchTables,
  isSqliteFile,
  openForeignTables,
  type Ask,
  type ColumnType,
  type ForeignRow,
  type ForeignTables,
  type ScratchTables,
} from '../../server/db/foreign/foreign-tables.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { orClose } from '../or-close.ts';
import { isTypechoBackup, readTypechoBackup } from './backup-file.ts';
import { readDumpText } from './dump-text.ts';
import { readDumpRows, type DumpReader } from './sql-rows.ts';

/** Columns read from Typecho's tables, whose names have the site's prefix. The first columns are the key. */
const SHAPES = {
  contents: {
    key: ['cid'],
    numbers: 'cid created modified order authorId parent',
    texts: 'title slug text type status password allowComment',
  },
  comments: {
    key: ['coid'],
    numbers: 'coid cid created authorId parent',
    texts: 'author mail url text type status',
  },
  metas: { key: ['mid'], numbers: 'mid order parent', texts: 'name slug type description' },
  relationships: { key: ['cid', 'mid'], numbers: 'cid mid', texts: '' },
  users: { key: ['uid'], numbers: 'uid created', texts: 'name mail url screenName group' },
  fields: { key: ['cid', 'name'], numbers: 'cid', texts: 'name type str_value int_value float_value' },
  options: { key: ['name', 'user'], numbers: 'user', texts: 'name value' },
  /** Of the plugin Links. */
  links: { key: ['lid'], numbers: '', texts: 'lid name url sort image description state order' },
} as const;

type Kind = keyof typeof SHAPES;
const KINDS = Object.keys(SHAPES) as Kind[];
/** Tables that every site has; old releases lack `fields`, and Typecho's own backup `options`. */
const NEEDED: readonly Kind[] = ['contents', 'comments', 'metas', 'relationships', 'users'];
const NAME = new RegExp(`^(.*?)(${KINDS.join('|')})$`);

export interface TypechoTables {
  /** Yields rows of a kind; none if the table is missing. `columns` defaults to all. */
  rows(kind: Kind, ask?: Ask & { columns?: readonly string[] }): Iterable<ForeignRow>;
  close(): void;
}

/**
 * Opens a site: a MySQL dump (`.sql`, `.sql.gz`), a SQLite file, or Typecho's own backup. Reads a dump
 * completely into a scratch file first: nothing is imported from an incomplete one.
 * @param prefix of the tables; detected if undefined
 * @throws Problem for other files, and for several sites without `prefix`
 */
export async function openTypechoTables(path: string, prefix?: string): Promise<TypechoTables> {
  const tables = await openTables(path);
  return orClose(tables, () => choose(tables, prefix));
}

async function openTables(path: string): Promise<ForeignTables> {
  if (isSqliteFile(path)) return openForeignTables(path);
  const scratch = createScratchTables();
  return orClose(scratch, async () => {
    if (await isTypechoBackup(path)) await readTypechoBackup(path, readerInto(scratch));
    else await readDumpRows(readDumpText(path), readerInto(scratch));
    return scratch;
  });
}

function readerInto(scratch: ScratchTables): DumpReader {
  const created = new Set<string>();
  const makeSure = (table: string): void => {
    if (created.has(table)) return;
    created.add(table);
    const { key, numbers } = SHAPES[kindOf(table)];
    const typeOf = (name: string): ColumnType => (numbers.split(' ').includes(name) ? 'INTEGER' : 'TEXT');
    const columns = columnsOf(kindOf(table)).map((name) => [name, typeOf(name)] as const);
    scratch.create(table, Object.fromEntries(columns), key);
  };
  return {
    wants: (table) => NAME.test(table),
    table: makeSure,
    row(table, columns, values) {
      makeSure(table);
      const wanted = columnsOf(kindOf(table));
      const places = wanted.map((name) => columns.indexOf(name));
      scratch.add(
        table,
        places.map((place) => values[place] ?? null),
      );
    },
  };
}

const kindOf = (table: string): Kind => NAME.exec(table)?.[2] as Kind;

const columnsOf = (kind: Kind): string[] =>
  `${SHAPES[kind].numbers} ${SHAPES[kind].texts}`.split(' ').filter((name) => name !== '');

function choose(tables: ForeignTables, wanted: string | undefined): TypechoTables {
  const names = new Set(tables.names);
  const exists = (table: string, kind: Kind): boolean =>
    names.has(table) && SHAPES[kind].key.every((column) => tables.has(table, column));
  const found = [...names]
    .flatMap((name) => /^(.*?)contents$/.exec(name)?.[1] ?? [])
    .filter((prefix) => NEEDED.every((kind) => exists(prefix + kind, kind)))
    .sort();
  const [prefix, ...others] = wanted === undefined ? found : found.filter((each) => each === wanted);
  if (prefix === undefined) {
    const of = wanted === undefined ? '' : `表前缀为 ${wanted} 的 `;
    throw new Problem(
      `里面没有 ${of}Typecho 的数据（contents、comments、metas、relationships、users 五个表）`,
    );
  }
  if (others.length > 0)
    throw new Problem(`里面有多个 Typecho 站点，请用 --prefix 选择一个表前缀：${found.join('、')}`);
  return {
    *rows(kind, { columns = columnsOf(kind), ...ask } = {}) {
      const table = prefix + kind;
      if (exists(table, kind)) yield* tables.rows(table, columns, ask);
    },
    close: () => tables.close(),
  };
}
