import { z } from 'zod';
import { read, staff, write } from './call.ts';
import { proof, PROOF_REFUSALS, WITH_CODE } from './credentials.ts';
import { textField, versionField } from '../fields.ts';
import { jsonField } from './site-calls.ts';
import { OPERATOR_SETTINGS } from '../rules/operator-settings.ts';
import { boolean, instant, int, list, namesOf, string, strings } from '../titled.ts';

const group = z.enum(namesOf(OPERATOR_SETTINGS), { error: '没有这组设置' }).meta({ title: '哪组设置' });
const MAX_TEXT_CHARACTERS = 100_000;

export const OperatorSettings = z.object({
  texts: z.record(z.string(), z.string()).meta({ title: '各项的值，不含密码、密钥；没有设定的是空的' }),
  secrets: strings('设定了的密码、密钥'),
  fixed: z.record(z.string(), z.string()).meta({ title: '在网站的配置里设定的各项，和设定它的变量或文件' }),
  version: string('版本号'),
  is_broken: boolean('保存过的设置是不是用不了：网站的密钥换过以后要重新填写'),
});
export type OperatorSettings = z.infer<typeof OperatorSettings>;

export const OperatorChange = z.object({
  group,
  version: versionField,
  texts: jsonField(
    z
      .record(z.string().max(40), z.string().max(MAX_TEXT_CHARACTERS, '太长了'), {
        error: '请写明要改的各项',
      })
      .meta({ title: '要改的各项；空的是不设' }),
  ),
  ...proof,
});
export type OperatorChange = z.infer<typeof OperatorChange>;

export const BackupState = z.object({
  items: list(
    '备份，新的在前，最多 200 个',
    z.object({ name: string('文件名'), bytes: int('字节数'), time: instant('时间') }),
  ),
  problem: string('为什么看不到备份，没有问题就是空的'),
  failure: string('上一次备份为什么失败，没有失败就是空的'),
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

export const settingCalls = {
  operatorSettings: read(ofSettings, 'POST /api/staff/settings', '一组设置', {
    description: '环境变量也能设定的各项，名字就是变量的名字。',
    input: z.object({ group }),
    output: OperatorSettings,
  }),
  operatorSettingsChange: write(ofSettings, 'POST /api/staff/settings/change', '修改一组设置', {
    description: `没写的不变；密码、密钥只写不读。${WITH_CODE}`,
    input: OperatorChange,
    output: OperatorSettings,
    refusals: ['FIELD_FIXED', 'VERSION_CHANGED', ...PROOF_REFUSALS],
  }),
  providerTest: write(ofSettings, 'POST /api/staff/settings/provider', '测试一个登录方式', {
    description: '用一个编造的授权码问服务商，看它认不认得网站的应用和密钥。',
    input: z.object({ id: textField('编号', [1, 40]) }),
    refusals: ['PROVIDER_UNKNOWN', 'SSO_FAILED'],
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
