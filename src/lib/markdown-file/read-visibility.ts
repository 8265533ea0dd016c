import { readDate } from './dates.ts';
import { asSwitch, asText, isObject, type Metadata } from './front-matter.ts';

export interface SourceVisibility {
  isDraft: boolean;
  /** Whether the site had published the article, but not for everyone. */
  isSecret: boolean;
  /** Chinese sentences naming what hides the article; empty for `draft`, `hidden`, `secret` and the like. */
  warnings: string[];
  fields: string[];
}

/** `stated`: a plain switch; `known`: a documented field; `suspected`: its name or value suggests hiding. */
type Verdict = 'draft' | 'stated' | 'known' | 'suspected' | 'password' | null;

const wordList = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const DRAFT_VALUES = wordList(
  'draft drafts wip unfinished unpublished pending scheduled future auto-draft todo 草稿 未发布 未完成 待发布 待审核',
);
const HIDDEN_VALUES = wordList(
  `private hidden hide secret encrypt encrypted protected password unlisted invisible internal confidential never
  restricted deleted trash trashed removed members paid subscribers friends login self me only-me noindex
  私密 私有 隐藏 加密 仅自己 仅自己可见 自己可见 不公开 密码 受保护 已删除 好友可见 登录可见 会员可见 内部`,
);
const PUBLIC_VALUES = wordList(
  'public published publish normal open everyone anyone all world visible online live 公开 已发布 发布 正常 所有人',
);

/** Descriptive fields, addresses and taxonomies, whose values never state a visibility. */
const FREE_TEXT =
  /^(?:(?:sub|short_?)?title|description|summary|excerpt|authors?|tags?|categor(?:y|ies)|taxonomies|keywords?|slug|permalink|url|link|alias(?:es)?|redirect_from|series|source|licen[cs]e|cover|images?|banner|icon|lang(?:uage)?|id|abbrlink)$/i;
const STATE = /^(?:status|state|stage|type|layout|post_?status|publish_?status|audience|circle|状态|范围)$/i;
const ACCESS = /^(?:visibility|access|permissions?|privacy|可见性?|权限|阅读权限)$/i;
const DRAFT = /^(?:is[-_]?)?(?:draft|wip|unfinished|草稿)$/i;
const PUBLISHED = /^(?:is[-_]?)?publish(?:ed)?$/i;
const STATED = /^(?:hidden|hide|secret|private)$/i;
const PASSWORD = /password|passwd|pwd|密码/i;
const KNOWN_HIDING = /^(?:unlisted|encrypt(?:ed)?|headless|noindex|robotsnoindex)$/;
const HIDING =
  /hid(?:e|den)|secret|private|encrypt|unlist|unpublish|invisible|protected|(?<![a-z])lock|internal|confidential|no_?index|exclude|headless|members?_only|私密|私有|隐藏|加密|不公开|仅自己/;
/** Page parts that themes can hide on an article that everyone may read. */
const PAGE_PART =
  /toc|table|title|meta|summary|author|date|comment|sidebar|nav|footer|header|image|cover|thumb|crumb|reading|copyright|tags|description|excerpt|licen|share|button|banner|word|pagination|edit/;
const SHOWING =
  /^(?:is|dg|do|should)?(?:public|publish|visible|shared?|listed|show|display|searchable|index(?:ed|able)?|sitemap|feed|rss|search|archives?|online|enabled?|article|公开|可见|发布|显示|(?:show|display|list|include|visible)(?:in|on|at)?(?:home|homepage|index|lists?|feed|rss|search|archives?))$/;
const EXPIRY = /^(?:expir(?:y|es?|ed|ation)(?:date)?|unpublishdate)$/;
/** Objects whose fields count like top-level front matter (Hugo, Zola). */
const CONTAINER = /^(?:params|extra)$/i;
const MAX_SHOWN_CHARACTERS = 40;

/**
 * Determines whether the old site hid an article, from the fields that generators, themes and Obsidian
 * document, and from any other field whose name or value suggests hiding. An unclear value hides.
 * @param now milliseconds since the epoch, compared with expiry dates
 */
export function readVisibility(metadata: Metadata, now: number): SourceVisibility {
  const found = { isDraft: false, isSecret: false };
  const fields: string[] = [];
  const warnings = new Set<string>();
  for (const [name, value] of fieldsOf(metadata)) {
    const verdict = judge(name, value, now);
    if (verdict === null) continue;
    fields.push(name);
    if (verdict === 'draft') found.isDraft = true;
    else found.isSecret = true;
    if (verdict === 'password') warnings.add('原文设有密码，已导入为仅自己可见');
    if (verdict === 'known') warnings.add(`“${shown(name, value)}”：原文没有公开，已导入为仅自己可见`);
    if (verdict === 'suspected') warnings.add(`“${shown(name, value)}”像是不公开的标记，已导入为仅自己可见`);
  }
  return { ...found, warnings: [...warnings], fields };
}

const fieldsOf = (metadata: Metadata): [string, unknown][] =>
  Object.entries(metadata).flatMap(([name, value]) =>
    CONTAINER.test(name) && isObject(value) ? Object.entries(value) : [[name, value]],
  );

function judge(name: string, value: unknown, now: number): Verdict {
  if (value === undefined || value === null || value === '' || FREE_TEXT.test(name)) return null;
  const isOn = asSwitch(value);
  const text = asText(value).toLowerCase();
  if (DRAFT.test(name)) return isOn === false ? null : 'draft';
  if (PUBLISHED.test(name)) return isOn === false || DRAFT_VALUES.has(text) ? 'draft' : null;
  if (STATE.test(name) || ACCESS.test(name)) return judgeState(ACCESS.test(name), text, isOn);
  if (PASSWORD.test(name)) return value === false ? null : 'password';
  if (STATED.test(name) && isOn === true) return 'stated';
  const [snake, bare] = [snakeCase(name), snakeCase(name).replaceAll('_', '')];
  if (bare === 'build') return isObject(value) && isBuildLimited(value) ? 'known' : null;
  if (bare === 'robots') return /noindex|none/.test(text) ? 'known' : null;
  if (EXPIRY.test(bare)) return isOn === false || (readDate(value) ?? 0) > now ? null : 'known';
  if (SHOWING.test(bare)) return isShownOff(bare, value, isOn) || HIDDEN_VALUES.has(text) ? 'known' : null;
  if (HIDING.test(snake) && !PAGE_PART.test(bare)) {
    if (isOn === false) return null;
    return KNOWN_HIDING.test(bare) ? 'known' : 'suspected';
  }
  return HIDDEN_VALUES.has(text) || DRAFT_VALUES.has(text) ? 'suspected' : null;
}

function judgeState(isAccess: boolean, text: string, isOn: boolean | undefined): Verdict {
  if (DRAFT_VALUES.has(text)) return 'draft';
  if (HIDDEN_VALUES.has(text) || (isAccess && isOn === false)) return 'known';
  return isAccess && isOn !== true && !PUBLIC_VALUES.has(text) ? 'suspected' : null;
}

const isBuildLimited = ({ render, list }: Metadata): boolean =>
  [render, list].some((each) => each === false || ['never', 'false', 'local', 'link'].includes(asText(each)));

/** `index: 0` is a position, not a switch. */
const isShownOff = (bare: string, value: unknown, isOn: boolean | undefined): boolean =>
  isOn === false && !(bare === 'index' && typeof value === 'number');

const snakeCase = (name: string): string =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[-\s]/g, '_')
    .toLowerCase();

/** Returns a field as its file has it, shortened; only its name if the value is no text. */
export function shown(name: string, value: unknown): string {
  const text = typeof value === 'boolean' ? String(value) : asText(value);
  const characters = [...text];
  const isLong = characters.length > MAX_SHOWN_CHARACTERS;
  const cut = isLong ? `${characters.slice(0, MAX_SHOWN_CHARACTERS).join('')}…` : text;
  return cut === '' ? name : `${name}: ${cut}`;
}
