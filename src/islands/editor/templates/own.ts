import { parseJson } from '../../../lib/client/answer.ts';
import { onDevice, readStored, store } from '../../../lib/client/stored.ts';
import type { Template } from './built-in.ts';

const KEY = 'templates';
/** Maximum templates. Together they stay far below a browser's storage quota. */
const MAX_TEMPLATES = 20;
const MAX_TEMPLATE_CHARACTERS = 50_000;

/** Returns the author's templates, newest first. They are stored on this device. */
export function ownTemplates(): Template[] {
  const stored = parseJson(readStored(onDevice, KEY) ?? '');
  return Array.isArray(stored) ? stored.filter(isTemplate).slice(0, MAX_TEMPLATES) : [];
}

/** Saves a template and replaces one of the same name. @returns why it was not saved, or null */
export function keepTemplate({ name, content }: Template): string | null {
  const others = ownTemplates().filter((each) => each.name !== name);
  if (content.length > MAX_TEMPLATE_CHARACTERS)
    return `模板不能超过 ${MAX_TEMPLATE_CHARACTERS.toLocaleString('zh-CN')} 字`;
  if (others.length >= MAX_TEMPLATES) return `最多存 ${MAX_TEMPLATES} 个模板，先删掉不用的`;
  return write([{ name, content }, ...others]);
}

/** Deletes a template. @returns why that failed, or null */
export const dropTemplate = (name: string): string | null =>
  write(ownTemplates().filter((each) => each.name !== name));

const write = (templates: readonly Template[]): string | null =>
  store(onDevice, KEY, JSON.stringify(templates)) ? null : '浏览器不让这里存东西，可能是空间满了或在无痕模式';

const isTemplate = (value: unknown): value is Template =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Template>).name === 'string' &&
  typeof (value as Partial<Template>).content === 'string';
