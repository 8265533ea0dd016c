import { z } from 'zod';
import { read, staff, write } from './call.ts';
import { proof, PROOF_REFUSALS, WITH_CODE } from './credentials.ts';
import { textField } from '../fields.ts';
import { MAIL_ENCRYPTION_NAMES } from '../rules/site-rules.ts';
import {
  isBaiduToken,
  isHost,
  isIndexNowKey,
  isInterval,
  isMailSender,
  MIN_PASSPHRASE_CHARACTERS,
  parseOrigin,
} from '../../shared/site-settings.ts';
import {
  isVerificationCode,
  VERIFICATION_FIELDS,
  VERIFICATIONS,
  verificationCodeIn,
  type VerificationField,
} from '../rules/verifications.ts';
import { boolean, instant, int, list, namesOf, string } from '../titled.ts';

const portError = '端口应为 1–65535 的整数';

/** Mail server and sender; without a server, mail is off. */
const mailFields = {
  server: textField('邮件服务器', [0, 253]).refine((text) => text === '' || isHost(text), {
    error: '邮件服务器应像 smtp.example.com',
  }),
  port: z.coerce
    .number({ error: portError })
    .int(portError)
    .min(1, portError)
    .max(65_535, portError)
    .meta({ title: '端口' }),
  encryption: z
    .enum(namesOf(MAIL_ENCRYPTION_NAMES), { error: '请选择怎样加密' })
    .meta({ title: '和邮件服务器的连接怎样加密' }),
  account: textField('登录名', [0, 254]),
  sender: textField('发件人', [0, 320]).refine((text) => text === '' || isMailSender(text), {
    error: '发件人应像 blog@example.com 或 墨页 <blog@example.com>',
  }),
};
/** A secret that is never sent back. */
const secretField = (label: string) =>
  z
    .string({ error: `${label}应为文本` })
    .max(500, `${label}太长`)
    .meta({ title: label });

/** Facts of every group of settings. */
const groupFacts = <T extends Readonly<Record<string, z.ZodType>>>(fields: T) => ({
  /**
   * Fields set by environment variables, with the variable. They cannot be changed here.
   */
  fixed: z.partialRecord(z.enum(namesOf(fields)), z.string()).meta({ title: '由环境变量设定的各项和变量' }),
  is_broken: boolean('保存过的设置是不是用不了：网站的密钥换过以后要重新填写'),
});

export const MailSettings = z.object({
  ...mailFields,
  has_secret: boolean('有没有登录密码'),
  is_on: boolean('网站能不能发邮件'),
  ...groupFacts({ ...mailFields, secret: z.string() }),
});
export type MailSettings = z.infer<typeof MailSettings>;

const MailParts = z.object({ ...mailFields, secret: secretField('登录密码') });
export type MailParts = z.infer<typeof MailParts>;

const verificationFields = Object.fromEntries(
  VERIFICATION_FIELDS.map((name) => {
    const label = `${VERIFICATIONS[name].engine}的验证`;
    const field = textField(label, [0, 500])
      .overwrite(verificationCodeIn)
      .refine((code) => code === '' || isVerificationCode(code), {
        error: `${label}应为标签里 content 的值`,
      });
    return [name, field];
  }),
) as Record<VerificationField, ReturnType<typeof textField>>;

/** Pushes to search engines, and the meta tags by which they recognise the owner. */
const searchFields = {
  indexnow_key: textField('IndexNow 的密钥', [0, 128]).refine((key) => key === '' || isIndexNowKey(key), {
    error: 'IndexNow 的密钥应为 8–128 个字母、数字和连字符',
  }),
  ...verificationFields,
};
const baiduToken = secretField('百度的推送密钥').refine((token) => token === '' || isBaiduToken(token), {
  error: '百度的推送密钥应为字母、数字，见百度搜索资源平台',
});

export const SearchSettings = z.object({
  ...searchFields,
  has_baidu_token: boolean('有没有百度的推送密钥'),
  ...groupFacts({ ...searchFields, baidu_token: baiduToken }),
});
export type SearchSettings = z.infer<typeof SearchSettings>;

const SearchParts = z.object({ ...searchFields, baidu_token: baiduToken });
export type SearchParts = z.infer<typeof SearchParts>;

const keepError = '份数应为 1–10000 的整数';

/** Automatic backups; without `every`, they are off. */
const backupFields = {
  every: textField('多久备份一次', [0, 7]).refine((text) => text === '' || isInterval(text), {
    error: '多久备份一次应像 30m、6h 或 1d',
  }),
  keep: z.coerce
    .number(keepError)
    .int(keepError)
    .min(1, keepError)
    .max(10_000, keepError)
    .meta({ title: '留几份' }),
  to: textField('存到哪里', [0, 500]),
  s3_endpoint: textField('S3 的地址', [0, 300]).refine((text) => text === '' || parseOrigin(text) !== null, {
    error: 'S3 的地址应像 https://s3.example.com，没有路径',
  }),
  s3_region: textField('S3 的区域', [0, 50]).refine((text) => /^[\w-]*$/.test(text), {
    error: 'S3 的区域不正确',
  }),
  s3_key_id: textField('S3 的密钥编号', [0, 200]),
  s3_path_style: z
    .enum(['', 'on', 'off'], { error: '请选择桶名写在哪里' })
    .meta({ title: 'S3 的桶名写在路径里' }),
};
const backupSecrets = {
  passphrase: secretField('口令').refine((text) => text === '' || text.length >= MIN_PASSPHRASE_CHARACTERS, {
    error: `口令至少 ${MIN_PASSPHRASE_CHARACTERS} 个字符`,
  }),
  s3_secret: secretField('S3 的密钥'),
};

export const BackupSettings = z.object({
  ...backupFields,
  has_passphrase: boolean('有没有口令'),
  has_s3_secret: boolean('有没有 S3 的密钥'),
  ...groupFacts({ ...backupFields, ...backupSecrets }),
});
export type BackupSettings = z.infer<typeof BackupSettings>;

const BackupParts = z.object({ ...backupFields, ...backupSecrets });
export type BackupParts = z.infer<typeof BackupParts>;

export const BackupState = z.object({
  items: list(
    '备份，新的在前，最多 200 个',
    z.object({ name: string('文件名'), bytes: int('字节数'), time: instant('时间') }),
  ),
  problem: string('为什么看不到备份，没有问题就是空的'),
  is_running: boolean('是不是正在备份'),
  next_time: z.iso.datetime().nullable().meta({ title: '下一次备份的时间' }),
  checking: string('正在核对的文件名，没有就是空的'),
  check: z
    .object({
      name: string('文件名'),
      time: instant('时间'),
      is_sound: boolean('是不是能恢复'),
      text: string('结果'),
    })
    .nullable()
    .meta({ title: '最近一次核对' }),
});
export type BackupState = z.infer<typeof BackupState>;

const archive = { name: textField('备份的文件名', [1, 300]) };

const ofSettings = staff('settings.change');
const changing = {
  description: `没写的不变；密码、密钥只写不读。${WITH_CODE}`,
  refusals: ['FIELD_FIXED', ...PROOF_REFUSALS],
} as const;

export const settingCalls = {
  mailSettings: read(ofSettings, 'POST /api/staff/settings/mail', '发信的设置', { output: MailSettings }),
  mailSettingsChange: write(ofSettings, 'POST /api/staff/settings/mail/change', '修改发信的设置', {
    ...changing,
    input: MailParts.partial().extend(proof),
    output: MailSettings,
  }),
  searchSettings: read(ofSettings, 'POST /api/staff/settings/search', '搜索引擎的推送和验证', {
    output: SearchSettings,
  }),
  searchSettingsChange: write(
    ofSettings,
    'POST /api/staff/settings/search/change',
    '修改搜索引擎的推送和验证',
    { ...changing, input: SearchParts.partial().extend(proof), output: SearchSettings },
  ),
  backupSettings: read(ofSettings, 'POST /api/staff/settings/backup', '自动备份的设置', {
    output: BackupSettings,
  }),
  backupSettingsChange: write(ofSettings, 'POST /api/staff/settings/backup/change', '修改自动备份的设置', {
    ...changing,
    input: BackupParts.partial().extend(proof),
    output: BackupSettings,
  }),
  backupState: read(ofSettings, 'POST /api/staff/backups', '有哪些备份，下一次在什么时候', {
    output: BackupState,
  }),
  backupStart: write(ofSettings, 'POST /api/staff/backups/start', '马上备份一次', {
    refusals: ['BACKUP_OFF'],
  }),
  backupCheck: write(
    ofSettings,
    'POST /api/staff/backups/check',
    '把一个备份恢复到临时的数据库，看它能不能用',
    {
      input: z.object(archive),
      refusals: ['BACKUP_OFF', 'FILE_NOT_FOUND'],
    },
  ),
  backupDownload: write(ofSettings, 'POST /api/staff/backups/download', '下载一个备份', {
    description: `答复里的网址两分钟内可以用一次。${WITH_CODE}`,
    input: z.object({ ...archive, ...proof }),
    output: z.object({ url: string('网址') }),
    refusals: ['BACKUP_OFF', 'FILE_NOT_FOUND', ...PROOF_REFUSALS],
  }),
};
