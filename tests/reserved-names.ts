import { prototypeOf } from '../src/lib/server/text/confusables.ts';

/** Words of authority in both scripts: those refused anywhere in a name, and those refused as a whole. */
const ANYWHERE = [
  ['站长', '站長'],
  ['站务', '站務'],
  ['管理员', '管理員'],
  ['版主', '版主'],
  ['官方', '官方'],
  ['客服', '客服'],
  ['墨页', '墨頁'],
] as const;
const WHOLE = [
  ['系统', '系統'],
  ['通知', '通知'],
  ['管理', '管理'],
  ['系统通知', '系統通知'],
  ['通知系统', '通知係统'],
  ['管理系统', '管理系統'],
] as const;
const LATIN = ['admin', 'administrator', 'moderator', 'webmaster', 'official', 'support', 'staff'];
const LATIN_WHOLE = ['root', 'system', 'postmaster', 'moye'];

const wide = (word: string) =>
  word.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const between = (word: string, sign: string) => [...word].join(sign);
/** Writes `word` in the alphabet whose A or a has the code point `first`. */
const enclosed = (word: string, first: number) =>
  word.replace(/[a-z]/g, (sign) => String.fromCodePoint(first + sign.charCodeAt(0) - 97));

/** Letters and Han characters that look like those of `word`, as far as UTS #39 and the radicals name any. */
const LOOKS = [...'аοеѕрсіѵḿ⻓⻑⾧⻚⾴⽅⽊⼈⼚⾯ⅿ𝖺𝗈'].map(
  (look) => [prototypeOf(look.normalize('NFKC')), look] as const,
);
const confusable = (word: string) =>
  [...word].map((sign) => LOOKS.find(([prototype]) => prototype === prototypeOf(sign))?.[1] ?? sign).join('');

const all = [...ANYWHERE, ...WHOLE].flat();
const anywhere = [...ANYWHERE].flat();

/** Generated names that must be refused; a form that the rules of the field refuse is refused too. */
export const RESERVED: [form: string, names: string[]][] = [
  ['as they are', [...all, ...LATIN, ...LATIN_WHOLE]],
  ['in capitals', [...LATIN, ...LATIN_WHOLE].map((word) => word.toUpperCase())],
  ['in full width', [...LATIN, ...LATIN_WHOLE].map(wide)],
  ['circled', [...LATIN, ...LATIN_WHOLE].map((word) => enclosed(word, 0x24d0))],
  ['on black circles', [...LATIN, ...LATIN_WHOLE].map((word) => enclosed(word, 0x1f150))],
  ['on black squares', [...LATIN, ...LATIN_WHOLE].map((word) => enclosed(word, 0x1f170))],
  ['with spaces', [...all, ...LATIN].map((word) => between(word, ' '))],
  ['with underscores', [...all, ...LATIN].map((word) => between(word, '_'))],
  ['with full stops', all.map((word) => between(word, '·'))],
  ['with marks', [...all, ...LATIN].map((word) => between(word, '\u0336'))],
  ['with prolonged sound marks', all.map((word) => between(word, 'ー'))],
  ['with variation selectors', [...all, ...LATIN].map((word) => between(word, '\ufe0f'))],
  ['with zero-width characters', all.map((word) => between(word, '\u200b'))],
  ['with look-alikes', [...all, ...LATIN, ...LATIN_WHOLE].map(confusable)],
  ['in brackets', [...anywhere, ...LATIN].map((word) => `op（${word}）`)],
  ['before others', anywhere.map((word) => `${word}助理`)],
  ['after others', anywhere.map((word) => `小${word}`)],
  ['beside words', LATIN.flatMap((word) => [`site_${word}`, `${word}-team`, `张三${word}`, `${word}✓`])],
  ['together', ['墨页官方', '官方客服', '系统管理', 'moyeofficial', 'systemadmin', '管理moye']],
  ['with numbers', all.flatMap((word) => [`${word}1`, `${word}-2`, `007${word}`])],
];

export const INNOCENT = [
  '系统之美',
  '系統之美',
  '管理学笔记',
  '时间管理',
  '知识管理师',
  '通知书',
  '操作系统原理',
  '墨香',
  '页墨',
  '一页墨香',
  '长安站',
  '站着看书',
  '方官渡',
  '服务员小王',
  '版画',
  '主编小李',
  '编辑小王',
  '作者',
  '注销一下',
  '王维',
  '王维🇨🇳',
  '李長吉',
  'badminton',
  'officially',
  'admin2',
  'rootless',
  'systemd',
  'supporter',
  'moyer',
  'Ádám',
  'スーパー',
  '김철수',
];
