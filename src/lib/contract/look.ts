import { z } from 'zod';
import { textField } from './fields.ts';
import { namesOf } from './titled.ts';
import {
  COLOUR_NAMES,
  COLOUR_ROLES,
  faultRole,
  faultText,
  FONT_NAMES,
  FRONT_NAMES,
  HEAD_NAMES,
  LIST_NAMES,
  LOOK_RANGES,
  lookFaults,
  MAX_LOOK_NAME,
  NOTE_NAMES,
  PARAGRAPH_NAMES,
  THEME_NAMES,
  type ColourRole,
} from './rules/looks.ts';

/** `x-names` are the choices as the console shows them. */
const choice = <T extends object>(title: string, names: T) =>
  z
    .enum(namesOf(names), { error: `${title}应为 ${namesOf(names).join('、')} 之一` })
    .meta({ title, 'x-names': names });

/**
 * `x-unit` is the unit as the console shows it. `x-step` is no `multipleOf`, by which validators of JSON
 * Schema refuse 1.15 as a multiple of 0.05.
 */
function number(title: string, name: keyof typeof LOOK_RANGES) {
  const { least, most, step, unit } = LOOK_RANGES[name];
  const error = `${title}应为 ${least} 到 ${most} 的数，间隔 ${step}`;
  return z
    .number({ error })
    .min(least, error)
    .max(most, error)
    .refine((value) => Math.abs(value / step - Math.round(value / step)) < 1e-6, error)
    .meta({ title, 'x-unit': unit, 'x-step': step });
}

const colour = (title: string) =>
  z
    .string({ error: `${title}应为颜色，像 #2c4a84` })
    .toLowerCase()
    .regex(/^#[0-9a-f]{6}$/, { error: `${title}应为颜色，像 #2c4a84` })
    .meta({ title });

const part = <T extends z.core.$ZodLooseShape>(title: string, shape: T) =>
  z
    .strictObject(shape, {
      error: ({ code, keys }) =>
        code === 'unrecognized_keys' ? `${title}里没有 ${keys.join('、')}` : `${title}应为一组值`,
    })
    .meta({ title });

const colours = (title: string) =>
  part(
    title,
    Object.fromEntries(COLOUR_ROLES.map((role) => [role, colour(COLOUR_NAMES[role])])) as Record<
      ColourRole,
      ReturnType<typeof colour>
    >,
  );

/** A look of the site: the file that an operator exports and imports, and the form of the console. */
export const Look = part('外观', {
  name: textField('外观的名字', [1, MAX_LOOK_NAME]).refine((name) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name), {
    error: '外观的名字只能写一行',
  }),
  type: part('文字', {
    text: choice('正文字体', FONT_NAMES),
    title: choice('标题字体', FONT_NAMES),
    size: number('字号', 'size'),
    leading: number('行距', 'leading'),
    measure: number('每行字数', 'measure'),
    paragraphs: choice('段落', PARAGRAPH_NAMES),
  }),
  shape: part('形状', { radius: number('圆角', 'radius'), rhythm: number('疏密', 'rhythm') }),
  colours: part('颜色', { light: colours(THEME_NAMES.light), dark: colours(THEME_NAMES.dark) }),
  list: choice('文章列表', LIST_NAMES),
  head: choice('文章开头', HEAD_NAMES),
  notes: choice('日期和标签', NOTE_NAMES),
  front: choice('宽屏首页', FRONT_NAMES),
}).superRefine((look, context) => {
  for (const fault of lookFaults(look)) {
    const role = faultRole(fault);
    context.addIssue({
      code: 'custom',
      path: ['colours', fault.theme, role],
      message: `${THEME_NAMES[fault.theme]}的${COLOUR_NAMES[role]}${faultText(fault)}`,
    });
  }
});
export type Look = z.infer<typeof Look>;
