import { useStore } from '@nanostores/react';
import { formatMinute } from '../../lib/shared/time.ts';
import type { Overview } from '../../lib/contract/calls/staff-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { $staffCounts } from '../../lib/stores/staff-counts.ts';
import { Section } from '../ui/Section.tsx';
import { consoleAnswer } from './console-answer.tsx';
import { sizeOf } from './settings/size-of.ts';
import { DAY_S, HOUR_S } from '../../lib/contract/rules/units.ts';

export default consoleAnswer(
  () => call('staffOverview', {}, { quiet: true }),
  (overview) => <Counts overview={overview} />,
);

const numbers = new Intl.NumberFormat('zh-CN');

function Waiting({ waiting }: Pick<Overview, 'waiting'>) {
  // Live counts if the socket is connected, else from the response.
  const counts = useStore($staffCounts);
  const rows = [
    ['/admin/held', '等待审核', counts.held ?? waiting.held],
    ['/admin/reports', '要处理的举报', counts.reports ?? waiting.reports],
  ] as const;
  return (
    <ul role="list" className="mt-4 flex flex-wrap gap-x-8">
      {rows.map(([href, text, count]) => (
        <li key={href}>
          <a href={href} className="quiet-link inline-flex items-center gap-2 min-h-11">
            {text}
            <span className={`tabular-nums font-600 ${count > 0 ? 'text-vermilion' : 'text-soft'}`}>
              {numbers.format(count)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}

const limitOf = ({ picture_limit: limit = null, is_near_limit: isNear }: Overview['storage']): string =>
  limit === null ? '' : `（上限 ${sizeOf(limit)}${isNear ? '，快用完了' : ''}）`;

const factsOf = ({ recent, total, storage }: Overview): [name: string, value: string, more: string][] => [
  ['公开的文章', numbers.format(total.articles), `近七天新增 ${numbers.format(recent.articles)}`],
  ['评论', numbers.format(total.comments), `近七天新增 ${numbers.format(recent.comments)}`],
  ['账号', numbers.format(total.users), `近七天新增 ${numbers.format(recent.users)}`],
  [
    '占用空间',
    sizeOf(storage.database_bytes + storage.picture_bytes),
    `数据库 ${sizeOf(storage.database_bytes)}，图片 ${sizeOf(storage.picture_bytes)}${limitOf(storage)}`,
  ],
];

const COUNTED = [
  ['articles', '文章'],
  ['comments', '评论'],
  ['users', '账号'],
] as const;

function Days({ days }: Pick<Overview, 'days'>) {
  return (
    <Section title="近七天">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-soft text-left">
            <th scope="col" className="py-2 font-400">
              日期
            </th>
            {COUNTED.map(([name, text]) => (
              <th key={name} scope="col" className="py-2 font-400 text-right">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.day} className="hairline">
              <th scope="row" className="py-2 font-400 text-left">
                <time dateTime={day.day}>{day.day.slice(5).replace('-', '月')}日</time>
              </th>
              {COUNTED.map(([name]) => (
                <td key={name} className={`py-2 text-right ${day[name] === 0 ? 'text-soft' : ''}`}>
                  {numbers.format(day[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function Backup({ backup }: Pick<Overview, 'backup'>) {
  const { every, time, bytes, error, place, is_late } = backup;
  return (
    <Section title="备份" className="mb-16">
      {time === null ? (
        <p>还没有备份过。</p>
      ) : (
        <p>
          上次备份：{formatMinute(time)}，{sizeOf(bytes)}
        </p>
      )}
      {is_late && (
        <p className="mt-1 text-vermilion">
          {error === '' ? '备份没有按时完成，请检查。' : '上次备份没有成功，请检查。'}
        </p>
      )}
      {error !== '' && <p className="mt-1 text-sm text-soft wrap-anywhere">{error}</p>}
      <p className="mt-1 text-sm text-soft wrap-anywhere">
        {every === null
          ? '没有开启自动备份，站长可以在「设置 → 备份」里开启。'
          : `每 ${spanOf(every)}自动备份一次${place === '' ? '' : `，存到 ${place}`}`}
      </p>
    </Section>
  );
}

function spanOf(seconds: number): string {
  if (seconds % DAY_S === 0) return `${seconds / DAY_S} 天`;
  if (seconds % HOUR_S === 0) return `${seconds / HOUR_S} 小时`;
  return seconds < HOUR_S
    ? `${Math.max(1, Math.round(seconds / 60))} 分钟`
    : `${(seconds / HOUR_S).toFixed(1)} 小时`;
}

function Counts({ overview }: { overview: Overview }) {
  return (
    <>
      <Waiting waiting={overview.waiting} />
      <dl className="mt-4 grid grid-cols-2 gap-x-8 gap-y-6">
        {factsOf(overview).map(([name, value, more]) => (
          <div key={name} className="hairline pt-3">
            <dt className="text-sm text-soft">{name}</dt>
            <dd className="m-0 mt-1 text-xl font-600 tabular-nums">{value}</dd>
            <dd className="m-0 text-sm text-soft">{more}</dd>
          </div>
        ))}
      </dl>
      <Days days={overview.days} />
      <Backup backup={overview.backup} />
    </>
  );
}
