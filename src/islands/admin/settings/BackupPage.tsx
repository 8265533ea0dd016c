import type { BackupSettings } from '../../../lib/contract/calls/setting-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { LineField } from '../../ui/form/LineField.tsx';
import { Archives } from './Archives.tsx';
import { SecretField } from './SecretField.tsx';
import { settingsPage } from './settings-page.tsx';

const quiet = { quiet: true };
const INTERVALS = { '': '不自动备份', '1h': '每小时', '6h': '每 6 小时', '1d': '每天', '7d': '每 7 天' };
const PATH_STYLES = { '': '由存储的地址决定', on: '在路径里', off: '在主机名里' };

const valuesOf = ({ every, keep, to, s3_endpoint, s3_region, s3_key_id, s3_path_style }: BackupSettings) => ({
  every,
  to,
  s3_endpoint,
  s3_region,
  s3_key_id,
  s3_path_style,
  keep: String(keep),
  passphrase: '' as string | null,
  s3_secret: '' as string | null,
});

/** Automatic backups: when and where, and the archives that are there. */
export default settingsPage('备份', {
  ask: () => call('backupSettings', {}, quiet),
  valuesOf,
  save: (fields) => call('backupSettingsChange', fields, quiet),
  fields: ({ values, set, frame }, { has_passphrase, has_s3_secret }) => (
    <>
      <Choice
        {...frame('every')}
        label="多久备份一次"
        value={values.every}
        options={{ ...(values.every in INTERVALS ? {} : { [values.every]: values.every }), ...INTERVALS }}
        onChange={(every) => set({ every })}
      />
      <LineField
        {...frame('keep', '再多就删掉最旧的。')}
        label="留几份"
        inputMode="numeric"
        value={values.keep}
        onChange={(keep) => set({ keep })}
      />
      <LineField
        {...frame('to', '服务器上的文件夹，最好在另一块磁盘；或 S3 的 s3://桶/文件夹。保存时会试着写一下。')}
        label="存到哪里"
        placeholder="/mnt/backup/moye"
        value={values.to}
        onChange={(to) => set({ to })}
      />
      {values.to.startsWith('s3:') && (
        <>
          <LineField
            {...frame('s3_endpoint', '如 https://s3.example.com；亚马逊的不填。')}
            label="S3 的地址"
            value={values.s3_endpoint}
            onChange={(s3_endpoint) => set({ s3_endpoint })}
          />
          <LineField
            {...frame('s3_region', '填了地址的多半不用填。')}
            label="S3 的区域"
            value={values.s3_region}
            onChange={(s3_region) => set({ s3_region })}
          />
          <LineField
            {...frame('s3_key_id')}
            label="S3 的密钥编号（Access Key ID）"
            value={values.s3_key_id}
            onChange={(s3_key_id) => set({ s3_key_id })}
          />
          <SecretField
            {...frame('s3_secret')}
            label="S3 的密钥（Secret Access Key）"
            isSet={has_s3_secret}
            value={values.s3_secret}
            onChange={(s3_secret) => set({ s3_secret })}
          />
          <Choice
            {...frame('s3_path_style')}
            label="S3 的桶名写在"
            value={values.s3_path_style}
            options={PATH_STYLES}
            onChange={(s3_path_style) => set({ s3_path_style })}
          />
        </>
      )}
      <SecretField
        {...frame(
          'passphrase',
          '至少 12 个字符。有口令，备份里才有网站的密钥，恢复后大家不用重新登录；请把它记在别处，丢了就打不开。',
        )}
        label="备份的口令"
        isSet={has_passphrase}
        value={values.passphrase}
        onChange={(passphrase) => set({ passphrase })}
      />
    </>
  ),
  more: (settings, safety) =>
    settings.every !== '' && <Archives key={JSON.stringify(settings)} safety={safety} />,
});
