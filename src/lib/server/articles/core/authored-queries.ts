import {
  FIELD_NAMES,
  fieldsFromColumns,
  valueOf,
  type Authored,
  type FieldName,
} from '../../../contract/rules/authored-fields.ts';
import { refuse } from '../../../contract/rules/errors.ts';
import type { Queryable, Trx } from '../../db/database.ts';
import { firstValue, isFound } from '../../db/lists.ts';
import type { AuthoredColumns } from '../../db/schema/schema.ts';
import type { Quotas, Spender } from '../../quotas/quota-service.ts';

type HeadName = Exclude<FieldName, 'content'>;

export const HEAD_NAMES = FIELD_NAMES.filter((name): name is HeadName => name !== 'content');
export type HeadColumns = Pick<AuthoredColumns, HeadName>;

export const fromColumns = (row: HeadColumns): Pick<Authored, HeadName> => fieldsFromColumns(row, HEAD_NAMES);

/** Returns `id` if it is a series of `authorId`, else '': the series may have been deleted meanwhile. */
async function ownSeries(db: Queryable, id: string, authorId: string): Promise<string> {
  const own = db.selectFrom('series').select('id').where('author_id', '=', authorId);
  return (await firstValue(own.where('id', '=', id))) ?? '';
}

function encode(value: string | boolean | string[]): string | 0 | 1 {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return Array.isArray(value) ? JSON.stringify(value) : value;
}

export const EMPTY_HEAD = Object.fromEntries(
  HEAD_NAMES.map((name) => [name, encode(valueOf({}, name))]),
) as HeadColumns;

export async function sourceBytes(db: Queryable, id: string): Promise<number> {
  const bodies = db.selectFrom('article_bodies').where('article_id', '=', id);
  return (
    (await firstValue(bodies.select((eb) => eb.fn<number>('octet_length', ['content']).as('bytes')))) ?? 0
  );
}

/** Refuses with FIELD_INVALID an address that does not name a picture uploaded for articles. */
export async function requirePicture(db: Queryable, address: string): Promise<void> {
  const name = address.slice(address.lastIndexOf('/') + 1);
  const pictures = db.selectFrom('files').select('name').where('kind', '=', 'image');
  if (!(await isFound(pictures.where('name', '=', name))))
    refuse('FIELD_INVALID', { text: '封面图片不存在，请重新上传' });
}

/**
 * Charges a save to its author's storage and returns the columns to write: extra fields that were not sent
 * keep their values, a series of another author becomes ''. Refuses with ACCOUNT_FULL, FIELD_INVALID (the
 * cover is not a picture of this site).
 */
export async function takeFields(
  trx: Trx,
  quotas: Pick<Quotas, 'store'>,
  author: Spender,
  typed: Authored,
  former: { columns?: HeadColumns | undefined; bytes: number },
): Promise<AuthoredColumns> {
  const fields = typed.series ? { ...typed, series: await ownSeries(trx, typed.series, author.id) } : typed;
  if (fields.cover) await requirePicture(trx, fields.cover);
  await quotas.store(trx, author, Buffer.byteLength(fields.content) - former.bytes);
  const known: Partial<AuthoredColumns> = former.columns ?? {};
  const columns = FIELD_NAMES.map((name) => {
    const kept = fields[name] === undefined ? known[name] : undefined;
    return [name, kept ?? encode(valueOf(fields, name))];
  });
  return Object.fromEntries(columns) as AuthoredColumns;
}
