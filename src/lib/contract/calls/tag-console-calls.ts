import { z } from 'zod';
import { byId, notice, searchField, staff } from './call.ts';
import { listOf } from '../entities.ts';
import { absentField, countedList, descriptionField, idField, pagingFields, tagField } from '../fields.ts';
import { TAG_KINDS } from '../rules/tag-kinds.ts';

const MAX_MERGED_TAGS = 100;

export const StaffTag = z.object({
  _id: z.string(),
  name: z.string(),
  description: z.string(),
  create_user: z.string(),
  create_time: z.iso.datetime(),
  page_num: z.int(),
  /** Whether any article uses it, including drafts and secret articles; only unused tags can be deleted. */
  is_used: z.boolean(),
  /** Old names that now refer to this tag, from renaming and merging. */
  former_names: z.array(z.string()),
  /** Whether some articles have yet to be updated to the new name. */
  is_changing: z.boolean(),
});
export type StaffTag = z.infer<typeof StaffTag>;

export const tagConsoleCalls = {
  staffTags: staff(
    'read',
    'tags.manage',
    z.object({
      keywords: searchField,
      show: z.enum(['', ...TAG_KINDS]).catch(''),
      ...pagingFields,
    }),
    listOf(StaffTag),
  ),
  /** Refuses with TAG_TAKEN if a tag has that name; use a merge instead. */
  tagRename: staff(
    'write',
    'tags.manage',
    z.object({ id: idField, name: tagField }),
    z.object({ name: z.string(), former: z.string() }),
  ),
  tagMerge: staff(
    'write',
    'tags.manage',
    z.object({
      ids: countedList(idField, '标签', [1, MAX_MERGED_TAGS], `一次合并 1–${MAX_MERGED_TAGS} 个标签`),
      into: tagField,
    }),
    z.object({ merged: z.int() }),
  ),
  tagDescribe: staff(
    'write',
    'tags.manage',
    z.object({ id: idField, description: absentField(descriptionField.default('')) }),
    z.object({ former: z.string() }),
  ),
  /** Refuses with TAG_IN_USE while anything uses it. */
  tagDelete: staff('write', 'tags.manage', byId, notice),
};
