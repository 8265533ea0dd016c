import { WORD_BOUNDS } from './moderation.ts';
import { BOUNDS } from './bounds.ts';
import { PICTURES } from './pictures.ts';

/** All refusals. Codes are permanent; `status` is the HTTP status (CONTRACT.md, "Basics"), 200 for ERROR. */
export const REFUSALS = {
  FIELD_INVALID: { status: 200, text: '提交的内容有误' },
  BODY_MALFORMED: { status: 200, text: '请求内容的格式不正确' },
  BODY_TYPE_UNSUPPORTED: { status: 200, text: '不支持的请求类型，请使用表单或 JSON' },
  SIGNIN_FAILED: { status: 200, text: '用户名或密码错误' },
  /** The password was right; the envelope's `ticket` and a code complete the sign-in (`signinFinish`). */
  SECOND_FACTOR_REQUIRED: { status: 200, text: '这个账号开启了两步验证，请在网站的登录页登录' },
  TICKET_OVER: { status: 200, text: '等得太久了，请从头再来一次' },
  CODE_WRONG: { status: 200, text: '验证码不对，或者已经用过' },
  PASSWORD_WRONG: { status: 200, text: '密码不对' },
  TOTP_ON: { status: 200, text: '两步验证已经开启' },
  TOTP_OFF: { status: 200, text: '还没有开启两步验证' },
  /** Sent only after the right password, with the end and reason of the ban. */
  ACCOUNT_BANNED: { status: 200, text: '这个账号已被封禁' },
  SECOND_FACTOR_MISSING: { status: 200, text: '站长要求先开启两步验证，请到「账号设置」里开启' },
  /** An identity provider that the site has not set up. */
  PROVIDER_UNKNOWN: { status: 200, text: '本站没有开通这种登录方式' },
  PROVIDER_UNREACHABLE: { status: 200, text: '现在连不上这种登录方式的服务，请稍后再试，或换一种方式登录' },
  /** Refused by the provider, cancelled, outdated, or forged. */
  SSO_FAILED: { status: 200, text: '没能完成登录，请再试一次' },
  SSO_NOT_ADMITTED: { status: 200, text: '这个账号不在本站允许登录的范围里，请联系站长' },
  SSO_ONLY: { status: 200, text: '本站不用密码登录和注册，请用登录页上的登录方式' },
  IDENTITY_TAKEN: { status: 200, text: '这个登录方式已经绑定了一个账号，要先解除那里的绑定' },
  LAST_WAY_IN: { status: 200, text: '这是登录这个账号的唯一方式，请先设置密码或绑定另一种' },
  /** For an account without a password, in place of PASSWORD_WRONG. */
  SIGNIN_AGAIN: { status: 200, text: '请先退出，重新登录一次，登录后十分钟内再做这项改动' },
  PASSKEY_UNUSABLE: { status: 200, text: '这个通行密钥用不了，请换一种方式登录' },
  PASSKEY_NOT_FOUND: { status: 200, text: '这个通行密钥已经不在了' },
  PASSKEYS_TOO_MANY: { status: 200, text: '最多可以有 20 个通行密钥' },
  ACCESS_TOKEN_INVALID: { status: 401, text: '访问令牌无效或已撤销，请到「账号设置」里新建一个' },
  ACCESS_TOKEN_IN_URL: {
    status: 400,
    text: '访问令牌只能放在 Authorization 请求头里。写进网址的令牌可能已经泄露，请撤销它',
  },
  ACCESS_TOKEN_NOT_FOUND: { status: 200, text: '没有这个访问令牌' },
  ACCESS_TOKENS_TOO_MANY: { status: 200, text: '最多可以有 50 个访问令牌，请先撤销一个' },
  SCOPE_MISSING: { status: 200, text: '访问令牌没有这项权限' },
  MAIL_OFF: { status: 200, text: '这个网站没有设置发信，不能使用邮箱' },
  EMAIL_TAKEN: { status: 200, text: '这个邮箱已经用于另一个账号' },
  STAFF_CANNOT_LEAVE: { status: 200, text: '站长和站务要先免去身份，才能注销账号' },
  LINK_OVER: { status: 200, text: '链接已经用过或者过期了' },
  USERNAME_TAKEN: { status: 200, text: '该用户名已被使用' },
  USER_NOT_FOUND: { status: 200, text: '用户不存在' },
  ARTICLE_NOT_FOUND: { status: 200, text: '文章不存在或已被删除' },
  NOT_ALLOWED: { status: 200, text: '没有权限做这项操作' },
  LAST_OPERATOR: { status: 200, text: '网站至少要有一位站长，请先任命另一位' },
  SETUP_LINK_INVALID: { status: 200, text: '这个链接已过期或不完整。请重新启动网站，打开它新打印的链接' },
  NOTHING_TO_RESUBMIT: { status: 200, text: '这篇文章没有被退回，不用重新提交' },
  RESUBMIT_UNCHANGED: { status: 200, text: '文章和审核时一样，请改好保存后再提交' },
  /** The text contains a banned word, or the service at MODERATION_URL refused it. */
  WORD_REFUSED: { status: 200, text: '含有不能出现的词，请修改后再发' },
  OUTSIDE_REFUSED: { status: 200, text: '内容没有通过审核，请修改后再发' },
  WORD_INVALID: { status: 200, text: '词语里没有文字' },
  WORDS_TOO_MANY: { status: 200, text: `词库最多 ${WORD_BOUNDS.words} 个词` },
  REPORTED_ALREADY: { status: 200, text: '你已经举报过了，我们会尽快处理' },
  REPORTS_CLOSED: { status: 200, text: '网站没有开放举报' },
  NOT_YOURS: { status: 200, text: '只能操作自己发布的内容' },
  ARTICLE_CHANGED: { status: 200, text: '文章已在别处修改' },
  /** A decision of staff names a version of the item that is no longer the current one. */
  VERSION_CHANGED: { status: 200, text: '内容在你看过之后又改过，请看过现在的内容再决定' },
  FILE_CHANGED: { status: 409, text: '文件对应的文章在别处改过，请先合并' },
  PICTURES_MISSING: { status: 409, text: '文件里的图片还没有上传' },
  SLUG_TAKEN: { status: 200, text: '这个地址已经有别的文章用了，请换一个' },
  VERSION_NOT_FOUND: { status: 200, text: '这个历史版本已经不在了' },
  NOTHING_TO_SCHEDULE: { status: 200, text: '没有未发布的内容，不用定时' },
  TOO_MANY_SCHEDULES: { status: 200, text: `最多同时有 ${BOUNDS.schedules} 篇等待定时发布` },
  CONTENT_TOO_COMPLEX: { status: 200, text: '正文结构过于复杂，无法在限定时间内排版，请简化后再试' },
  REPLY_USER_NOT_FOUND: { status: 200, text: '被回复的用户不存在' },
  COMMENT_NOT_FOUND: { status: 200, text: '评论不存在或已被删除' },
  EDIT_TOO_LATE: { status: 200, text: '评论发表 15 分钟后不能再修改' },
  TAG_NOT_FOUND: { status: 200, text: '标签不存在' },
  TAG_TAKEN: { status: 200, text: '已存在该标签' },
  FIELD_FIXED: { status: 200, text: '这一项在网站的配置里设定，要在那里修改' },
  LOOKS_TOO_MANY: { status: 200, text: '最多可以保存 20 个外观，请先删除一个' },
  LOGO_UNUSABLE: { status: 200, text: '标志应是 PNG（不超过 4096 × 4096 像素）或 SVG 图片，不超过 1 MB' },
  TAG_IN_USE: { status: 200, text: '还有文章或草稿在用这个标签，可以把它合并到别的标签' },
  SERIES_NOT_FOUND: { status: 200, text: '专栏不存在或已被删除' },
  SERIES_TOO_MANY: { status: 200, text: '专栏数量已达上限（100 个）' },
  PICKS_TOO_MANY: { status: 200, text: `首页最多置顶 ${BOUNDS.picks} 篇文章，请先取消一篇` },
  PICK_NOT_FOUND: { status: 200, text: '这篇文章没有置顶在首页' },
  UNSUBSCRIBE_UNKNOWN: { status: 404, text: '这个退订链接不完整，请用邮件里的链接' },
  USERNAME_RESERVED: { status: 200, text: '这个用户名由本站保留，请换一个' },
  SIGNUP_CLOSED: { status: 200, text: '本站暂不开放注册' },
  CHECK_NEEDED: {
    status: 200,
    text: '本站要先确认你不是机器人，请用允许 JavaScript 的新版浏览器打开网站，再试一次',
  },
  CHECK_FAILED: { status: 200, text: '没能确认你不是机器人，请再试一次' },
  INVITATION_REQUIRED: { status: 200, text: '本站凭邀请码注册，请填写邀请码' },
  INVITATION_INVALID: { status: 200, text: '邀请码不对，或者已经用完、过期' },
  INVITATION_NOT_FOUND: { status: 200, text: '没有这个邀请码' },
  WEBHOOK_NOT_FOUND: { status: 200, text: '这个通知地址已经不在了' },
  MAIL_FAILED: { status: 200, text: '邮件没能发出去' },
  BACKUP_OFF: { status: 200, text: '还没有设置备份' },
  WEBHOOK_FAILED: { status: 200, text: '对方没有收下' },
  WEBHOOKS_TOO_MANY: { status: 200, text: '通知地址最多 20 个，请先删除一个' },
  COMMENTS_CLOSED: { status: 200, text: '作者关闭了这篇文章的评论' },
  IMAGE_UNREADABLE: { status: 200, text: PICTURES.avatar.unreadable },
  IMAGE_MISSING: { status: 200, text: '请选择要上传的图片' },
  URL_REFUSED: { status: 200, text: '只能从公开网站的 http 或 https 地址取图片' },
  URL_UNREACHABLE: { status: 200, text: '连不上对方网站，没有取到图片' },
  PICTURE_IN_USE: { status: 200, text: '图片还在用' },
  PICTURE_IN_HISTORY: { status: 200, text: '历史版本里还有' },
  FILE_NOT_FOUND: { status: 404, text: '文件不存在' },
  TOKEN_EXPIRED: { status: 401, text: '登录超时' },
  SIGNIN_REQUIRED: { status: 402, text: '请重新登录' },
  CALL_UNKNOWN: { status: 404, text: '接口不存在' },
  METHOD_NOT_ALLOWED: { status: 404, text: '接口不支持这种请求方法' },
  /** Permanent until the account frees storage; waiting does not help, so not a 429. */
  ACCOUNT_FULL: { status: 200, text: '存储空间已用完' },
  URL_MALFORMED: { status: 400, text: '网址有误' },
  /** Violates HTTP/1.1 (RFC 9112). */
  REQUEST_MALFORMED: { status: 400, text: '请求格式有误' },
  REQUEST_TOO_SLOW: { status: 408, text: '请求发送得太慢，请重试' },
  BODY_TOO_LARGE: { status: 413, text: '提交的内容过大' },
  URL_TOO_LONG: { status: 414, text: '网址过长' },
  EXPECTATION_UNKNOWN: { status: 417, text: '不支持请求中的 Expect' },
  HEADERS_TOO_LARGE: { status: 431, text: '请求头过大' },
  TOO_MANY_CONNECTIONS: { status: 429, text: '同时打开的连接过多，请稍后再试' },
  QUOTA_REACHED: { status: 429, text: '今天的用量已达上限，请明天再试' },
  TOO_MANY_REQUESTS: { status: 429, text: '操作过于频繁，请稍后再试' },
  FAULT: { status: 500, text: '服务器出了点问题，请稍后再试' },
  STORAGE_FULL: { status: 503, text: '网站的磁盘已满，这次没有保存，也没有改动任何内容，请稍后再试' },
  UNAVAILABLE: { status: 503, text: '服务暂时不可用，请稍后再试' },
} as const satisfies Record<string, { status: number; text: string }>;

export type RefusalCode = keyof typeof REFUSALS;

// A registered symbol, because the server and the pages are separate bundles, each with its own copy of this
// module.
const BRAND = Symbol.for('moye.refusal');

/** Error thrown by `refuse`. `message` is the Chinese sentence for the reader. */
export interface Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  /** Seconds, for the Retry-After header of a 429 or 503. */
  readonly retryAfter?: number;
  readonly field?: string;
  /** Continues the sign-in after SECOND_FACTOR_REQUIRED. */
  readonly ticket?: string;
}

interface RefusalDetail extends Pick<Refusal, 'retryAfter' | 'field' | 'ticket'> {
  /** Replaces the entry's text; in Chinese. */
  text?: string;
}

export function refusal(code: RefusalCode, { text, ...facts }: RefusalDetail = {}): Refusal {
  const entry = REFUSALS[code];
  const named = { [BRAND]: true, name: 'Refusal', code, status: entry.status };
  return Object.assign(new Error(text ?? entry.text), named, facts);
}

export function refuse(code: RefusalCode, detail?: RefusalDetail): never {
  throw refusal(code, detail);
}

/** Whether `error` is a refusal, from any bundle; with `code`, whether it is that refusal. */
export function isRefusal(error: unknown, code?: RefusalCode): error is Refusal {
  if (typeof error !== 'object' || error === null || !(BRAND in error)) return false;
  return code === undefined || ('code' in error && error.code === code);
}

/** Refusals that, with `retryAfter`, mean that the machine was busy or storage out of reach. */
const TEMPORARY: ReadonlySet<RefusalCode> = new Set(['CONTENT_TOO_COMPLEX', 'UNAVAILABLE']);

/** Whether the same call may succeed soon. A full disk or a used-up quota does not pass by itself. */
export const isTemporary = (error: unknown): error is Refusal & { retryAfter: number } =>
  isRefusal(error) && error.retryAfter !== undefined && TEMPORARY.has(error.code);

export function envelopeOf({ code, message, field, ticket }: Refusal) {
  return { code: 'ERROR', data: message, error: code, field, ticket };
}

export function refusalResponse(refused: Refusal): Response {
  const { status, retryAfter } = refused;
  const headers = new Headers({ 'Cache-Control': 'no-store' });
  if (retryAfter !== undefined) headers.set('Retry-After', String(retryAfter));
  return Response.json(envelopeOf(refused), { status, headers });
}
