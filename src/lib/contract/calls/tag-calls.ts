import { z } from 'zod';
import { byId, open, read, searchField, signedIn, staff, write } from './call.ts';
import { listOf, Series, SeriesDetail, Tag } from '../entities.ts';
import {
  absentField,
  booleanField,
  countedList,
  countField,
  coverField,
  descriptionField,
  idField,
  pageField,
  pagingFields,
  seriesDescriptionField,
  seriesTitleField,
  someText,
  tagField,
} from '../fields.ts';
import { BOUNDS, PAGE_SIZE } from '../rules/bounds.ts';
import { TAG_KINDS } from '../rules/tag-kinds.ts';

const seriesFields = {
  title: seriesTitleField,
  description: absentField(seriesDescriptionField.default('')),
  cover: absentField(coverField.default('')),
};

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

export const tagCalls = {
  tagList: read(open(), 'POST /api/tag/taglist', '标签，文章多的在前', {
    description: 'used 为 true 时，只有公开文章用到的。',
    input: z.object({
      page: pageField,
      pageSize: countField(PAGE_SIZE, BOUNDS.tagPageSize),
      used: absentField(booleanField.optional()).catch(undefined),
    }),
    output: listOf(Tag),
  }),
  tagDetail: read(open('articles:read'), 'POST /api/tag/tagdetail', '一个标签', {
    input: z.object({ name: someText }),
    output: Tag,
    refusals: ['TAG_NOT_FOUND'],
  }),
  allTags: read(open('articles:read'), 'POST /api/tag/alltags', '最常用的 2,000 个标签的名字', {
    output: z.array(z.string()),
  }),
  tagCreate: write(signedIn('articles:write'), 'POST /api/tag/create', '新建标签', {
    input: z.object({ name: tagField, description: absentField(descriptionField.default('')) }),
    output: Tag,
    refusals: ['WORD_REFUSED', 'TAG_TAKEN', 'QUOTA_REACHED'],
    writes: ['tag.name', 'tag.description'],
  }),
};

export const seriesCalls = {
  /** Returns all of the caller's series; of another user's, only those with readable articles. */
  seriesList: read(open('articles:read'), 'POST /api/series/list', '一位作者的专栏', {
    input: z.object({ username: someText }),
    output: listOf(Series),
  }),
  seriesDetail: read(open('articles:read'), 'POST /api/series/detail', '一个专栏和它的文章', {
    input: byId,
    output: SeriesDetail,
    refusals: ['SERIES_NOT_FOUND'],
  }),
  seriesCreate: write(signedIn('articles:write'), 'POST /api/series/create', '新建专栏', {
    input: z.object(seriesFields),
    output: Series,
    refusals: ['WORD_REFUSED', 'SERIES_TOO_MANY'],
    writes: ['series.title', 'series.description'],
  }),
  seriesEdit: write(signedIn('articles:write'), 'POST /api/series/edit', '修改自己的专栏', {
    input: z.object({ id: idField, ...seriesFields }),
    output: Series,
    refusals: ['WORD_REFUSED', 'SERIES_NOT_FOUND'],
    writes: ['series.title', 'series.description'],
  }),
  /** Articles that are not listed keep their order after those that are. */
  seriesOrder: write(signedIn('articles:write'), 'POST /api/series/order', '排专栏里文章的顺序', {
    description: '没列出的文章按原来的顺序排在后面。',
    input: z.object({
      id: idField,
      ids: countedList(
        idField,
        '文章编号',
        [0, BOUNDS.seriesArticles],
        `一个专栏最多排 ${BOUNDS.seriesArticles} 篇文章`,
      ),
    }),
    refusals: ['SERIES_NOT_FOUND'],
    writes: [],
  }),
  seriesDelete: write(signedIn('articles:write'), 'POST /api/series/delete', '删除自己的专栏', {
    description: '文章都还在。',
    input: byId,
    refusals: ['SERIES_NOT_FOUND'],
    writes: [],
  }),
};

export const tagConsoleCalls = {
  staffTags: read(staff('tags.manage', 'moderation'), 'POST /api/staff/tags', '全部标签', {
    input: z.object({
      keywords: searchField,
      show: z.enum(['', ...TAG_KINDS]).catch(''),
      ...pagingFields,
    }),
    output: listOf(StaffTag),
  }),
  /** Refuses with TAG_TAKEN if a tag has that name; use a merge instead. */
  tagRename: write(staff('tags.manage', 'moderation'), 'POST /api/staff/tag/rename', '给标签改名', {
    input: z.object({ id: idField, name: tagField }),
    output: z.object({ name: z.string(), former: z.string() }),
    refusals: ['TAG_NOT_FOUND', 'TAG_TAKEN'],
  }),
  tagMerge: write(staff('tags.manage', 'moderation'), 'POST /api/staff/tag/merge', '把标签合并到另一个', {
    input: z.object({
      ids: countedList(idField, '标签', [1, MAX_MERGED_TAGS], `一次合并 1–${MAX_MERGED_TAGS} 个标签`),
      into: tagField,
    }),
    output: z.object({ merged: z.int() }),
    refusals: ['TAG_NOT_FOUND'],
  }),
  tagDescribe: write(staff('tags.manage', 'moderation'), 'POST /api/staff/tag/describe', '修改标签的说明', {
    input: z.object({ id: idField, description: absentField(descriptionField.default('')) }),
    output: z.object({ former: z.string() }),
    refusals: ['TAG_NOT_FOUND'],
  }),
  /** Refuses with TAG_IN_USE while anything uses it. */
  tagDelete: write(staff('tags.manage', 'moderation'), 'POST /api/staff/tag/delete', '删除没有用到的标签', {
    input: byId,
    refusals: ['TAG_NOT_FOUND', 'TAG_IN_USE'],
  }),
};
