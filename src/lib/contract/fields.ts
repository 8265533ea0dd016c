import { z } from 'zod';
import { BOUNDS, countCharacters, PAGE_SIZE } from './rules/bounds.ts';
import { countGraphemes, linkRule, nameRule, pictureRule, type TextRule } from './rules/names.ts';

const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0');

/** Metadata for the description of the API; both JSON Schema and `countCharacters` count code points. */
const lengths = ([min, max]: readonly [number, number]) => ({
  minLength: min || undefined,
  maxLength: Number.isFinite(max) ? max : undefined,
});

/** A trimmed string; `label` names it in refusals, `bounds` are in characters. */
export function textField(label: string, bounds: readonly [number, number], rule?: TextRule) {
  const [min, max] = bounds;
  return (
    z
      .string({ error: (issue) => (issue.input === undefined ? `请填写${label}` : `${label}应为文本`) })
      .meta({ title: label, description: rule?.hint ?? rule?.says, ...lengths(bounds) })
      .refine(isStorable, { error: `${label}含有无法保存的字符`, abort: true })
      .trim()
      // Text that is too long is refused as typed.
      .overwrite((value) => (rule?.fold && countCharacters(value) <= max ? rule.fold(value) : value))
      .refine((value) => min === 0 || value !== '', { error: `请填写${label}`, abort: true })
      .refine((value) => within(countCharacters(value), min, max), {
        error: min > 1 ? `${label}应为 ${min}–${max} 个字符` : `${label}不能超过 ${max} 个字符`,
      })
      .refine((value) => !rule || rule.accepts(value), { error: rule?.says ?? '' })
  );
}

const within = (count: number, min: number, max: number) => count >= min && count <= max;

export const usernameField = textField('用户名', BOUNDS.username, nameRule('用户名'))
  .refine((value) => /^[\p{L}\p{M}\p{N}_-]+$/u.test(value), {
    error: '用户名只能包含文字、数字、下划线和连字符',
  })
  // Combining marks without a base would be drawn over the character before the name.
  .refine((value) => /[\p{L}\p{N}]/u.test(value), { error: '用户名至少要有一个文字或数字' })
  .normalize('NFC')
  .meta({ description: '文字、数字、下划线和连字符，至少有一个文字或数字' });

/** Version of an item as staff reads it (moderation/review/version-queries.ts), which its decision names. */
export const versionField = z
  .string({ error: '请写明是在哪个版本上决定的：读到的 version' })
  .max(64, '版本号不正确')
  .meta({ title: '版本号' });

/** A name or address to look up. */
export const someText = (title: string) => z.string().meta({ title }).catch('');

/** Passwords are not trimmed. */
export const passwordField = z
  .string({ error: '请填写密码' })
  .meta({ title: '密码', format: 'password', ...lengths(BOUNDS.password) })
  .refine(isStorable, { error: '密码含有无法保存的字符', abort: true })
  .refine((value) => value !== '', { error: '请填写密码', abort: true })
  .refine((value) => within(countCharacters(value), ...BOUNDS.password), { error: '密码应为 8–128 个字符' });

export const repeatedPasswordField = z
  .string({ error: '请再次填写密码' })
  .meta({ title: '再写一次密码', format: 'password' });

export const emailField = textField('邮箱', BOUNDS.email)
  .refine((value) => z.email().safeParse(value).success, { error: '邮箱的格式不正确' })
  .meta({ format: 'email' });

export const passkeyNameField = textField('名称', BOUNDS.passkeyName, nameRule('名称'));
export const accessTokenNameField = textField('名称', BOUNDS.accessTokenName, nameRule('名称'));
export const tagField = textField('标签', BOUNDS.tag, nameRule('标签')).normalize('NFC');
export const commentField = textField('评论', BOUNDS.comment);
export const quoteField = textField('被回复的评论', [0, BOUNDS.comment[1]]);
export const displayNameField = textField('显示名', BOUNDS.displayName, nameRule('显示名'))
  .refine((value) => countGraphemes(value) <= BOUNDS.displayNameGraphemes, {
    error: `显示名不能超过 ${BOUNDS.displayNameGraphemes} 个字`,
  })
  .refine((value) => value === '' || /[\p{L}\p{N}]/u.test(value), { error: '显示名至少要有一个文字或数字' })
  // More marks on one character would be drawn over the lines above and below.
  .refine((value) => !/^\p{M}|\p{M}{4}/u.test(value), { error: '显示名的附加符号太多' })
  .overwrite((value) => value.normalize('NFC').replace(/\s+/gu, ' '))
  .meta({ description: '至少有一个文字或数字；为空就显示用户名' });

const profileLinkField = (label: string) => textField(label, BOUNDS.profileLink, linkRule);
export const websiteField = profileLinkField('个人网站');
export const bioField = textField('个人简介', BOUNDS.bio);
export const descriptionField = textField('标签描述', BOUNDS.description);
export const seriesTitleField = textField('专栏名称', BOUNDS.seriesTitle, nameRule('专栏名称'));
export const seriesDescriptionField = textField('专栏介绍', BOUNDS.seriesDescription);
export const coverField = textField('封面', BOUNDS.cover, pictureRule);
export const thanksField = textField('赞赏码', BOUNDS.cover, {
  ...pictureRule,
  says: '赞赏码只能用上传到本站的图片',
});
export const keywordsField = textField('搜索词', BOUNDS.keywords);
export const genderField = z
  .enum(['m', 'f', 'x'], { error: '性别只能是 m、f 或 x' })
  .meta({ title: '性别：m 男，f 女，x 不写' });
/** Status that an author can choose for an article that is not deleted. */
export const openStatusField = z
  .enum(['normal', 'draft'], { error: '文章状态只能是 normal 或 draft' })
  .meta({ title: '状态：normal 发布，draft 草稿，cancel 已删除' });
export const statusField = z
  .enum(['normal', 'draft', 'cancel'], { error: '文章状态只能是 normal、draft 或 cancel' })
  .meta({ title: '状态：normal 发布，draft 草稿，cancel 已删除' });
export const typeField = textField('文章类型', [0, 30], nameRule('文章类型'));

/** Path of a file in an author's folder, without dots as a folder's name. */
export const syncedPathField = textField('路径', BOUNDS.syncedPath, nameRule('路径'))
  .transform((path) => path.normalize('NFC'))
  .refine((path) => path.split('/').every((part) => !/^\.*$/.test(part) && !part.includes('\\')), {
    error: '路径不正确',
  });

/** 24 hexadecimal digits, converted to lower case. */
export const idField = z
  .string({ error: '请提供编号' })
  .meta({ pattern: '^[0-9A-Fa-f]{24}$' })
  .trim()
  .toLowerCase()
  .refine((value) => /^[0-9a-f]{24}$/.test(value), { error: '编号格式不正确' });

/** A whole number from 1 to `most`; `label` names it in refusals. */
export function wholeField(label: string, most: number) {
  const error = `${label}应为 1–${most} 的整数`;
  return z.coerce.number({ error }).int(error).min(1, error).max(most, error).meta({ title: label });
}

/** UTC time in ISO 8601; `label` names it in refusals. */
export const instantField = (label: string) =>
  z.iso.datetime({ error: `${label}格式不正确` }).meta({ title: label });

/** A boolean as old clients send it: true, "true", "1", 1 and their opposites; the empty string is false. */
export const booleanField = (title: string) =>
  z.preprocess(
    (value) => {
      if (value === 'true' || value === '1' || value === 1) return true;
      if (value === 'false' || value === '0' || value === '' || value === 0) return false;
      return value;
    },
    z.boolean({ error: '开关的值应为 true 或 false' }).meta({ title }),
  );

/**
 * Whether a field is absent: undefined, null, '', or the strings `undefined` and `null` that old clients
 * send.
 */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || value === 'undefined' || value === 'null';
}

/** Passes undefined to `field` if the value is absent (`isAbsent`), so `default` and `optional` apply. */
export function absentField<T extends z.ZodType>(field: T) {
  return z.preprocess((value) => (isAbsent(value) ? undefined : value), field);
}

/** Idempotency key chosen by the client. */
export const requestIdField = absentField(
  z
    .string({ error: '请求编号应为文本' })
    .refine(isStorable, { error: '请求编号含有无法保存的字符', abort: true })
    .trim()
    .max(100, '请求编号不能超过 100 个字符')
    .meta({ title: '自己取的编号，重复发送只算一次' })
    .default(''),
);

/** A page number or size: `fallback` if it is not a number, else clamped to [1, max]. */
function countField(title: string, fallback: number, max: number) {
  return z.preprocess(
    (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number !== 'number' || Number.isNaN(number)) return fallback;
      return Math.min(Math.max(Math.trunc(number), 1), max);
    },
    z.int().min(1).max(max).meta({ default: fallback, title }),
  );
}

export const pageField = countField('页码，从 1 起', 1, Number.MAX_SAFE_INTEGER);
export const pageSizeField = (max: number, fallback: number = PAGE_SIZE) =>
  countField('每页的条数', fallback, max);
export const pagingFields = { page: pageField, pageSize: pageSizeField(BOUNDS.pageSize) };

/** An array as qs sends it: also a lone value, or an object of numbered keys. Drops empty items. */
export function listField<T extends z.ZodType>(item: T, label: string) {
  return z.preprocess(
    (value) => {
      const items = isAbsent(value) ? [] : itemsOf(value);
      return Array.isArray(items) ? items.filter((entry) => entry !== '') : items;
    },
    z.array(item, { error: `${label}应为列表` }).meta({ title: label }),
  );
}

/** A list whose number of items is within `bounds`; `error` refuses any other. */
export const countedList = <T extends z.ZodType>(
  item: T,
  label: string,
  [min, max]: readonly [number, number],
  error: string,
) =>
  listField(item, label)
    .refine((items) => within(items.length, min, max), { error })
    .meta({ minItems: min || undefined, maxItems: max });

/** Ids, from one to the maximum of a call; `none` and `tooMany` refuse other numbers. */
export const idList = (label: string, none: string, tooMany: string) =>
  listField(idField, label)
    .refine((ids) => ids.length > 0, { error: none })
    .refine((ids) => ids.length <= BOUNDS.readAtOnce, { error: tooMany })
    .meta({ minItems: 1, maxItems: BOUNDS.readAtOnce });

/** A list, or text with one address per line. */
export const profileLinksField = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/\r?\n/).filter((line) => line.trim() !== '') : value),
  countedList(profileLinkField('链接'), '链接', BOUNDS.profileLinks, `链接最多 ${BOUNDS.profileLinks[1]} 个`),
);

function itemsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object' || value === null) return [value];
  return Object.keys(value).every((key) => /^\d+$/.test(key)) ? Object.values(value) : value;
}
