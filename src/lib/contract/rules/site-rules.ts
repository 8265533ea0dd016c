import { MIB } from './units.ts';

/** Minimum and maximum characters of each text, and maximum number of links and of navigation entries. */
export const SITE_BOUNDS = {
  title: [1, 40],
  description: [0, 200],
  beian: [0, 60],
  footer: [0, 300],
  label: [1, 8],
  links: 4,
  entry: [1, 16],
  entries: 40,
} as const;

/** Maximum bytes of a logo as given. */
export const MAX_LOGO_BYTES = MIB;

export const SITE_PATTERNS = {
  href: /^(?:\/(?![/\\])|https?:\/\/|mailto:)[^\s\\]+$|^\/$/,
  police_beian: /^(?:\p{Script=Han}{1,2}公网安备\s?\d{8,16}号(?:-\d+)?)?$/u,
  accent: /^#[0-9a-f]{6}$/,
  /** Empty, `none`, or one letter or digit with its marks. */
  seal: /^(?:|none|[\p{L}\p{N}]\p{M}{0,4})$/u,
};

interface SealFacts<Logo> {
  seal: string;
  logo: Logo | null;
  title: string;
}

/**
 * Returns the mark at the end of articles and on Open Graph images: the operator's character, or by default
 * the logo, or else the first character of the site's name. Null if the site has none.
 */
export function sealOf<Logo>({
  seal,
  logo,
  title,
}: SealFacts<Logo>): { logo: Logo } | { text: string } | null {
  if (seal === 'none') return null;
  if (seal !== '') return { text: seal };
  if (logo) return { logo };
  const text = initialOf(title);
  return text === undefined ? null : { text };
}

/** First letter or digit of the site's name. */
export const initialOf = (title: string): string | undefined => /[\p{L}\p{N}]\p{M}{0,4}/u.exec(title)?.[0];

// Labels of the choices of site-options.ts, for the console and the audit log.

export const ARTICLE_ADDRESS_NAMES = {
  id: '编号：/detail/…',
  slug: '文字：/a/…',
} as const;

export const CHANGE_POLICY_NAMES = {
  never: '直接公开',
  size: '改得多的先审，小改直接公开',
  always: '全部先审',
} as const;

export const HOLD_POLICY_NAMES = {
  none: '直接公开',
  first: '新作者的先审后发',
  all: '全部先审后发',
} as const;

export const SIGNUP_MODE_NAMES = {
  open: '谁都可以注册',
  invitation: '凭邀请码注册',
  closed: '不开放注册',
} as const;

export const HUMAN_CHECK_NAMES = {
  off: '不验证',
  signup: '注册时验证',
  comments: '注册时，还有新作者评论时',
} as const;

/** How the connection to the mail server is encrypted. */
export const MAIL_ENCRYPTION_NAMES = {
  tls: 'TLS，一般是 465 端口',
  starttls: 'STARTTLS，一般是 587 端口',
  any: '对方支持就加密，不强求',
} as const;
