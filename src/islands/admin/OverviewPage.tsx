import { useStore } from '@nanostores/react';
import { useEffect, useMemo, type ReactNode } from 'react';
import type { Overview } from '../../lib/contract/staff-calls.ts';
import { createAnswer } from '../../lib/stores/answer.ts';
import { call } from '../../lib/stores/api.ts';
import { SignedIn } from '../dashboards/SignedIn.tsx';
import { island } from '../ui/island.tsx';
import { Problem } from './Problem.tsx';

const ask = () => call('staffOverview', {}, { quiet: true });

/** /admin: what is new on the site, and what waits. */
export default island(function OverviewPage({ children }: { children?: ReactNode }) {
  return <SignedIn waiting={children}>{(username) => <Counts key={username} waiting={children} />}</SignedIn>;
});

const numbers = new Intl.NumberFormat('zh-CN');
const MIB = 1024 * 1024;

const sizeOf = (bytes: number): string =>
  bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MB` : `${(bytes / MIB / 1024).toFixed(2)} GB`;

const waitsOf = ({ waiting }: Overview): [href: string, text: string, count: number][] => [
  ['/admin/held', '等待审核', waiting.held],
  ['/admin/reports', '要处理的举报', waiting.reports],
];

const factsOf = ({
  recent,
  total,
  stored_bytes,
}: Overview): [name: string, value: string, more: string][] => [
  ['公开的文章', numbers.format(total.articles), `近七天新增 ${numbers.format(recent.articles)}`],
  ['评论', numbers.format(total.comments), `近七天新增 ${numbers.format(recent.comments)}`],
  ['账号', numbers.format(total.users), `近七天新增 ${numbers.format(recent.users)}`],
  ['占用空间', sizeOf(stored_bytes), '正文、历史版本和图片'],
];

function Counts({ waiting }: { waiting: ReactNode }) {
  const answer = useMemo(() => createAnswer(ask), []);
  const { data, problem } = useStore(answer.$answer);
  useEffect(() => void answer.load(), [answer]);
  return (
    <>
      <Problem text={problem} onRetry={() => void answer.load()} />
      {!data && problem === '' && waiting}
      {data && (
        <ul role="list" className="mt-4 flex flex-wrap gap-x-8">
          {waitsOf(data).map(([href, text, count]) => (
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
      )}
      {data && (
        <dl className="mt-4 mb-16 grid grid-cols-2 gap-x-8 gap-y-6">
          {factsOf(data).map(([name, value, more]) => (
            <div key={name} className="hairline pt-3">
              <dt className="text-sm text-soft">{name}</dt>
              <dd className="m-0 mt-1 text-xl font-600 tabular-nums">{value}</dd>
              <dd className="m-0 text-sm text-soft">{more}</dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
