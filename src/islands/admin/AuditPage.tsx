import { formatMinute } from '../../lib/shared/time.ts';
import { AUDIT_ACTIONS } from '../../lib/contract/rules/audit-actions.ts';
import { ROLE_NAMES } from '../../lib/contract/rules/permissions.ts';
import type { AuditItem } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import { ConsoleList, type ConsoleAsked } from './ConsoleList.tsx';
import { Action } from '../ui/Action.tsx';

const load = ({ page, pageSize, q: keywords }: ConsoleAsked) =>
  call('auditList', { page, pageSize, keywords }, { quiet: true });

const ACTIONS: Readonly<Record<string, string>> = AUDIT_ACTIONS;

export default forSignedIn(function AuditPage() {
  return (
    <ConsoleList load={load} searchLabel="搜索操作的人、操作和内容" unit="条" empty="还没有操作记录。">
      {(items, { place }) => (
        <>
          <Export keywords={place.q} />
          <ol role="list">
            {items.map((item) => (
              <Row key={item._id} item={item} />
            ))}
          </ol>
        </>
      )}
    </ConsoleList>
  );
});

const FIELDS: Readonly<Record<string, string>> = {
  username: '用户',
  role: '身份',
  until: '到',
  reason: '理由',
  note: '理由',
  hides: '隐藏内容',
  title: '标题',
  text: '内容',
  author: '作者',
  state: '状态',
  isDeleted: '在回收站',
  reports: '举报数',
  action: '处理',
  words: '词语',
  count: '数目',
  category: '分类',
  holdComments: '评论审核',
  holdArticles: '文章审核',
  approvedFirst: '新作者先审',
  secondFactorForStaff: '站务两步验证',
  signup: '注册',
  reserved_names: '保留的用户名',
  bio: '个人简介',
  avatar: '头像',
  description: '介绍',
  cover: '封面',
  file: '图片',
  name: '名称',
};

const VALUES: Readonly<Record<string, string>> = {
  ...ROLE_NAMES,
  shown: '公开',
  held: '待审',
  hidden: '已隐藏',
  deleted: '已删除',
  reject: '拒绝发布',
  hold: '先审后发',
  mask: '遮盖',
  none: '直接公开',
  first: '新作者先审',
  all: '全部先审',
  open: '谁都可以',
  invitation: '凭邀请码',
  closed: '关闭',
};
/** Fields that hold a value of `VALUES`. Free text stays as it is. */
const WITH_VALUES = new Set(['role', 'state', 'action', 'holdComments', 'holdArticles', 'signup']);

function inWords(json: string): string {
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>);
  const words = fields.flatMap(([name, value]) => {
    if (value === '' || value === null || value === false) return [];
    const known = WITH_VALUES.has(name) ? VALUES[value as string] : undefined;
    const text = name === 'until' ? endOf(Number(value)) : (known ?? textOf(value));
    return [`${FIELDS[name] ?? name}：${text}`];
  });
  return words.length === 0 ? '—' : words.join('，');
}

function textOf(value: unknown): string {
  if (value === true) return '是';
  if (Array.isArray(value)) return value.join('、');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Bans that end after this year are shown as permanent. */
const MAX_YEAR = 9999;

function endOf(time: number): string {
  const date = new Date(time);
  return date.getFullYear() > MAX_YEAR ? '永久' : formatMinute(date.toISOString());
}

function Row({ item }: { item: AuditItem }) {
  const { actor, action, create_time, before, after } = item;
  return (
    <li className="hairline py-3 text-sm">
      <p className="leading-relaxed">
        <bdi className="font-600">{actor === '' ? '命令行' : actor}</bdi>
        <span className="ml-2">{ACTIONS[action] ?? action}</span>
        <span className="ml-2 text-soft">
          <Time iso={create_time} />
        </span>
      </p>
      <p className="text-soft break-words line-clamp-4" dir="auto">
        {inWords(before)} → {inWords(after)}
      </p>
    </li>
  );
}

function Export({ keywords }: { keywords: string }) {
  const [isBusy, once] = useOnce();
  const save = async () => {
    const answer = await call('auditExport', { keywords }).catch(() => null);
    if (!answer) return;
    const url = URL.createObjectURL(new Blob([answer.csv], { type: 'text/csv' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'audit.csv';
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <p className="text-right text-sm">
      <Action aria-disabled={isBusy} onClick={() => void once(save)}>
        导出 CSV
      </Action>
    </p>
  );
}
