import { AUDIT_ACTIONS, type AuditAction, type AuditFacts } from '../../contract/rules/audit.ts';
import type { Trx } from '../db/database.ts';
import { usernameOf } from '../db/lists.ts';
import { newId, toInstant } from '../shared/ids.ts';
import { insertAudit, listNames, readAudit } from './audit-queries.ts';
import type { AppParts, Core } from '../services.ts';
import type { List } from '../../contract/entities.ts';
import type { AuditItem } from '../../contract/calls/staff-calls.ts';
import type { PageRequest } from '../shared/paging.ts';

export interface AuditEntry<Before = AuditFacts, After = AuditFacts> {
  /** Null for the operator on the command line. */
  actorId: string | null;
  action: AuditAction;
  subject: { kind: string; id: string };
  before: Before;
  after: After;
}

/** Facts of which every field has a label (rules/audit.ts), checked at compile time. */
type Labelled<T> = T & AuditFacts & Record<Exclude<keyof T, keyof AuditFacts>, never>;

export type Audit = ReturnType<typeof createAudit>;

/** Audit log of staff. Every change writes its entry in the same transaction. */
export function createAudit({ now }: Pick<AppParts, 'now'>) {
  return {
    async write<B extends object, A extends object>(
      trx: Trx,
      { actorId, action, subject, before, after }: AuditEntry<Labelled<B>, Labelled<A>>,
    ): Promise<void> {
      await insertAudit(trx, {
        id: newId(),
        create_time: now(),
        actor_id: actorId,
        actor_name: actorId === null ? '' : await usernameOf(trx, actorId),
        action,
        subject_kind: subject.kind,
        subject_id: subject.id,
        before: JSON.stringify(before),
        after: JSON.stringify(after),
      });
    },
  };
}

export type AuditLists = ReturnType<typeof createAuditLists>;

const COLUMNS = ['time', 'actor', 'action', 'kind', 'id', 'before', 'after'];
/** Rows per query, and maximum rows of a file. */
const ROW_BATCH_SIZE = 1_000;
const MAX_FILE_ROWS = 20_000;

export function createAuditLists({ db }: Core) {
  return {
    async list(filter: PageRequest & { keywords: string }): Promise<List<AuditItem>> {
      const { rows, total } = await readAudit(db.read, { ...filter, actions: actionsOf(filter.keywords) });
      const accounts = rows.filter(({ subject_kind }) => subject_kind === 'user');
      const names = await listNames(db.read, [...new Set(accounts.map(({ subject_id }) => subject_id))]);
      const result = rows.map((row) => ({
        _id: row.id,
        create_time: toInstant(row.create_time),
        actor: row.actor_name,
        action: row.action,
        subject_kind: row.subject_kind,
        subject_id: row.subject_id,
        ...nameFact(row.subject_kind === 'user' ? names.get(row.subject_id) : undefined),
        before: row.before,
        after: row.after,
      }));
      return { result, total };
    },
    /**
     * Returns the newest 20,000 as CSV (RFC 4180), with a byte order mark that tells spreadsheets it is
     * UTF-8.
     */
    async csv(keywords: string): Promise<string> {
      const lines = [COLUMNS.join(',')];
      const actions = actionsOf(keywords);
      for (let page = 1; page * ROW_BATCH_SIZE <= MAX_FILE_ROWS; page += 1) {
        const { rows, total } = await readAudit(db.read, {
          keywords,
          actions,
          page,
          pageSize: ROW_BATCH_SIZE,
        });
        for (const { create_time, actor_name, action, subject_kind, subject_id, before, after } of rows)
          lines.push(
            [toInstant(create_time), actor_name, action, subject_kind, subject_id, before, after]
              .map(cell)
              .join(','),
          );
        if (page * ROW_BATCH_SIZE >= total) break;
      }
      return `\ufeff${lines.join('\r\n')}\r\n`;
    },
  };
}

/** Actions whose label, which the console shows, contains the keywords. */
const actionsOf = (keywords: string): AuditAction[] =>
  keywords === ''
    ? []
    : (Object.keys(AUDIT_ACTIONS) as AuditAction[]).filter((action) =>
        AUDIT_ACTIONS[action].includes(keywords),
      );

const nameFact = (subject_name: string | undefined) => (subject_name === undefined ? {} : { subject_name });

/** Formats a CSV cell. An apostrophe keeps spreadsheets from reading the text as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
