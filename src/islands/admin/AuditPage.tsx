import { formatMinute } from '../../lib/shared/time.ts';
import { userUrl } from '../../lib/shared/urls.ts';
import { AUDIT_ACTIONS, auditAccount, auditText } from '../../lib/contract/rules/audit.ts';
import type { AuditItem } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { saveFile } from '../../lib/stores/save-file.ts';
import { Time } from '../ui/Time.tsx';
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

function Row({ item }: { item: AuditItem }) {
  const { actor, action, create_time, before, after, subject_kind, subject_name } = item;
  const account = auditAccount({ before, current: subject_name });
  const texts = [before, after].map((facts) => auditText(subject_kind, facts, formatMinute));
  return (
    <li className="hairline py-3 text-sm">
      <p className="leading-relaxed">
        <bdi className="font-600">{actor === '' ? '命令行' : actor}</bdi>
        <span className="ml-2">{ACTIONS[action] ?? `其他操作（${action}）`}</span>
        {account !== null && (
          <a className="ml-2 quiet-link" href={userUrl(account)}>
            <bdi>{account}</bdi>
          </a>
        )}
        <span className="ml-2 text-soft">
          <Time iso={create_time} />
        </span>
      </p>
      <p className="text-soft break-words line-clamp-4" dir="auto">
        {texts.filter((text) => text !== '').join(' → ')}
      </p>
    </li>
  );
}

function Export({ keywords }: { keywords: string }) {
  const save = async () => {
    const answer = await call('auditExport', { keywords }).catch(() => null);
    if (answer) saveFile('audit.csv', answer.csv, 'text/csv');
  };
  return (
    <p className="text-right text-sm">
      <Action work={save}>导出 CSV</Action>
    </p>
  );
}
