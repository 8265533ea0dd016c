import type { Template } from './built-in.ts';

const KEY = 'templates';
/** As many as a list shows at a glance; together they stay far below what a browser keeps for a site. */
const MOST = 20;
const MOST_CHARACTERS = 50_000;

/** One's own templates, the newest first. They are kept on this device, like what was picked last. */
export function ownTemplates(): Template[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isTemplate).slice(0, MOST) : [];
  } catch {
    // Storage may be forbidden, and what is in it is anybody's.
    return [];
  }
}

/** Keeps a template, in place of one of the same name. @returns why it was not kept, or null */
export function keepTemplate({ name, content }: Template): string | null {
  const others = ownTemplates().filter((each) => each.name !== name);
  if (content.length > MOST_CHARACTERS) return `模板不能超过 ${MOST_CHARACTERS.toLocaleString('zh-CN')} 字`;
  if (others.length >= MOST) return `最多存 ${MOST} 个模板，先删掉不用的`;
  return write([{ name, content }, ...others]);
}

/** Takes a template away. @returns why that failed, or null */
export const dropTemplate = (name: string): string | null =>
  write(ownTemplates().filter((each) => each.name !== name));

function write(templates: readonly Template[]): string | null {
  try {
    localStorage.setItem(KEY, JSON.stringify(templates));
    return null;
  } catch {
    return '浏览器不让这里存东西，可能是空间满了或在无痕模式';
  }
}

const isTemplate = (value: unknown): value is Template =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as Partial<Template>).name === 'string' &&
  typeof (value as Partial<Template>).content === 'string';
