import { text, type Migration } from '../migration.ts';

/**
 * Returns a subquery for the comment that `reply` quoted when it was written: by the same user under the same
 * article, earlier, with the same text except for line breaks. Compares lengths first, to use the index
 * `comments_quoted`.
 */
function quotedIn(table: string, reply: string, [cr, lf]: readonly [string, string]): string {
  const plain = (column: string) => `replace(${column}, ${cr} || ${lf}, ${lf})`;
  const wanted = plain(`${reply}.reply_content`);
  const breaks = `length(${wanted}) - length(replace(${wanted}, ${lf}, ''))`;
  return `(select quoted.id from ${table} as quoted
    where quoted.article_id = ${reply}.article_id and quoted.author_id = ${reply}.reply_user_id
      and length(quoted.content) between length(${wanted}) and length(${wanted}) + ${breaks}
      and ${plain('quoted.content')} = ${wanted}
      and (quoted.create_time, quoted.id) < (${reply}.create_time, ${reply}.id)
    order by quoted.create_time desc, quoted.id desc limit 1)`;
}

const TABLES = ['comments', 'withheld_comments'];

const statements = (string: string, breaks: readonly [string, string]) => [
  ...TABLES.map((table) => `alter table ${table} add column reply_comment_id ${string}`),
  ...TABLES.map(
    (table) => `update ${table} set reply_comment_id =
      coalesce(${TABLES.map((each) => quotedIn(each, table, breaks)).join(', ')})
      where reply_user_id is not null and reply_content <> ''`,
  ),
  ...TABLES.map((table) => `alter table ${table} drop column reply_content`),
];

/**
 * Replies reference the comment that they quote instead of copying it (decision 0066). Copies whose original
 * is not found are dropped: no one could remove them.
 */
export const quoteReferences: Migration = {
  number: 38,
  sqlite: statements('text', ['char(13)', 'char(10)']),
  postgres: statements(text, ['chr(13)', 'chr(10)']),
};
