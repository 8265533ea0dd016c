import { useState } from 'react';
import { articleUrl, commentUrl } from '../../lib/shared/urls.ts';
import { REPORT_KINDS, REPORT_REASONS, type ReportReason } from '../../lib/contract/rules/report-reasons.ts';
import type { ReportedThing } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { showingChanges } from '../../lib/stores/moderate.ts';
import { noteListed, type Listed } from '../../lib/stores/staff-reads.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { CommentName } from '../comments/CommentName.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Time } from '../ui/Time.tsx';
import { ConsoleList, type ConsoleAsked } from './ConsoleList.tsx';
import { ChangedMark } from './read/ChangedMark.tsx';
import { ReadAction, Reader } from './read/Reader.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { Action } from '../ui/Action.tsx';

const load = async ({ page, pageSize }: ConsoleAsked) => {
  const list = await call('staffReports', { page, pageSize }, { quiet: true });
  noteListed(list.result.flatMap((thing) => listedOf(thing) ?? []));
  return list;
};

/** Null for an account, which the reader does not show. */
function listedOf({ kind, id, version, text }: ReportedThing): Listed | null {
  if (kind === 'user') return null;
  return { kind, _id: id, version, ...(kind === 'article' ? { title: text } : { content: text }) };
}

/** /admin/reports: reported content, one row for each article, comment or user. */
export default forSignedIn(function ReportsPage() {
  return (
    <ConsoleList
      load={load}
      unit="件"
      empty="没有要处理的举报。"
      reader={(things, refresh) => (
        <Reader
          isLive
          refresh={refresh}
          decisions={({ kind, _id }) => {
            const thing = things.find((each) => each.kind === kind && each.id === _id);
            return thing && <Decisions thing={thing} changed={refresh} />;
          }}
        />
      )}
    >
      {(things, { changed }) => (
        <ol role="list" className="mt-2">
          {things.map((thing) => (
            <Row key={`${thing.kind} ${thing.id}`} thing={thing} changed={changed} />
          ))}
        </ol>
      )}
    </ConsoleList>
  );
});

const urlOf = ({ kind, id, page_id }: ReportedThing): string =>
  kind === 'article' ? articleUrl(id) : commentUrl(page_id, id);

const reasonText = (reason: string): string =>
  reason in REPORT_REASONS ? REPORT_REASONS[reason as ReportReason] : reason;

interface RowProps {
  thing: ReportedThing;
  changed: () => void;
}

function Row({ thing, changed }: RowProps) {
  const { kind, id, text, author, reports } = thing;
  const isDeleted = text === '';
  const listed = listedOf(thing);
  return (
    <li className="hairline py-3">
      <p className="leading-relaxed">
        <span className="badge mr-2">{REPORT_KINDS[kind]}</span>
        {isDeleted ? (
          <span className="text-soft">已经不在了</span>
        ) : (
          kind !== 'user' && (
            <a href={urlOf(thing)} className="quiet-link font-600">
              <bdi className="line-clamp-3">{text}</bdi>
            </a>
          )
        )}
      </p>
      {!isDeleted && (
        <p className={kind === 'user' ? '' : 'meta'}>
          <CommentName comment={{ create_user: author, author_name: thing.author_name }} />
        </p>
      )}
      <ul role="list" className="mt-2 border-0 border-l-2 border-solid border-line text-sm">
        {reports.map((report) => (
          <li key={`${report.reporter} ${report.create_time}`} className="pl-3 py-0.5">
            <span className="font-600">{reasonText(report.reason)}</span>
            {report.note !== '' && <bdi className="ml-2">{report.note}</bdi>}
            <span className="ml-2 text-soft">
              <bdi>{report.reporter_name ?? report.reporter}</bdi>
              {report.reporter_name && <bdi> @{report.reporter}</bdi>} ·{' '}
              <span className="whitespace-nowrap">
                <Time iso={report.create_time} />
              </span>
            </span>
          </li>
        ))}
      </ul>
      {listed && <ChangedMark items={[listed]} />}
      <p className="flex flex-wrap justify-end gap-1 mr--2 text-sm whitespace-nowrap">
        {kind !== 'user' && (
          <ReadAction kind={kind} _id={id} name={`被举报的${REPORT_KINDS[kind]}：${text}`} />
        )}
        <Decisions thing={thing} changed={changed} />
      </p>
    </li>
  );
}

const ACTIONS = { hide: '隐藏', delete: '删除' } as const;

/** Buttons that decide the reports of an item. */
function Decisions({ thing, changed }: RowProps) {
  const [action, setAction] = useState<keyof typeof ACTIONS | null>(null);
  const { kind, id, text, version, report_num } = thing;
  const isDeleted = text === '';
  const listed = listedOf(thing);
  const decide = async (chosen: keyof typeof ACTIONS | null, reason: string) => {
    const fields = { kind, id, version, report_num, reason, ...(chosen ? { action: chosen } : {}) };
    const answer = listed
      ? await showingChanges([listed], async ([read]) => {
          await call('reportDecide', { ...fields, version: read?.version ?? version }, { quiet: true });
          return {};
        })
      : await call('reportDecide', fields).catch(() => null);
    if (answer) showNotice(chosen ? '已处理，作者会看到理由' : '已忽略');
    changed();
  };
  const ask = (chosen: keyof typeof ACTIONS) => {
    setAction(chosen);
    // The dialog announces what has changed since.
    changed();
  };
  return (
    <>
      <Action label={`忽略对${REPORT_KINDS[kind]}的举报：${text}`} onClick={() => void decide(null, '')}>
        忽略
      </Action>
      {kind === 'user' && !isDeleted && (
        <a href={`/admin/users?q=${encodeURIComponent(text)}`} className="action">
          去处理
        </a>
      )}
      {listed && !isDeleted && (
        <>
          <Action isDangerous onClick={() => ask('hide')}>
            {ACTIONS.hide}
          </Action>
          <Action isDangerous onClick={() => ask('delete')}>
            {ACTIONS.delete}
          </Action>
        </>
      )}
      {listed && action && (
        <ReasonDialog
          title={`${ACTIONS[action]}被举报的${REPORT_KINDS[kind]}`}
          action={ACTIONS[action]}
          hint="作者会看到这个理由。一次处理这件内容的全部举报。"
          onClose={() => setAction(null)}
          onGiven={(reason) => decide(action, reason)}
        >
          <ChangedMark items={[listed]} />
        </ReasonDialog>
      )}
    </>
  );
}
