import {
  isBaiduToken,
  isHost,
  isIndexNowKey,
  isInterval,
  isMailSender,
  isPort,
  MIN_PASSPHRASE_CHARACTERS,
  parseOrigin,
} from '../../shared/site-settings.ts';
import { MAIL_ENCRYPTION_NAMES } from './site-rules.ts';
import {
  isVerificationCode,
  VERIFICATION_VARIABLES,
  VERIFICATIONS,
  verificationCodeIn,
  type VerificationVariable,
} from './verifications.ts';

/** Texts by environment variable. */
export type Variables = Readonly<Record<string, string>>;

/** A variable as a field of the console. */
export interface SettingField {
  title: string;
  hint?: string;
  placeholder?: string;
  /** Paragraph above the field. */
  intro?: string;
  /** Shown while the variable is unset. */
  initial?: string;
  /** Texts of common values, or of all of them with `fits`. */
  options?: Readonly<Record<string, string>>;
  /** Rule of a text that is not empty; `says` is the message. */
  fits?(text: string): boolean;
  says?: string;
  clean?(text: string): string;
  /** Maximum characters, 500 unless given. */
  max?: number;
  /** Whether it is SSO_JSON, which an answer has without its secrets. */
  isProviders?: boolean;
  /** Stored sealed, and never sent back. */
  isSecret?: boolean;
  /** Variables that a stored secret is for: it is removed when one of them changes. */
  boundTo?: readonly string[];
  /** Whether the other values make it a part of the form. */
  isUsed?(texts: Variables): boolean;
  /** Whether the group cannot be on without it. */
  isNeeded?(texts: Variables): boolean;
  /** Whether the page offers to make up a value. */
  isFree?: boolean;
}

interface SettingGroupForm {
  /** Variable that is empty while the group is off; null for a group that is always on. */
  on: string | null;
  fields: Readonly<Record<string, SettingField>>;
}

const always = () => true;
const needs = (name: string) => (texts: Variables) => Boolean(texts[name]);

/** Fields of the access to a bucket. `isUsed`: whether the other values name one. */
function bucketFields<P extends string>(prefix: P, isUsed: (texts: Variables) => boolean) {
  const fields = {
    ENDPOINT: {
      title: 'S3 的地址',
      hint: '如 https://s3.example.com；亚马逊的不填。',
      fits: (text) => parseOrigin(text) !== null,
      says: 'S3 的地址应像 https://s3.example.com，没有路径',
    },
    REGION: {
      title: 'S3 的区域',
      hint: '填了地址的多半不用填。',
      fits: (text) => /^[\w-]{1,50}$/.test(text),
      says: 'S3 的区域不正确',
      isNeeded: (texts) => isUsed(texts) && !texts[`${prefix}_ENDPOINT`],
    },
    ACCESS_KEY_ID: { title: 'S3 的密钥编号（Access Key ID）', isNeeded: isUsed },
    SECRET_ACCESS_KEY: {
      title: 'S3 的密钥（Secret Access Key）',
      isSecret: true,
      boundTo: [`${prefix}_ENDPOINT`, `${prefix}_ACCESS_KEY_ID`],
      isNeeded: isUsed,
    },
    PATH_STYLE: {
      title: 'S3 的桶名写在',
      options: { '': '由存储的地址决定', on: '在路径里', off: '在主机名里' },
      fits: (text) => text === 'on' || text === 'off',
      says: '请选择桶名写在哪里',
    },
  } satisfies Record<string, SettingField>;
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [`${prefix}_${name}`, { ...field, isUsed }]),
  ) as Record<`${P}_${keyof typeof fields}`, SettingField>;
}

const verificationFields = Object.fromEntries(
  VERIFICATION_VARIABLES.map((name, index): [string, SettingField] => [
    name,
    {
      title: `${VERIFICATIONS[name].engine}的验证`,
      placeholder: VERIFICATIONS[name].tag,
      clean: verificationCodeIn,
      fits: isVerificationCode,
      says: `${VERIFICATIONS[name].engine}的验证应为标签里 content 的值`,
      ...(index === 0 && {
        intro: '验证网站是你的：在搜索引擎的站长平台选「HTML 标签」，把标签贴在这里，保存后回去点验证。',
      }),
    },
  ]),
) as Record<VerificationVariable, SettingField>;

const isBackupInBucket = ({ BACKUP_TO: to = '' }: Variables) => to.startsWith('s3://');

/** Settings that environment variables or the console define, by group. */
export const OPERATOR_SETTINGS = {
  /** Mail server and sender. */
  mail: {
    on: 'SMTP_HOST',
    fields: {
      SMTP_HOST: {
        title: '邮件服务器',
        hint: '邮箱服务商给的 SMTP 地址，如 smtp.example.com。清空就不再发信。',
        fits: isHost,
        says: '邮件服务器应像 smtp.example.com',
      },
      SMTP_ENCRYPTION: {
        title: '加密',
        options: MAIL_ENCRYPTION_NAMES,
        initial: 'tls',
        fits: (text) => text in MAIL_ENCRYPTION_NAMES,
        says: '请选择怎样加密',
      },
      SMTP_PORT: {
        title: '端口',
        hint: '不填就用常用的：TLS 是 465，其余是 587。',
        fits: isPort,
        says: '端口应为 1–65535 的整数',
      },
      SMTP_USER: { title: '登录名', hint: '多半就是发信的邮箱地址。', isNeeded: needs('SMTP_PASSWORD') },
      SMTP_PASSWORD: {
        title: '登录密码或授权码',
        hint: '许多邮箱要用单独的授权码，不是登录网页的密码。',
        isSecret: true,
        boundTo: ['SMTP_HOST', 'SMTP_USER'],
        isNeeded: needs('SMTP_USER'),
      },
      SMTP_FROM: {
        title: '发件人',
        hint: '如 blog@example.com，或 墨页 <blog@example.com>。',
        fits: isMailSender,
        says: '发件人应像 blog@example.com 或 墨页 <blog@example.com>',
        isNeeded: always,
      },
    },
  },
  /** Pushes to search engines, and the tags by which they recognise the owner. */
  search: {
    on: null,
    fields: {
      BAIDU_PUSH_TOKEN: {
        title: '百度的推送密钥',
        hint: '百度搜索资源平台「普通收录 → API 提交」里的 token。文章发布和修改后自动提交。',
        isSecret: true,
        fits: isBaiduToken,
        says: '百度的推送密钥应为字母、数字，见百度搜索资源平台',
      },
      INDEXNOW_KEY: {
        title: 'IndexNow 的密钥',
        hint: '必应、Yandex 等用它收新文章。8–128 个字母、数字和连字符，可以随便定一个。',
        fits: isIndexNowKey,
        says: 'IndexNow 的密钥应为 8–128 个字母、数字和连字符',
        isFree: true,
      },
      ...verificationFields,
    },
  },
  /** Identity providers, in the order of their buttons. */
  sso: {
    on: null,
    fields: {
      SSO_JSON: { title: '登录方式', max: 50_000, isProviders: true },
      SSO_ONLY: {
        title: '密码和通行密钥',
        hint: '关掉以前，先给每个登录方式做测试，并用其中一个绑定你自己的账号。',
        options: { off: '也可以用来登录和注册', on: '不能用，只能用上面的方式登录和注册' },
        initial: 'off',
        fits: (text) => text === 'on' || text === 'off',
        says: '请选择能不能用密码',
      },
    },
  },
  /** Automatic backups: when and where. */
  backup: {
    on: 'BACKUP_EVERY',
    fields: {
      BACKUP_EVERY: {
        title: '多久备份一次',
        options: { '': '不自动备份', '1h': '每小时', '6h': '每 6 小时', '1d': '每天', '7d': '每 7 天' },
        fits: isInterval,
        says: '多久备份一次应像 30m、6h 或 1d',
      },
      BACKUP_KEEP: {
        title: '留几份',
        hint: '再多就删掉最旧的。',
        initial: '7',
        fits: (text) => /^[1-9]\d{0,3}$|^10000$/.test(text),
        says: '份数应为 1–10000 的整数',
      },
      BACKUP_TO: {
        title: '存到哪里',
        hint: '服务器上的文件夹，最好在另一块磁盘；或 S3 的 s3://桶/文件夹。保存时会试着写一下。',
        placeholder: '/mnt/backup/moye',
        isNeeded: always,
      },
      ...bucketFields('BACKUP_S3', isBackupInBucket),
      BACKUP_PASSPHRASE: {
        title: '备份的口令',
        hint: '至少 12 个字符。有口令，备份里才有网站的密钥，恢复后大家不用重新登录；请把它记在别处，丢了就打不开。',
        isSecret: true,
        fits: (text) => text.length >= MIN_PASSPHRASE_CHARACTERS,
        says: `口令至少 ${MIN_PASSPHRASE_CHARACTERS} 个字符`,
      },
    },
  },
  /** Storage of uploaded pictures: a folder of the server, or a bucket. */
  uploads: {
    on: 'S3_BUCKET',
    fields: {
      S3_BUCKET: {
        title: 'S3 的桶',
        hint: '桶的名字；不填就存在服务器的文件夹里。保存时会试着写、读、删一个小文件。换地方不会搬动已有的图片：存进桶里以后，服务器上的旧图片照样看得到；从桶里换走以前，要先用 rclone 等工具把图片拷过去，不然不能保存。',
        fits: (text) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text),
        says: '桶的名字应为小写字母、数字、点和连字符',
      },
      ...bucketFields('S3', needs('S3_BUCKET')),
      S3_PREFIX: {
        title: '桶里的文件夹',
        hint: '如 blog/pictures；不填就放在最外面。',
        fits: (text) => /^\/?(?:[\w-][\w.-]*(?:\/|$))*$/.test(text),
        says: '桶里的文件夹应像 blog/pictures',
        isUsed: needs('S3_BUCKET'),
      },
    },
  },
} as const satisfies Record<string, SettingGroupForm>;

export type SettingGroup = keyof typeof OPERATOR_SETTINGS;
export type SettingName = {
  [G in SettingGroup]: keyof (typeof OPERATOR_SETTINGS)[G]['fields'];
}[SettingGroup];

export const formOf = (group: SettingGroup): SettingGroupForm => OPERATOR_SETTINGS[group];
export const fieldsOf = (group: SettingGroup): [name: string, field: SettingField][] =>
  Object.entries(formOf(group).fields);

/** Returns the results of a function for each group. */
export const byGroup = <T extends Readonly<Record<SettingGroup, unknown>>>(
  make: (group: SettingGroup) => T[SettingGroup],
): T =>
  Object.fromEntries(
    Object.keys(OPERATOR_SETTINGS).map((group) => [group, make(group as SettingGroup)]),
  ) as T;
