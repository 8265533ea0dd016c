import { useState } from 'react';
import { articleUrl, commentUrl, userUrl } from '../../lib/shared/urls.ts';
import { REPORT_KINDS, REPORT_REASONS, type ReportReason } from '../../lib/contract/rules/report-reasons.ts';
import type { ReportedThing } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { showingChanges } from '../../lib/stores/moderate.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { ConsoleList, type ConsoleAsked } from './ConsoleList.tsx';
import { ChangedMark, RefusedItem } from './read/ChangedMark.tsx';
import { ReadAction } from './read/ReadAction.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { Action } from '../ui/Action.tsx';

const load = ({ page, pageSize }: ConsoleAsked) => call('staffReports', { page, pageSize }, { quiet: true });

/** /admin/reports: reported content, one row for each article, comment or user. */
export default forSignedIn(function ReportsPage() {
  return (
    <ConsoleList load={load} unit="件" empty="没有要处理的举报。">
      {(things, { changed }) => (
        <>
          <RefusedItem />
          <ol role="list" className="mt-2">
            {things.map((thing) => (
              <Row key={`${thing.kind} ${thing.id}`} thing={thing} changed={changed} />
            ))}
          </ol>
        </>
      )}
    </ConsoleList>
  );
});

function urlOf({ kind, id, page_id, author }: ReportedThing): string {
  if (kind === 'user') return userUrl(author);
  return kind === 'article' ? articleUrl(id) : commentUrl(page_id, id);
}

const reasonText = (reason: string): string =>
  reason in REPORT_REASONS ? REPORT_REASONS[reason as ReportReason] : reason;

function Row({ thing, changed }: { thing: ReportedThing; changed: () => void }) {
  const [action, setAction] = useState<'hide' | 'delete' | null>(null);
  const { kind, id, text, author, version, report_num, reports } = thing;
  const isDeleted = text === '';
  const decide = async (chosen: 'hide' | 'delete' | null, reason: string) => {
    const fields = { kind, id, version, report_num, reason, ...(chosen ? { action: chosen } : {}) };
    const answer =
      kind === 'user'
        ? await call('reportDecide', fields).catch(() => null)
        : await showingChanges([{ kind, _id: id, version }], async ([read]) => {
            await call('reportDecide', { ...fields, version: read?.version ?? version }, { quiet: true });
            return {};
          });
    if (answer) showNotice(chosen ? '已处理，作者会看到理由' : '已忽略');
    changed();
  };
  return (
    <li className="hairline py-3">
      <p className="leading-relaxed">
        <span className="badge mr-2">{REPORT_KINDS[kind]}</span>
        {isDeleted ? (
          <span className="text-soft">已经不在了</span>
        ) : (
          <a href={urlOf(thing)} className="quiet-link font-600">
            <bdi className="line-clamp-3">{text}</bdi>
          </a>
        )}
      </p>
      {!isDeleted && kind !== 'user' && (
        <p className="meta">
          <a href={userUrl(author)} className="quiet-link inline-flex items-center min-h-11">
            <bdi>{author}</bdi>
          </a>
        </p>
      )}
      <ul role="list" className="mt-2 pl-3 border-0 border-l-2 border-solid border-line text-sm">
        {reports.map((report) => (
          <li key={report.reporter} className="py-0.5">
            <span className="font-600">{reasonText(report.reason)}</span>
            {report.note !== '' && <bdi className="ml-2">{report.note}</bdi>}
            <span className="ml-2 text-soft">
              <bdi>{report.reporter}</bdi> · <Time iso={report.create_time} />
            </span>
          </li>
        ))}
      </ul>
      {kind !== 'user' && <ChangedMark item={{ kind, _id: id, version }} />}
      <p className="flex flex-wrap justify-end gap-1 mr--2 text-sm whitespace-nowrap">
        {kind !== 'user' && (
          <ReadAction kind={kind} id={id} name={`被举报的${REPORT_KINDS[kind]}：${text}`} />
        )}
        <Action label={`忽略对${REPORT_KINDS[kind]}的举报：${text}`} onClick={() => void decide(null, '')}>
          忽略
        </Action>
        {kind === 'user' && !isDeleted && (
          <a href={`/admin/users?q=${encodeURIComponent(text)}`} className="action">
            去处理
          </a>
        )}
        {kind !== 'user' && !isDeleted && (
          <>
            <Action isDangerous onClick={() => setAction('hide')}>
              隐藏
            </Action>
            <Action isDangerous onClick={() => setAction('delete')}>
              删除
            </Action>
          </>
        )}
      </p>
      {action && (
        <ReasonDialog
          title={`${action === 'hide' ? '隐藏' : '删除'}被举报的${REPORT_KINDS[kind]}`}
          action={action === 'hide' ? '隐藏' : '删除'}
          hint="作者会看到这个理由。一次处理这件内容的全部举报。"
          onClose={() => setAction(null)}
          onGiven={(reason) => decide(action, reason)}
        />
      )}
    </li>
  );
}
