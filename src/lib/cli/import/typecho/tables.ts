import {
  createScratchTables,
  isSqliteFile,
  openForeignTables,
  type Ask,
  type ColumnType,
  type ForeignRow,
  type ForeignTables,
  type ScratchTables,
} from '../../../server/db/foreign-tables.ts';
import { UsageError } from '../../explain.ts';
import { clearly, readClearly } from '../foreign-file.ts';
import { isTypechoBackup, readTypechoBackup } from './backup-file.ts';
import { readDumpText } from './dump-text.ts';
import { readDumpRows, type DumpReader } from './sql-rows.ts';

/** What is read of Typecho's tables, whose names follow the site's prefix. The first columns are the key. */
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
} as const;

export type Kind = keyof typeof SHAPES;
const KINDS = Object.keys(SHAPES) as Kind[];
/** Without them there is no site; old releases have no `fields`, and Typecho's own backup no `options`. */
const NEEDED: readonly Kind[] = ['contents', 'comments', 'metas', 'relationships', 'users'];
const NAME = new RegExp(`^(.*?)(${KINDS.join('|')})$`);

/** Typecho's tables by what they hold. */
export interface TypechoTables {
  /** Rows of a kind; none where the site has no such table. `columns`: all where they are left out. */
  rows(kind: Kind, ask?: Ask & { columns?: readonly string[] }): Iterable<ForeignRow>;
  close(): void;
}

/**
 * Opens a site: a dump of MySQL (`.sql`, `.sql.gz`), a SQLite file, or the backup that Typecho makes itself.
 * All of a dump is read first, into a file of its own on the disk: one that is cut off imports nothing.
 * @param prefix of the tables; told by them where it is left out
 * @throws UsageError where it is no such thing, or more than one site
 */
export async function openTypechoTables(path: string, prefix?: string): Promise<TypechoTables> {
  const tables = await openTables(path);
  try {
    return choose(tables, prefix);
  } catch (error) {
    tables.close();
    throw error;
  }
}

async function openTables(path: string): Promise<ForeignTables> {
  try {
    if (isSqliteFile(path)) return openForeignTables(path);
    const scratch = createScratchTables();
    try {
      if (isTypechoBackup(path)) await readTypechoBackup(path, readerInto(scratch));
      else await readDumpRows(readDumpText(path), readerInto(scratch));
      return scratch;
    } catch (error) {
      scratch.close();
      throw error;
    }
  } catch (error) {
    throw clearly(error);
  }
}

/** Keeps what is read of each row, in the table it belongs to. */
function readerInto(scratch: ScratchTables): DumpReader {
  const create = (table: string): void => {
    const { key, numbers } = SHAPES[kindOf(table)];
    const typeOf = (name: string): ColumnType => (numbers.split(' ').includes(name) ? 'INTEGER' : 'TEXT');
    const columns = columnsOf(kindOf(table)).map((name) => [name, typeOf(name)] as const);
    scratch.create(table, Object.fromEntries(columns), key);
  };
  const created = new Set<string>();
  const makeSure = (table: string): void => {
    if (created.has(table)) return;
    create(table);
    created.add(table);
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
  const isSite = (prefix: string): boolean =>
    NEEDED.every((kind) => {
      const table = prefix + kind;
      return names.has(table) && SHAPES[kind].key.every((column) => tables.has(table, column));
    });
  const found = [...names]
    .flatMap((name) => /^(.*?)contents$/.exec(name)?.[1] ?? [])
    .filter(isSite)
    .sort();
  const [prefix, ...others] = wanted === undefined ? found : found.filter((each) => each === wanted);
  if (prefix === undefined) {
    const of = wanted === undefined ? '' : `表前缀为 ${wanted} 的 `;
    throw new UsageError(
      `里面没有 ${of}Typecho 的数据（contents、comments、metas、relationships、users 五个表）`,
    );
  }
  if (others.length > 0)
    throw new UsageError(`里面有多个 Typecho 站点，请用 --prefix 选择一个表前缀：${found.join('、')}`);
  return {
    *rows(kind, { columns = columnsOf(kind), ...ask } = {}) {
      const table = prefix + kind;
      const isThere = names.has(table) && SHAPES[kind].key.every((column) => tables.has(table, column));
      if (isThere) yield* readClearly(tables.rows(table, columns, ask));
    },
    close: () => tables.close(),
  };
}
