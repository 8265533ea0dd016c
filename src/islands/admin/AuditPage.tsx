import { useStore } from '@nanostores/react';
import type { ReactNode } from 'react';
import { formatMinute } from '../../components/time.ts';
import type { AuditItem } from '../../lib/contract/staff-calls.ts';
import { $query } from '../../lib/stores/address.ts';
import { call } from '../../lib/stores/api.ts';
import { SignedIn } from '../dashboards/SignedIn.tsx';
import { island } from '../ui/island.tsx';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import { readConsolePlace, type ConsolePlace } from './console-place.ts';
import { ConsoleList } from './ConsoleList.tsx';

const load = ({ page, pageSize, keywords }: ConsolePlace & { pageSize: number }) =>
  call('auditList', { page, pageSize, keywords }, { quiet: true });

const ACTIONS: Readonly<Record<string, string>> = {
  'user.role': '改身份',
  'user.ban': '封禁',
  'user.unban': '解除封禁',
  'article.hide': '隐藏文章',
  'article.restore': '恢复文章',
  'article.delete': '删除文章',
  'comment.hide': '隐藏评论',
  'comment.restore': '恢复评论',
  'comment.delete': '删除评论',
  'article.hold': '文章待审',
  'comment.hold': '评论待审',
  'report.upheld': '举报成立',
  'report.dismissed': '忽略举报',
  'options.change': '改设置',
};

/** /admin/audit: what staff has done. */
export default island(function AuditPage({ children }: { children?: ReactNode }) {
  return (
    <SignedIn waiting={children}>
      {(username) => (
        <ConsoleList<AuditItem>
          key={username}
          load={load}
          searchLabel="搜索操作的人、操作和内容"
          unit="条"
          empty="还没有操作记录。"
        >
          {(items) => (
            <>
              <Export />
              <ol role="list">
                {items.map((item) => (
                  <Row key={item._id} item={item} />
                ))}
              </ol>
            </>
          )}
        </ConsoleList>
      )}
    </SignedIn>
  );
});

/** What the fields of an entry are called; others by their names. */
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
};

/** An entry's JSON as words, without what is empty. */
function inWords(json: string): string {
  const fields = Object.entries(JSON.parse(json) as Record<string, unknown>);
  const words = fields.flatMap(([name, value]) => {
    if (value === '' || value === null || value === false) return [];
    const text = name === 'until' ? endOf(Number(value)) : textOf(value);
    return [`${FIELDS[name] ?? name}：${text}`];
  });
  return words.length === 0 ? '—' : words.join('，');
}

const textOf = (value: unknown): string =>
  value === true ? '是' : typeof value === 'string' ? value : JSON.stringify(value);

/** Years after which a ban is one for good. */
const FOREVER = 9999;

function endOf(time: number): string {
  const date = new Date(time);
  return date.getFullYear() > FOREVER ? '永久' : formatMinute(date.toISOString());
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

function Export() {
  const { keywords } = readConsolePlace(useStore($query));
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
      <button type="button" className="action" aria-disabled={isBusy} onClick={() => void once(save)}>
        导出 CSV
      </button>
    </p>
  );
}
