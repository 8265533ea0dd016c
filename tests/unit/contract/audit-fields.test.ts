import { describe, expect, test } from 'vitest';
import {
  AUDIT_ACTIONS,
  AUDIT_FIELDS,
  auditAccount,
  auditText,
  type AuditFacts,
} from '../../../src/lib/contract/rules/audit.ts';
import { DEFAULT_OPTIONS } from '../../../src/lib/contract/site-options.ts';
import { formatMinute } from '../../../src/lib/shared/time.ts';

const inChina = (iso: string) => formatMinute(iso, 'Asia/Shanghai');
const textOf = (facts: object, kind = 'site') => auditText(kind, JSON.stringify(facts), inChina);

/** A value of every field; the type checker names those that are missing. */
const FACTS: { [F in keyof Required<AuditFacts>]: NonNullable<AuditFacts[F]> } = {
  ...DEFAULT_OPTIONS,
  reserved_names: ['官方', '客服'],
  start_skipped: ['beian', 'logo'],
  keywords: '裴迪',
  username: '裴迪',
  author: '王维',
  role: 'editor',
  until: Date.UTC(2026, 2, 1, 4),
  reason: '广告',
  note: '广告',
  hides: true,
  title: '辋川',
  text: '好诗',
  state: 'hidden',
  isDeleted: false,
  action: 'mask',
  words: ['博彩', '代开'],
  count: 2,
  slug: '关于',
  in_feeds: true,
  category: '广告',
  description: '一个博客',
  beian: '京ICP备1号',
  police_beian: '京公网安备11010502030143号',
  footer: '页脚',
  licence: 'cc-by-4.0',
  links: [{ text: '关于', href: '/detail/1' }],
  navigation: [{ text: '关于', href: '/detail/1', place: 'footer' }],
  nav: { '/tag/list': '话题', '/changelog': null },
  accent: '#2c4a84',
  look: '画册',
  style: 120,
  seal: 'none',
  logo: true,
  bio: '诗人',
  display_name: '显示名',
  website: 'https://a.example',
  profile_links: 'https://b.example',
  avatar: 'a.png',
  thanks: '/api/file/d.png',
  cover: 'b.png',
  file: 'c.png',
  name: '值班',
  into: '诗歌',
  page_num: 3,
  dropsSecondFactor: true,
  uses: 5,
  days: 7,
  end_time: '2026-03-01T04:00:00.000Z',
  format: 'wecom',
  place: 'https://qyapi.weixin.qq.com',
  kinds: ['held', 'report'],
  isOn: true,
  url: 'new',
  secret: 'new',
  SMTP_HOST: 'smtp.example.com',
  SMTP_PORT: '465',
  SMTP_ENCRYPTION: 'tls',
  SMTP_USER: 'blog@example.com',
  SMTP_PASSWORD: 'new',
  SMTP_FROM: '墨页 <blog@example.com>',
  BAIDU_PUSH_TOKEN: 'new',
  INDEXNOW_KEY: '4f1c9a7be2d84c0f',
  VERIFY_BAIDU: 'codeva-1',
  VERIFY_BING: '0A1B',
  VERIFY_GOOGLE: 'x_y-z',
  VERIFY_360: 'a1',
  VERIFY_SOGOU: 'b2',
  VERIFY_TOUTIAO: 'c3=',
  SSO_JSON: '{"providers":[{"id":"company","label":"公司账号","trust":["email"]}]}',
  SSO_ONLY: 'on',
  S3_BUCKET: 'pictures',
  S3_ENDPOINT: 'https://s3.example.com',
  S3_REGION: 'cn-1',
  S3_ACCESS_KEY_ID: 'AK2',
  S3_SECRET_ACCESS_KEY: 'new',
  S3_PATH_STYLE: 'off',
  S3_PREFIX: 'blog/pictures',
  BACKUP_EVERY: '6h',
  BACKUP_KEEP: '7',
  BACKUP_TO: 's3://backups/blog',
  BACKUP_S3_ENDPOINT: 'https://s3.example.com',
  BACKUP_S3_REGION: 'cn-1',
  BACKUP_S3_ACCESS_KEY_ID: 'AK1',
  BACKUP_S3_PATH_STYLE: 'on',
  BACKUP_PASSPHRASE: 'new',
  BACKUP_S3_SECRET_ACCESS_KEY: 'new',
};

describe('the audit log in Chinese', () => {
  test.each(Object.keys(AUDIT_FIELDS))('%s has a label and a readable value', (name) => {
    const text = textOf({ [name]: FACTS[name as keyof AuditFacts] });
    // Titles of settings contain names such as S3.
    expect(text).toMatch(/^(?:(?:S3|IndexNow) )?\p{Script=Han}+(?:（[\w ]+）)?：.+$/u);
    expect(text).not.toMatch(/\[object|[{}"]|：(?:true|false|undefined|none|open|off)/);
    expect(text).not.toContain(name);
  });

  test.each(Object.entries(AUDIT_ACTIONS))('%s has a label', (_, label) => {
    expect(label).toMatch(/^[\p{Script=Han}\w ]+$/u);
  });

  test('values are written as the console shows them', () => {
    const { navigation, nav, links, until, end_time, kinds, url, licence, humanCheck } = FACTS;
    expect(textOf({ navigation })).toBe('导航：关于（/detail/1，页脚）');
    expect(textOf({ nav, links, licence, humanCheck })).toBe(
      '导航：标签叫话题、不显示更新日志，导航旁的链接：关于（/detail/1），许可协议：知识共享 署名 4.0，确认不是机器人：不验证',
    );
    expect(textOf({ until, end_time, kinds, url })).toBe(
      '到：2026-03-01 12:00，有效到：2026-03-01 12:00，通知什么：有内容等待审核、读者的举报，地址：已更换',
    );
    expect(textOf({ until: 253_402_300_800_000 })).toBe('到：永久');
    expect([textOf({ reports: 3 }), textOf({ reports: false })]).toEqual([
      '读者举报：3 条',
      '读者举报：不接受',
    ]);
  });

  test('a field may have another label for another subject', () => {
    const { title, note } = FACTS;
    expect(textOf({ title })).toBe('站名：辋川');
    expect(textOf({ title }, 'article')).toBe('标题：辋川');
    expect([textOf({ note }, 'invitation'), textOf({ note }, 'comment')]).toEqual([
      '备注：广告',
      '理由：广告',
    ]);
  });

  test('nothing set is no text; fields of other versions are shown whole', () => {
    expect(textOf({ until: null, reason: '', words: [] })).toBe('');
    expect(textOf({ weather: { sky: ['clear'] }, toString: 1 })).toBe(
      '其他（weather）：{"sky":["clear"]}，其他（toString）：1',
    );
    expect(textOf({ role: 'emperor', licence: 'own' })).toBe('身份：emperor，许可协议：own');
  });

  test('the account concerned is its name at that time, or the current one of earlier entries', () => {
    const of = (before: object, current?: string) =>
      auditAccount({ before: JSON.stringify(before), current });
    expect(of({ username: '裴迪' }, '裴秀才')).toBe('裴迪');
    expect(of({ author: '王维', state: 'shown' })).toBe('王维');
    expect(of({}, '裴秀才')).toBe('裴秀才');
    expect(of({ name: '诗' })).toBeNull();
  });
});
