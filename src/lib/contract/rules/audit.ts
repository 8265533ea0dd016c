import { sections } from './page-list.ts';
import { LICENCES } from './licences.ts';
import { ACTION_NAMES } from './moderation.ts';
import { PLACES, type NavEntry } from './navigation.ts';
import { WEBHOOK_FORMATS, WEBHOOK_NOTICES } from './notice-kinds.ts';
import { fieldsOf, OPERATOR_SETTINGS, type SettingGroup, type SettingName } from './operator-settings.ts';
import { ROLE_NAMES } from './permissions.ts';
import {
  ARTICLE_ADDRESS_NAMES,
  CHANGE_POLICY_NAMES,
  HOLD_POLICY_NAMES,
  HUMAN_CHECK_NAMES,
  SIGNUP_MODE_NAMES,
} from './site-rules.ts';
import { providersIn } from './sign-in-providers.ts';
import { START_STEPS, type StartStep } from './start-steps.ts';

/** Formats an ISO 8601 time in the zone of the site. */
type ShowTime = (iso: string) => string;

interface AuditField<T> {
  label: string;
  show(value: T, showTime: ShowTime): string;
}

const field = <T>(label: string, show: (value: T, showTime: ShowTime) => string): AuditField<T> => ({
  label,
  show,
});
const text = (label: string) => field<string>(label, textOf);
const count = (label: string) => field<number>(label, textOf);
const flag = (label: string) => field<boolean>(label, (value) => (value ? '是' : '否'));
const textList = (label: string) => field<readonly string[]>(label, (value) => value.join('、'));
const oneOf = <K extends string>(label: string, names: Readonly<Record<K, string>>) =>
  field<K>(label, (value) => names[value] ?? textOf(value));

/** Stored in place of a value that must not be shown. */
export const SECRET_CHANGED = 'new';
const secret = (label: string) => field<typeof SECRET_CHANGED>(label, () => '已更换');

function providersText(json: string): string {
  if (json === SECRET_CHANGED) return '密钥已更换';
  return providersIn(json)
    .map(({ id, label, trust }) => `${label}（${[id, ...trust].join('，')}）`)
    .join('、');
}

const settingFields = Object.fromEntries(
  (Object.keys(OPERATOR_SETTINGS) as SettingGroup[])
    .flatMap(fieldsOf)
    .map(([name, { title, isSecret, options }]) => {
      if (name === 'SSO_JSON') return [name, field(title, providersText)];
      return [name, isSecret ? secret(title) : oneOf(title, options ?? {})];
    }),
) as Record<SettingName, AuditField<string>>;

/** Bans that end after this year are shown as permanent. */
const MAX_YEAR = 9999;

function endOf(time: number, showTime: ShowTime): string {
  const date = new Date(time);
  return date.getFullYear() > MAX_YEAR ? '永久' : showTime(date.toISOString());
}

const sectionOf = (href: string): string => sections.find((section) => section.href === href)?.text ?? href;

/**
 * Fields of the audit log with their labels. A field that is missing here cannot be written
 * (server/staff/audit.ts).
 */
export const AUDIT_FIELDS = {
  username: text('用户'),
  author: text('作者'),
  role: oneOf('身份', ROLE_NAMES),
  until: field<number>('到', endOf),
  reason: text('理由'),
  note: text('理由'),
  hides: flag('隐藏内容'),
  title: text('标题'),
  text: text('内容'),
  state: oneOf('状态', { shown: '公开', held: '待审', hidden: '已隐藏', deleted: '已删除' }),
  /** Only in entries of earlier versions. */
  isDeleted: flag('在回收站'),
  /** Whether reports are accepted, or how many reports were decided. */
  reports: field<boolean | number>('读者举报', (value) =>
    typeof value === 'number' ? `${value} 条` : value ? '接受' : '不接受',
  ),
  action: oneOf('处理', { ...ACTION_NAMES, hide: '隐藏', delete: '删除' }),
  words: textList('词语'),
  count: count('数目'),
  category: text('分类'),
  holdComments: oneOf('评论审核', HOLD_POLICY_NAMES),
  holdArticles: oneOf('文章审核', HOLD_POLICY_NAMES),
  articleAddress: oneOf('文章的网址', ARTICLE_ADDRESS_NAMES),
  holdChanges: oneOf('改动审核', CHANGE_POLICY_NAMES),
  approvedFirst: field<number>('通过几条后不再是新作者', (value) => `${value} 条`),
  thanksPictures: flag('允许作者放赞赏码'),
  secondFactorForStaff: flag('站务和站长必须开启两步验证'),
  signup: oneOf('注册', SIGNUP_MODE_NAMES),
  humanCheck: oneOf('确认不是机器人', HUMAN_CHECK_NAMES),
  mcp: flag('允许智能助手连接'),
  reserved_names: textList('保留的用户名'),
  start_skipped: field<readonly StartStep[]>('开始页里跳过的事', (steps) =>
    steps.map((step) => START_STEPS[step] ?? step).join('、'),
  ),
  keepOrigins: field<number>('保存发布地址', (value) => (value === 0 ? '不保存' : `${value} 天`)),
  keywords: text('查找'),
  description: text('介绍'),
  beian: text('备案号'),
  police_beian: text('公安备案号'),
  footer: text('页脚文字'),
  licence: field<string>('许可协议', (value) => LICENCES[value]?.name ?? textOf(value)),
  links: field<readonly { text: string; href: string }[]>('导航旁的链接', (links) =>
    links.map(({ text, href }) => `${text}（${href}）`).join('、'),
  ),
  navigation: field<readonly NavEntry[]>('导航', (entries) =>
    entries.map(({ text, href, place }) => `${text}（${href}，${PLACES[place]}）`).join('、'),
  ),
  nav: field<Readonly<Record<string, string | null>>>('导航', (nav) =>
    Object.entries(nav)
      .map(([href, label]) => (label === null ? `不显示${sectionOf(href)}` : `${sectionOf(href)}叫${label}`))
      .join('、'),
  ),
  accent: text('主题色'),
  look: text('外观'),
  style: field<number>('自己的样式', (value) => `${value} 字节`),
  seal: field<string>('印章', (value) => (value === 'none' ? '不显示' : value || '本站的标志')),
  logo: field<boolean>('标志', (value) => (value ? '自己的' : '墨页的')),
  bio: text('个人简介'),
  display_name: text('显示名'),
  website: text('个人网站'),
  profile_links: text('链接'),
  avatar: text('头像'),
  thanks: text('赞赏码'),
  cover: text('封面'),
  file: text('图片'),
  name: text('名称'),
  into: text('并入'),
  slug: text('地址'),
  in_feeds: flag('在订阅源里'),
  page_num: field<number>('文章数', (value) => `${value} 篇`),
  dropsSecondFactor: flag('同时去掉两步验证'),
  uses: field<number>('可用次数', (value) => `${value} 次`),
  days: field<number>('有效期', (value) => `${value} 天`),
  end_time: field<string>('有效到', (value, showTime) => showTime(value)),
  format: oneOf('格式', WEBHOOK_FORMATS),
  place: text('网站'),
  kinds: field<readonly (keyof typeof WEBHOOK_NOTICES)[]>('通知什么', (kinds) =>
    kinds.map((kind) => WEBHOOK_NOTICES[kind] ?? kind).join('、'),
  ),
  isOn: flag('启用'),
  url: secret('地址'),
  secret: secret('密钥'),
  ...settingFields,
};

type Fields = typeof AUDIT_FIELDS;
type ValueOf<F> = F extends AuditField<infer T> ? T : never;

/** Facts of an audit entry by field; an omitted or null one was not set. */
export type AuditFacts = { readonly [F in keyof Fields]?: ValueOf<Fields[F]> | null | undefined };

/** Labels that differ by the kind of the subject. */
const LABELS_BY_KIND: ReadonlyMap<string, string> = new Map([
  ['site.title', '站名'],
  ['site.description', '简介'],
  ['invitation.note', '备注'],
  ['tag.description', '描述'],
  ['friend.category', '分组'],
]);

/** Converts the facts of an entry (JSON) to Chinese text; '' without facts. */
export function auditText(kind: string, json: string, showTime: ShowTime): string {
  const facts = Object.entries(JSON.parse(json) as Record<string, unknown>);
  return facts
    .filter(([, value]) => value !== null && value !== '' && !isEmptyList(value))
    .map(([name, value]) => {
      const known = findField(name);
      const label = LABELS_BY_KIND.get(`${kind}.${name}`) ?? known?.label ?? `其他（${name}）`;
      return `${label}：${known ? known.show(value, showTime) : textOf(value)}`;
    })
    .join('，');
}

/** Entries are permanent: those of other versions may hold fields that this one does not know. */
const findField = (name: string): AuditField<unknown> | undefined =>
  Object.hasOwn(AUDIT_FIELDS, name) ? AUDIT_FIELDS[name as keyof Fields] : undefined;

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map(textOf).join('、') : JSON.stringify(value);
}

/** The account that an entry is about; null for none. `current` is the present name of a subject account. */
export function auditAccount({
  before,
  current,
}: {
  before: string;
  current?: string | undefined;
}): string | null {
  const { username, author } = JSON.parse(before) as Record<string, unknown>;
  const named = username ?? author ?? current;
  return typeof named === 'string' && named !== '' ? named : null;
}

/** Actions of the audit log with their labels: the kind of the subject, a dot, a verb. */
export const AUDIT_ACTIONS = {
  'user.role': '改身份',
  'user.ban': '封禁',
  'user.unban': '解除封禁',
  'article.hide': '隐藏文章',
  'article.restore': '恢复文章',
  'article.delete': '删除文章',
  'article.pin': '置顶文章',
  'article.unpin': '取消置顶',
  'comment.hide': '隐藏评论',
  'comment.restore': '恢复评论',
  'comment.delete': '删除评论',
  'article.hold': '文章待审',
  'comment.hold': '评论待审',
  'article.read': '阅读不公开的文章',
  'comment.read': '阅读不公开的评论',
  'article.approve_change': '通过文章的改动',
  'article.refuse_change': '不予通过文章的改动',
  'comment.approve_change': '通过评论的改动',
  'comment.refuse_change': '不予通过评论的改动',
  'report.upheld': '举报成立',
  'report.dismissed': '忽略举报',
  'origin.read': '查看发布地址',
  'options.change': '改设置',
  'site.change': '改网站信息',
  'site.save_look': '保存外观',
  'site.delete_look': '删除外观',
  'mail.change': '改发信的设置',
  'search.change': '改搜索引擎的设置',
  'sso.change': '改登录方式',
  'backup.change': '改备份的设置',
  'uploads.change': '改图片的存储',
  'backup.download': '下载备份',
  'tag.rename': '改标签名',
  'tag.merge': '合并标签',
  'tag.describe': '改标签说明',
  'tag.delete': '删除标签',
  'page.create': '新建页面',
  'page.change': '改页面地址',
  'page.order': '排页面顺序',
  'friend.add': '添加友链',
  'friend.change': '改友链',
  'friend.accept': '通过友链申请',
  'friend.refuse': '不通过友链申请',
  'friend.hide': '隐藏友链',
  'friend.show': '显示友链',
  'friend.delete': '删除友链',
  'friend.order': '排友链顺序',
  'user.remove': '移除资料',
  'series.remove': '移除专栏资料',
  'picture.remove': '移除图片',
  'user.rescue': '给出找回账号的链接',
  'user.revoke_token': '撤销访问令牌',
  'words.add': '添加词语',
  'words.remove': '移除词语',
  'invitation.add': '做邀请码',
  'invitation.end': '停用邀请码',
  'webhook.add': '添加通知地址',
  'webhook.change': '改通知地址',
  'webhook.delete': '删除通知地址',
} as const satisfies Record<`${string}.${string}`, string>;

export type AuditAction = keyof typeof AUDIT_ACTIONS;
