import { z } from 'zod';
import { signedIn } from './call.ts';
import { listOf } from '../entities.ts';
import { absentField, booleanField, countedList, pagingFields } from '../fields.ts';
import { PICTURE_STATES } from '../rules/own-list.ts';

// Not in BOUNDS, because browsers load that with the comments.
/** Maximum uses listed per picture, and maximum articles in which a picture can be replaced. */
export const MAX_LISTED_USES = 20;
const MAX_DELETED_PICTURES = 100;

/** A use of a picture; `id` identifies the series, or the article whose text shows it. */
export const PictureUse = z.object({
  place: z.enum(['article', 'draft', 'revision', 'series', 'trash', 'version']),
  id: z.string(),
  title: z.string(),
});
export type PictureUse = z.infer<typeof PictureUse>;

export const OwnPicture = z.object({
  name: z.string(),
  url: z.string(),
  /** 0 if unknown, for old pictures. */
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  kind: z.string(),
  create_time: z.iso.datetime(),
  uses: z.array(PictureUse),
  more: z.boolean(),
});
export type OwnPicture = z.infer<typeof OwnPicture>;

const nameField = z
  .string({ error: '请选择图片' })
  .refine((name) => /^[\w-]{1,80}\.\w{3,4}$/.test(name), { error: '图片的名字不正确' });

export const pictureCalls = {
  pictureList: signedIn(
    'read',
    z.object({ state: z.enum(PICTURE_STATES).optional().catch(undefined), ...pagingFields }),
    listOf(OwnPicture),
  ),
  pictureDelete: signedIn(
    'write',
    z.object({
      names: countedList(
        nameField,
        '图片',
        [1, MAX_DELETED_PICTURES],
        `一次可以删除 1–${MAX_DELETED_PICTURES} 张图片`,
      ),
      from_history: absentField(booleanField.default(false)),
    }),
    z.object({ deleted: z.int() }),
  ),
  pictureReplace: signedIn(
    'write',
    z.object({ name: nameField, by: nameField }),
    z.object({
      changed: z.int(),
      /** Changed articles that wait for staff, if there are any. */
      pending: z.int().optional(),
      problems: z.array(z.object({ id: z.string(), title: z.string(), problem: z.string() })),
    }),
  ),
};
