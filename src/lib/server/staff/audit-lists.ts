import type { List } from '../../contract/entities.ts';
import type { AuditItem } from '../../contract/staff-calls.ts';
import type { Database } from '../db/database.ts';
import { toInstant } from '../ids.ts';
import { locatePage, type PageRequest } from '../paging.ts';
import * as queries from './audit-queries.ts';

export type AuditLists = ReturnType<typeof createAuditLists>;

const COLUMNS = ['time', 'actor', 'action', 'kind', 'id', 'before', 'after'];
/** Rows that are read at once, and at most in a file. */
const AT_ONCE = 1_000;
const MOST_ROWS = 20_000;

/** The record of what staff did, for the operator to read and to take away. */
export function createAuditLists({ db }: { db: Database }) {
  return {
    /** Entries that hold `keywords`, newest first. */
    async list({ keywords, ...request }: { keywords: string } & PageRequest): Promise<List<AuditItem>> {
      const query = queries.selectAudit(db.read, keywords);
      const total = await queries.countAudit(query);
      const { offset } = locatePage(request, total);
      const rows = await queries.listAudit(query, { offset, limit: request.pageSize });
      const result = rows.map((row) => ({
        _id: row.id,
        create_time: toInstant(row.create_time),
        actor: row.actor_name,
        action: row.action,
        subject_kind: row.subject_kind,
        subject_id: row.subject_id,
        before: row.before,
        after: row.after,
      }));
      return { result, total };
    },
    /** The same as CSV (RFC 4180) with a mark that tells spreadsheets it is UTF-8: the newest 20,000. */
    async csv(keywords: string): Promise<string> {
      const lines = [COLUMNS.join(',')];
      for (let offset = 0; offset < MOST_ROWS; offset += AT_ONCE) {
        const rows = await queries.listAudit(queries.selectAudit(db.read, keywords), {
          offset,
          limit: AT_ONCE,
        });
        for (const { create_time, actor_name, action, subject_kind, subject_id, before, after } of rows)
          lines.push(
            [toInstant(create_time), actor_name, action, subject_kind, subject_id, before, after]
              .map(cell)
              .join(','),
          );
        if (rows.length < AT_ONCE) break;
      }
      return `\ufeff${lines.join('\r\n')}\r\n`;
    },
  };
}

/** A text as a cell. One that a spreadsheet would take for a formula begins with an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
