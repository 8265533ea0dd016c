import type { ArticleListItem } from '../../lib/contract/entities.ts';
import { yearId } from '../../components/ids.ts';
import { formatMinute } from '../../components/time.ts';
import { articleUrl } from '../../components/urls.ts';
import { ArticleActions } from './ArticleActions.tsx';
import { ScheduleNote } from './ScheduleNote.tsx';
import { byYear } from './by-year.ts';

interface Props {
  articles: readonly ArticleListItem[];
  onRemoved: () => void;
}

/** Articles under their years, which stand in the margin of wide screens, as in the public lists. */
export function ArticleYears({ articles, onRemoved }: Props) {
  return byYear(articles, (iso) => formatMinute(iso)).map(({ year, items }) => (
    <section key={year} aria-labelledby={yearId(year)} className="relative">
      <h2
        id={yearId(year)}
        className="pt-6 pb-2 text-lg font-600 tabular-nums lg:(absolute right-full mr-10 py-0 top-3.5 text-soft font-400 whitespace-nowrap)"
      >
        {year}
      </h2>
      <ol role="list">
        {items.map((article) => (
          <Row key={article._id} article={article} onRemoved={onRemoved} />
        ))}
      </ol>
    </section>
  ));
}

function Row({ article, onRemoved }: Omit<Props, 'articles'> & { article: ArticleListItem }) {
  const { _id, title, create_time, secret } = article;
  const minute = formatMinute(create_time);
  return (
    <li className="hairline py-2 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:(grid-cols-[3rem_minmax(0,1fr)_auto] items-baseline)">
      <p className="col-span-2 pt-1 leading-relaxed text-pretty sm:(col-span-1 col-start-2 row-start-1 pt-0 pb-1)">
        <a href={articleUrl(_id)} className="quiet-link">
          <bdi>{title || '无标题'}</bdi>
        </a>
        {secret && <span className="badge ml-2 align-middle">私密</span>}
        <ScheduleNote schedule={article.schedule} />
      </p>
      {/* Below its year a day is a day, however near. */}
      <time dateTime={create_time} title={minute} className="text-sm text-soft sm:row-start-1">
        {minute.slice('YYYY-'.length, 'YYYY-MM-DD'.length)}
      </time>
      <ArticleActions id={_id} title={title} onRemoved={onRemoved} />
    </li>
  );
}
