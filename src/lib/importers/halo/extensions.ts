import type { z } from 'zod';
import { createScratchTables, type ScratchTables } from '../../server/db/foreign/foreign-tables.ts';
import { Problem } from '../../markdown-file/problem.ts';
import { jsonOf, readRows, type RowFormat } from '../json-rows.ts';
import { orClose } from '../or-close.ts';

const KINDS = {
  posts: '/registry/content.halo.run/posts/',
  singlepages: '/registry/content.halo.run/singlepages/',
  snapshots: '/registry/content.halo.run/snapshots/',
  tags: '/registry/content.halo.run/tags/',
  categories: '/registry/content.halo.run/categories/',
  comments: '/registry/content.halo.run/comments/',
  replies: '/registry/content.halo.run/replies/',
  users: '/registry/users/',
  attachments: '/registry/storage.halo.run/attachments/',
  configmaps: '/registry/configmaps/',
  menus: '/registry/menus/',
  menuitems: '/registry/menuitems/',
  links: '/registry/core.halo.run/links/',
  linkgroups: '/registry/core.halo.run/linkgroups/',
} as const;
export type Kind = keyof typeof KINDS;
const ENTRIES = Object.entries(KINDS) as [Kind, string][];

const MISSED: readonly [begins: string, what: string][] = [
  ['/registry/moment.halo.run/moments/', '瞬间'],
  ['/registry/core.halo.run/photos/', '图库'],
  ['/registry/core.halo.run/friends/', '朋友圈'],
  ['/registry/docsme.halo.run/docs/', '文档'],
];

export interface Extensions {
  /** Yields extensions in order of creation; counts and omits those that do not match `shape`. */
  list<T extends z.ZodType>(kind: Kind, shape: T): Iterable<z.infer<T>>;
  find<T extends z.ZodType>(kind: Kind, name: string, shape: T): z.infer<T> | null;
  readonly unreadable: number;
  readonly unsupported: ReadonlyMap<string, number>;
  close(): void;
}

const LIST = 0x5b;
const BETWEEN = new Set(Buffer.from(' \t\r\n,[]{}'));
const BROKEN = 'extensions.data 不完整或已损坏';
/** Rows are in one list, or follow each other. */
export const FORMAT: RowFormat = {
  isRow: () => true,
  accepts: (byte, open) => BETWEEN.has(byte) && (byte !== LIST || open.length === 0),
  decoder: new TextDecoder('utf-8', { fatal: true }),
  problems: {
    cut: BROKEN,
    broken: BROKEN,
    unreadable: 'extensions.data 里有看不懂的数据，备份不完整或已损坏',
    tooLarge: '备份里有超过 64 MiB 的一行数据，不是博客的数据',
  },
};

/**
 * Reads the rows of a backup into tables on disk, from which articles can query their snapshots.
 * @throws Problem if it is not a backup
 */
export async function readExtensions(data: AsyncIterable<Uint8Array>): Promise<Extensions> {
  const tables = createScratchTables();
  return orClose(tables, async () => {
    for (const [kind] of ENTRIES)
      tables.create(kind, { name: 'TEXT', made: 'INTEGER', data: 'TEXT' }, ['name']);
    const unsupported = new Map(MISSED.map(([, what]) => [what, 0]));
    let count = 0;
    for await (const { row } of readRows(data, FORMAT)) {
      count += 1;
      take(tables, row, unsupported);
    }
    if (count === 0) throw new Problem('备份里没有数据');
    return extensionsIn(tables, unsupported);
  });
}

function take(tables: ScratchTables, row: Record<string, unknown>, unsupported: Map<string, number>): void {
  const { name, data } = row;
  if (typeof name !== 'string' || typeof data !== 'string')
    throw new Problem('extensions.data 里有看不懂的数据，不是 Halo 2 的备份');
  const [kind, start] = ENTRIES.find(([, begins]) => name.startsWith(begins)) ?? [];
  if (kind === undefined || start === undefined) {
    const what = MISSED.find(([begins]) => name.startsWith(begins))?.[1];
    if (what !== undefined) unsupported.set(what, (unsupported.get(what) ?? 0) + 1);
    return;
  }
  const json = Buffer.from(data, 'base64').toString('utf8');
  const made = Date.parse(/"creationTimestamp"\s*:\s*"([^"]+)"/.exec(json)?.[1] ?? '');
  tables.add(kind, [name.slice(start.length), Number.isNaN(made) ? null : String(made), json]);
}

function extensionsIn(tables: ScratchTables, unsupported: ReadonlyMap<string, number>): Extensions {
  const unreadable = new Set<string>();
  const parse = <T extends z.ZodType>(
    kind: Kind,
    name: string,
    json: string,
    shape: T,
  ): z.infer<T> | null => {
    const found = shape.safeParse(jsonOf(json));
    if (!found.success) unreadable.add(`${kind}/${name}`);
    return found.success ? found.data : null;
  };
  return {
    *list(kind, shape) {
      for (const { name, data } of tables.rows(kind, ['name', 'data'], { order: ['made', 'name'] })) {
        const value = parse(kind, name ?? '', data ?? '', shape);
        if (value !== null) yield value;
      }
    },
    find(kind, name, shape) {
      for (const { data } of tables.rows(kind, ['data'], { where: { name } }))
        return parse(kind, name, data ?? '', shape);
      return null;
    },
    get unreadable() {
      return unreadable.size;
    },
    unsupported,
    close: () => tables.close(),
  };
}
