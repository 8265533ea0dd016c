import { z } from 'zod';
import { read, staff, write } from './call.ts';
import { proof, PROOF_REFUSALS, WITH_CODE } from './credentials.ts';
import { textField } from '../fields.ts';
import { MAIL_ENCRYPTION_NAMES } from '../rules/site-rules.ts';
import { isBaiduToken, isHost, isIndexNowKey, isMailSender } from '../../shared/site-settings.ts';
import {
  isVerificationCode,
  VERIFICATION_FIELDS,
  VERIFICATIONS,
  verificationCodeIn,
  type VerificationField,
} from '../rules/verifications.ts';
import { boolean, namesOf } from '../titled.ts';

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
};
