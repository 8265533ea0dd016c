import type { CallInput } from '../../contract/calls/calls.ts';
import type { List } from '../../contract/entities.ts';
import type { AuditAction, AuditFacts } from '../../contract/rules/audit.ts';
import { refuse } from '../../contract/rules/errors.ts';
import type { StaffTag } from '../../contract/calls/tag-calls.ts';
import type { Viewer } from '../auth/auth-service.ts';
import type { Trx } from '../db/database.ts';
import { asClean } from '../shared/clean-text.ts';
import { idsIn, toInstant } from '../shared/ids.ts';
import * as queries from './tag-queries.ts';
import type { Uses } from '../services.ts';

/** Steps of 20 articles that the request waits for; usually this covers all articles. */
const AWAITED_BATCHES = 5;

export type TagConsole = ReturnType<typeof createTagConsole>;

/**
 * Actions of staff on tags. Former names of a tag, and names of tags merged into it, become its aliases:
 * links, feeds and texts with those names find the tag.
 */
export function createTagConsole({ db, events, audit, retag, now }: Uses<'retag'>) {
  const record = (
    trx: Trx,
    viewer: Pick<Viewer, 'id'> | null,
    { action, id, before, after }: { action: AuditAction; id: string; before: AuditFacts; after: AuditFacts },
  ) =>
    audit.write(trx, {
      actorId: viewer?.id ?? null,
      action,
      subject: { kind: 'tag', id },
      before,
      after,
    });
  const announce = (trx: Trx, ...names: string[]) => {
    for (const name of names) events.emit(trx, { type: 'tag-changed', name });
  };
  const getListed = async (trx: Trx, id: string) =>
    (await queries.findListed(trx, { id })) ?? refuse('TAG_NOT_FOUND');

  return {
    async list(input: CallInput<'staffTags'>): Promise<List<StaffTag>> {
      const { rows, total } = await queries.readTags(db.read, input);
      const aliases = await queries.listAliases(db.read, idsIn(rows));
      const result = rows.map((row) => {
        const former = aliases.filter(({ tag_id }) => tag_id === row.id);
        return {
          _id: row.id,
          name: row.name,
          description: row.description,
          create_user: row.username,
          create_time: toInstant(row.create_time),
          page_num: row.page_num,
          is_used: Boolean(row.is_used),
          former_names: former.map(({ name }) => name),
          is_changing: former.some(({ next_seq }) => next_seq !== null),
        };
      });
      return { result, total };
    },

    /**
     * Renames a tag; the former name becomes an alias. Returns both names. Refuses with TAG_NOT_FOUND, and
     * with TAG_TAKEN if another tag has or had the name.
     */
    async rename({ id, name }: CallInput<'tagRename'>, viewer: Viewer) {
      const former = await db.write(async (trx) => {
        const tag = await getListed(trx, id);
        if (tag.name === name) return name;
        const aliased = await queries.findAliased(trx, name);
        const isTaken = (await queries.findListed(trx, { name })) ?? (aliased && aliased.tag_id !== id);
        if (isTaken) refuse('TAG_TAKEN');
        if (aliased) await queries.deleteAlias(trx, name);
        await queries.changeTag(trx, id, { name: asClean(name, 'staff') }, now());
        await queries.absorbHidden(trx, name, id);
        await queries.putAlias(trx, { name: tag.name, tag_id: id, former_id: null, create_time: now() });
        await record(trx, viewer, { action: 'tag.rename', id, before: { name: tag.name }, after: { name } });
        announce(trx, tag.name, name);
        return tag.name;
      });
      await retag.run(AWAITED_BATCHES);
      return { name, former };
    },

    /**
     * Merges tags into the one called `into`, which keeps its description; returns how many were merged.
     * Refuses with TAG_NOT_FOUND if one of them does not exist, and then merges none.
     */
    async merge({ ids, into }: CallInput<'tagMerge'>, viewer: Viewer): Promise<number> {
      const merged = await db.write(async (trx) => {
        const aliased = await queries.findAliased(trx, into);
        const target =
          (await queries.findListed(trx, { name: into })) ??
          (aliased && (await queries.findListed(trx, { id: aliased.tag_id }))) ??
          refuse('TAG_NOT_FOUND');
        const others = [...new Set(ids)].filter((id) => id !== target.id);
        for (const id of others) {
          const { name, page_num } = await getListed(trx, id);
          await queries.unlist(trx, id);
          await queries.putAlias(trx, { name, tag_id: target.id, former_id: id, create_time: now() });
          const after = { into: target.name };
          await record(trx, viewer, { action: 'tag.merge', id, before: { name, page_num }, after });
          announce(trx, name);
        }
        await queries.addToListedCount(trx, -others.length);
        announce(trx, target.name);
        return others.length;
      });
      await retag.run(AWAITED_BATCHES);
      return merged;
    },

    /**
     * Sets the description of a tag; returns the former one. Refuses with TAG_NOT_FOUND.
     * @param also receives the tag first, in the same transaction; aborts it by throwing
     */
    describe: (
      { id, description }: CallInput<'tagDescribe'>,
      viewer: Pick<Viewer, 'id'> | null,
      also?: (trx: Trx, tag: queries.ListedTag) => Promise<void>,
    ): Promise<string> =>
      db.write(async (trx) => {
        const tag = await getListed(trx, id);
        await also?.(trx, tag);
        if (tag.description === description) return description;
        await queries.changeTag(trx, id, { description: asClean(description, 'staff') }, now());
        await record(trx, viewer, {
          action: 'tag.describe',
          id,
          before: { name: tag.name, description: tag.description },
          after: { description },
        });
        announce(trx, tag.name);
        return tag.description;
      }),

    /** Deletes a tag and its aliases; returns its name. Refuses with TAG_NOT_FOUND, TAG_IN_USE. */
    remove: ({ id }: CallInput<'tagDelete'>, viewer: Viewer): Promise<string> =>
      db.write(async (trx) => {
        const { name, description, is_used } = await getListed(trx, id);
        const aliases = await queries.listAliases(trx, [id]);
        // A rename or merge into this tag is still in progress.
        if (is_used || aliases.some(({ next_seq }) => next_seq !== null)) refuse('TAG_IN_USE');
        await queries.deleteTag(trx, id);
        await queries.addToListedCount(trx, -1);
        await record(trx, viewer, { action: 'tag.delete', id, before: { name, description }, after: {} });
        announce(trx, name);
        return name;
      }),
  };
}
