import { randomBytes } from 'node:crypto';
import { CLOSING_DAYS } from '../../../contract/rules/closing.ts';
import type { Trx } from '../../db/database.ts';
import { usernameOf } from '../../db/lists.ts';
import type { NoticeService } from '../../notices/notice-service.ts';
import * as queries from './safety-queries.ts';

export type Mailer = Pick<NoticeService, 'hasMail' | 'queueMail' | 'requireAccepted'>;

export interface SiteOrigin {
  /** As browsers see it. */
  readonly origin: string;
  readonly title: string;
}

const CHANGES = {
  username: '用户名已修改',
  password: '密码已修改',
  email: '邮箱已更换',
  'email-asked': '邮箱正要更换，新邮箱确认以后才生效',
  'email-removed': '邮箱已移除',
  closing: `账号将在 ${CLOSING_DAYS} 天后删除`,
  'closing-stopped': '账号不删除了',
  closed: '账号已删除',
  'totp-on': '两步验证已开启',
  'totp-off': '两步验证已关闭',
  'new-place': '账号在新的浏览器和地点登录了',
  'recovery-code-used': '一个恢复码被用掉了',
  'recovery-codes': '恢复码已重新生成，原来的作废',
  'passkey-added': '新的通行密钥已添加',
  'passkey-removed': '一个通行密钥已删除',
  'access-token-added': '新的访问令牌已创建',
  'access-token-revoked': '一个访问令牌已被站长撤销',
  'identity-added': '新的登录方式已绑定',
  'identity-removed': '一种登录方式已解除绑定',
} as const;
type AccountChange = keyof typeof CHANGES;

/** Queues a mail about a change to an account inside its transaction. */
export type NotifyChange = (
  trx: Trx,
  userId: string,
  change: AccountChange,
  options?: {
    /** Default: the account's verified address; passed when the change replaces it. */
    addresses?: readonly string[];
    /** Lines that say more. */
    details?: readonly string[];
    /** Replaces the link to the settings. */
    link?: { label: string; url: string };
    /** Only one mail with the same key is sent; default: a random one. */
    key?: string;
  },
) => Promise<void>;

export const createChangeMails =
  ({ mailer, site }: { mailer: Mailer; site: SiteOrigin }): NotifyChange =>
  async (
    trx,
    userId,
    change,
    { addresses, details = [], link, key = randomBytes(12).toString('hex') } = {},
  ) => {
    if (!mailer.hasMail) return;
    const known = addresses ?? [await queries.findEmail(trx, userId)];
    const name = await usernameOf(trx, userId);
    for (const to of known) {
      if (to === null) continue;
      await mailer.queueMail(trx, {
        to,
        subject: `你在「${site.title}」的${CHANGES[change]}`,
        text: textOf(site, { name, change, details, url: link?.url }),
        button: link?.label ?? '打开账号设置',
        uniqueKey: `changed ${key} ${to}`,
      });
    }
  };

const ADVICE =
  '如果是你做的，不用理会这封邮件。如果不是，请马上登录并修改密码，检查「账号设置」里的设备、邮箱和两步验证：';
const CLOSING_ADVICE =
  '如果不是你做的，请打开下面的链接撤销，再登录修改密码，检查设备、邮箱和两步验证。如果是你做的，可以等到那一天，也可以用这个链接马上删除：';

function textOf(
  { title, origin }: SiteOrigin,
  {
    name,
    change,
    details,
    url = `${origin}/user/settings`,
  }: { name: string; change: AccountChange; details: readonly string[]; url: string | undefined },
): string {
  const what = [`${CHANGES[change]}。`, ...details].join('\n');
  const advice =
    change === 'closed'
      ? ['所有设备都已退出登录。如果不是你删除的，请联系站长。']
      : [change === 'closing' ? CLOSING_ADVICE : ADVICE, url, '登录不了，就请联系站长。'];
  return [`${name}，你好：`, `你在「${title}」的账号刚刚有变化：${what}`, ...advice].join('\n\n');
}
