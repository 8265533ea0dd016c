import { z } from 'zod';
import { signedIn } from './call.ts';
import { listOf } from './entities.ts';
import { absentField, booleanField, listField, pagingFields } from './fields.ts';
import { PICTURE_STATES } from './own-list.ts';
import { routes } from './routes.ts';

// Apart from BOUNDS, which browsers load with the comments.
/** Uses that a list of pictures tells; in so many articles a picture can be replaced. */
export const PICTURE_USES = 20;
const PICTURES_AT_ONCE = 100;

/** What shows a picture; the id is that of the series, or of the article whose text shows it. */
export const PictureUse = z.object({
  place: z.enum(['article', 'draft', 'revision', 'series', 'trash', 'version']),
  id: z.string(),
  title: z.string(),
});
export type PictureUse = z.infer<typeof PictureUse>;

/** An uploaded picture, as its owner sees it. */
export const OwnPicture = z.object({
  name: z.string(),
  /** As texts write it. */
  url: z.string(),
  /** 0 of pictures so old that nobody knows. */
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
  /** How its name ends: png, jpg or webp. */
  kind: z.string(),
  create_time: z.iso.datetime(),
  uses: z.array(PictureUse),
  /** Whether there are more uses than these. */
  more: z.boolean(),
});
export type OwnPicture = z.infer<typeof OwnPicture>;

const nameField = z
  .string({ error: '请选择图片' })
  .refine((name) => /^[\w-]{1,80}\.\w{3,4}$/.test(name), { error: '图片的名字不正确' });

/** Calls about one's own uploaded pictures. */
export const pictureCalls = {
  pictureList: signedIn(
    'read',
    routes.pictureList,
    z.object({ state: z.enum(PICTURE_STATES).optional().catch(undefined), ...pagingFields }),
    listOf(OwnPicture),
  ),
  pictureDelete: signedIn(
    'write',
    routes.pictureDelete,
    z.object({
      names: listField(nameField, '图片').refine(
        (names) => names.length > 0 && names.length <= PICTURES_AT_ONCE,
        { error: `一次可以删除 1–${PICTURES_AT_ONCE} 张图片` },
      ),
      from_history: absentField(booleanField.default(false)),
    }),
    z.object({ deleted: z.int() }),
  ),
  pictureReplace: signedIn(
    'write',
    routes.pictureReplace,
    z.object({ name: nameField, by: nameField }),
    z.object({
      /** Articles and series that show the other picture now. */
      changed: z.int(),
      problems: z.array(z.object({ id: z.string(), title: z.string(), problem: z.string() })),
    }),
  ),
};
