import { z } from 'zod';
import { byId, open, read, searchField, signedIn, staff, write } from './call.ts';
import { listOf, Series, SeriesDetail, Tag } from '../entities.ts';
import {
  absentField,
  booleanField,
  countedList,
  coverField,
  descriptionField,
  idField,
  pageField,
  pageSizeField,
  pagingFields,
  seriesDescriptionField,
  seriesTitleField,
  someText,
  tagField,
} from '../fields.ts';
import { BOUNDS } from '../rules/bounds.ts';
import { TAG_KINDS } from '../rules/list-filters.ts';
import { boolean, choice, instant, int, string, strings } from '../titled.ts';

const seriesFields = {
  title: seriesTitleField,
  description: absentField(seriesDescriptionField.default('')),
  cover: absentField(coverField.default('')),
};

const MAX_MERGED_TAGS = 100;

export const StaffTag = z.object({
  _id: string('编号'),
  name: string('名字'),
  description: string('摘要'),
  create_user: string('作者的用户名'),
  create_time: instant('新建的时间'),
  page_num: int('公开的文章数'),
  /** Whether any article uses it, including drafts and secret articles; only unused tags can be deleted. */
  is_used: boolean('用到没有'),
  /** Old names that now refer to this tag, from renaming and merging. */
  former_names: strings('曾用名'),
  /** Whether some articles have yet to be updated to the new name. */
  is_changing: boolean('还有文章没改过来'),
});
export type StaffTag = z.infer<typeof StaffTag>;

export const tagCalls = {
  tagList: read(open(), 'POST /api/tag/taglist', '标签，文章多的在前', {
    description: 'used 为 true 时，只有公开文章用到的。',
    input: z.object({
      page: pageField,
      pageSize: pageSizeField(BOUNDS.tagPageSize),
      used: absentField(booleanField('只要公开文章用到的').optional()).catch(undefined),
    }),
    output: listOf(Tag),
  }),
  tagDetail: read(open('articles:read'), 'POST /api/tag/tagdetail', '一个标签', {
    input: z.object({ name: someText('名字') }),
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
    input: z.object({ username: someText('用户名') }),
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
    input: z.object({ id: idField.meta({ title: '编号' }), ...seriesFields }),
    output: Series,
    refusals: ['WORD_REFUSED', 'SERIES_NOT_FOUND'],
    writes: ['series.title', 'series.description'],
  }),
  seriesOrder: write(signedIn('articles:write'), 'POST /api/series/order', '排专栏里文章的顺序', {
    description: '没列出的文章按原来的顺序排在后面。',
    input: z.object({
      id: idField.meta({ title: '编号' }),
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

const ofTags = staff('tags.manage', 'moderation');

export const tagConsoleCalls = {
  staffTags: read(ofTags, 'POST /api/staff/tags', '全部标签', {
    input: z.object({
      keywords: searchField,
      show: choice('哪些标签', ['', ...TAG_KINDS]).catch(''),
      ...pagingFields,
    }),
    output: listOf(StaffTag),
  }),
  /** Refuses with TAG_TAKEN if a tag has that name; use a merge instead. */
  tagRename: write(ofTags, 'POST /api/staff/tag/rename', '给标签改名', {
    input: z.object({ id: idField.meta({ title: '编号' }), name: tagField }),
    output: z.object({ name: string('名字'), former: string('原来的值') }),
    refusals: ['TAG_NOT_FOUND', 'TAG_TAKEN'],
  }),
  tagMerge: write(ofTags, 'POST /api/staff/tag/merge', '把标签合并到另一个', {
    input: z.object({
      ids: countedList(idField, '标签', [1, MAX_MERGED_TAGS], `一次合并 1–${MAX_MERGED_TAGS} 个标签`),
      into: tagField,
    }),
    output: z.object({ merged: int('合并的数目') }),
    refusals: ['TAG_NOT_FOUND'],
  }),
  tagDescribe: write(ofTags, 'POST /api/staff/tag/describe', '修改标签的说明', {
    input: z.object({
      id: idField.meta({ title: '编号' }),
      description: absentField(descriptionField.default('')),
    }),
    output: z.object({ former: string('原来的值') }),
    refusals: ['TAG_NOT_FOUND'],
  }),
  tagDelete: write(ofTags, 'POST /api/staff/tag/delete', '删除没有用到的标签', {
    input: byId,
    refusals: ['TAG_NOT_FOUND', 'TAG_IN_USE'],
  }),
};
