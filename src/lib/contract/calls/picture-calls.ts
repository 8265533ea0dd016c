import { z } from 'zod';
import { BODIES, fileBytes, read, signedIn, write } from './call.ts';
import { listOf } from '../entities.ts';
import { absentField, booleanField, countedList, pagingFields } from '../fields.ts';
import { PICTURE_STATES } from '../rules/list-filters.ts';
import { boolean, choice, instant, int, list, string } from '../titled.ts';

// Not in BOUNDS, because browsers load that with the comments.
/** Maximum uses listed per picture, and maximum articles in which a picture can be replaced. */
export const MAX_LISTED_USES = 20;
const MAX_DELETED_PICTURES = 100;

/**
 * A use of a picture; `id` identifies the series, the article whose text shows it, or is the username whose
 * articles end with it.
 */
export const PictureUse = z.object({
  place: choice('在哪里', ['article', 'draft', 'revision', 'series', 'thanks', 'friend', 'trash', 'version']),
  id: string('编号'),
  title: string('标题'),
});
export type PictureUse = z.infer<typeof PictureUse>;

export const OwnPicture = z.object({
  name: string('名字'),
  url: string('网址'),
  /** 0 if unknown, for old pictures. */
  width: int('宽，像素'),
  height: int('高，像素'),
  bytes: int('字节数'),
  kind: string('种类'),
  create_time: instant('新建的时间'),
  uses: list('用在哪里', PictureUse),
  more: boolean('还有没有别的'),
});
export type OwnPicture = z.infer<typeof OwnPicture>;

const nameField = z
  .string({ error: '请选择图片' })
  .refine((name) => /^[\w-]{1,80}\.\w{3,4}$/.test(name), { error: '图片的名字不正确' });

const PICTURE = ['IMAGE_UNREADABLE', 'IMAGE_MISSING', 'ACCOUNT_FULL', 'QUOTA_REACHED'] as const;

export const pictureCalls = {
  uploadImage: write(signedIn('pictures:write'), 'POST /api/file/uploadImage', '上传图片', {
    description: 'PNG、JPEG、WebP、GIF、AVIF 或 HEIC，不超过 16 MB。',
    input: z.object({ file: fileBytes.meta({ title: '图片文件' }) }),
    output: z.object({ url: string('网址') }),
    body: BODIES.file,
    refusals: PICTURE,
    writes: [],
  }),
  fetchImage: write(signedIn('pictures:write'), 'POST /api/file/fetchImage', '把别的网站上的图片存到本站', {
    input: z.object({
      url: z.string({ error: '请填写图片地址' }).trim().min(1, '请填写图片地址').meta({ title: '网址' }),
    }),
    output: z.object({ url: string('网址') }),
    refusals: [...PICTURE, 'URL_REFUSED', 'URL_UNREACHABLE'],
    writes: [],
    isOptional: true,
  }),
  pictureList: read(signedIn('pictures:write'), 'POST /api/file/pictures', '自己上传的图片，每张用在哪里', {
    input: z.object({
      state: choice('状态', PICTURE_STATES).optional().catch(undefined),
      ...pagingFields,
    }),
    output: listOf(OwnPicture),
    isOptional: true,
  }),
  pictureDelete: write(signedIn('pictures:write'), 'POST /api/file/pictures/delete', '删除自己的图片', {
    description: '要么全部删除，要么一张也不删。',
    input: z.object({
      names: countedList(
        nameField,
        '图片',
        [1, MAX_DELETED_PICTURES],
        `一次可以删除 1–${MAX_DELETED_PICTURES} 张图片`,
      ),
      from_history: absentField(booleanField('历史版本里还有时也删除').default(false)),
    }),
    output: z.object({ deleted: int('删除的数目') }),
    refusals: ['PICTURE_IN_USE', 'PICTURE_IN_HISTORY'],
    writes: [],
  }),
  pictureReplace: write(
    signedIn('articles:write'),
    'POST /api/file/pictures/replace',
    '在自己的文章里用一张图片换掉另一张',
    {
      input: z.object({
        name: nameField.meta({ title: '名字' }),
        by: nameField.meta({ title: '换上的图片' }),
      }),
      output: z.object({
        changed: int('改动的数目'),
        /** Changed articles that wait for staff, if there are any. */
        pending: int('是不是等待审核').optional(),
        problems: list(
          '问题',
          z.object({ id: string('编号'), title: string('标题'), problem: string('问题') }),
        ),
      }),
      refusals: ['FILE_NOT_FOUND'],
      writes: ['article.content'],
    },
  ),
};
