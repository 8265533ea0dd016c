import { z } from 'zod';
import {
  AUTHORED,
  FIELD_NAMES,
  specOf,
  type Authored,
  type ExtraName,
  type FieldName,
  type FieldSpec,
} from './rules/authored-fields.ts';
import { BOUNDS } from './rules/bounds.ts';
import { PAGE_TYPE } from './rules/page-tree.ts';
import type { ArticleStatus } from './entities.ts';
import {
  absentField,
  booleanField,
  idField,
  instantField,
  isAbsent,
  listField,
  openStatusField,
  requestIdField,
  statusField,
  tagField,
  textField,
  typeField,
} from './fields.ts';

/** Old clients name the list `tags[]`, `tags`, `tag[]` or `tag`. */
function acceptTagAlias(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body;
  const { tag, tags, ...rest } = body as Record<string, unknown>;
  return { ...rest, tags: isAbsent(tags) ? tag : tags };
}

const tagNames = listField(tagField, '标签')
  .transform((names) => [...new Set(names)])
  .refine((names) => names.length <= BOUNDS.tags[1], { error: '标签不能超过 10 个' })
  .meta({ maxItems: BOUNDS.tags[1] });

function typedField({ kind, label, bounds, rule, isExtra }: FieldSpec): z.ZodType {
  if (kind === 'names') return tagNames;
  if (kind === 'switch')
    return absentField(isExtra ? booleanField(label).optional() : booleanField(label).default(false));
  const text = textField(label, [0, bounds?.[1] ?? Infinity], rule);
  // An empty extra field is empty, not absent.
  return isExtra
    ? text
        .nullable()
        .meta({ title: label })
        .optional()
        .transform((value) => value ?? undefined)
    : text.default('');
}

type TypedFields = {
  [N in FieldName]: N extends ExtraName ? z.ZodOptional<z.ZodType<Authored[N]>> : z.ZodType<Authored[N]>;
};

const typedFields = Object.fromEntries(
  FIELD_NAMES.map((name) => [name, typedField(specOf(name))]),
) as TypedFields;

const articleFields = {
  ...typedFields,
  status: absentField(openStatusField.default('normal')),
  type: absentField(typeField.default('')),
  publish_time: absentField(instantField('发布时间').optional()),
};
type ArticleFields = Omit<z.infer<z.ZodObject<typeof articleFields>>, 'status'> & { status: ArticleStatus };

const expectedTime = (title: string) =>
  absentField(z.iso.datetime({ error: '更新时间格式不正确' }).meta({ title }).optional());

type Typed = Pick<ArticleFields, 'title' | 'content'>;

function needTitleOrContent({ title, content }: Typed, context: z.RefinementCtx): void {
  if (title !== '' || content !== '') return;
  context.addIssue({ code: 'custom', path: ['title'], message: '草稿至少要有标题或正文' });
}

/** A draft needs a title or content; a published article needs a title, content and, except pages, a tag. */
function checkArticle(fields: ArticleFields, context: z.RefinementCtx): void {
  const report = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (fields.status === 'cancel') return;
  if (fields.status === 'draft') return needTitleOrContent(fields, context);
  for (const name of ['title', 'content'] as const) {
    const { label, bounds } = AUTHORED[name];
    const { error } = textField(label, bounds).safeParse(fields[name]);
    if (error) report(name, error.issues[0]?.message ?? '');
  }
  if (fields.tags.length === 0 && fields.type !== PAGE_TYPE) report('tags', '请至少填写 1 个标签');
}

export const NewArticle = z.preprocess(
  acceptTagAlias,
  z.object({ ...articleFields, request_id: requestIdField.optional() }).superRefine(checkArticle),
);
export type NewArticle = z.infer<typeof NewArticle>;

const expectedTimes = {
  update_time: expectedTime('修改的时间'),
  revision_time: expectedTime('未发布的修改的时间'),
};

export const EditedArticle = z.preprocess(
  acceptTagAlias,
  z
    .object({
      id: idField.meta({ title: '编号' }),
      ...articleFields,
      // Old clients delete an article with `cancel` in this call.
      status: absentField(statusField.default('normal')),
      ...expectedTimes,
    })
    .superRefine(checkArticle),
);
export type EditedArticle = z.infer<typeof EditedArticle>;

export const ArticleRevision = z.preprocess(
  acceptTagAlias,
  z
    .object({
      id: idField.meta({ title: '编号' }),
      ...typedFields,
      ...expectedTimes,
    })
    .superRefine(needTitleOrContent),
);
export type ArticleRevision = z.infer<typeof ArticleRevision>;
