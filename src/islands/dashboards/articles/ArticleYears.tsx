import { yearId } from '../../../lib/shared/ids.ts';
import { formatMinute } from '../../../lib/shared/time.ts';
import { articleUrl } from '../../../lib/shared/urls.ts';
import type { ArticleListItem } from '../../../lib/contract/entities.ts';
import { ArticleActions } from './ArticleActions.tsx';
import { byYear } from './by-year.ts';
import { OwnFacts } from '../OwnFacts.tsx';
import { SelectBox } from '../../ui/paged/Selection.tsx';
import { Mark } from './Mark.tsx';
import type { OwnRows } from './OwnList.tsx';
import { ScheduleNote } from './ScheduleNote.tsx';
import { StateNote } from './StateNote.tsx';

/**
 * Articles grouped by year, with the years in the margin of wide screens as in public lists. Without years if
 * sorted by anything but time.
 */
export function ArticleYears({ articles, ...rest }: OwnRows) {
  if (rest.place.sort !== '')
    return (
      <ol role="list">
        {articles.map((article) => (
          <Row key={article._id} article={article} isDated {...rest} />
        ))}
      </ol>
    );
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
          <Row key={article._id} article={article} {...rest} />
        ))}
      </ol>
    </section>
  ));
}

interface RowProps extends Omit<OwnRows, 'articles'> {
  article: ArticleListItem;
  /** Whether to show the year, for lists without year headings. */
  isDated?: boolean;
}

function Row({ article, place, selection, isDated = false, changed }: RowProps) {
  const { _id, title, address, create_time, secret, moderation_note, change_note } = article;
  const minute = formatMinute(create_time);
  return (
    <li className="hairline py-2 flex items-start gap-x-2">
      <SelectBox id={_id} title={title} selection={selection} />
      <div className="flex-1 min-w-0 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 sm:(grid-cols-[auto_minmax(0,1fr)_auto] items-baseline)">
        <p className="col-span-2 pt-2.5 leading-relaxed text-pretty sm:(col-span-1 col-start-2 row-start-1 pb-1)">
          <a href={articleUrl(_id, address)} className="quiet-link">
            <bdi>{title || '无标题'}</bdi>
          </a>
          {secret && <Mark>私密</Mark>}
          <ScheduleNote schedule={article.schedule} />
          <StateNote note={moderation_note} />
          <StateNote note={change_note} />
        </p>
        {/* Below a year heading, always show the date, even for recent articles. */}
        <time
          dateTime={create_time}
          title={minute}
          className="min-w-12 text-sm text-soft tabular-nums sm:row-start-1"
        >
          {minute.slice(isDated ? 0 : 'YYYY-'.length, 'YYYY-MM-DD'.length)}
        </time>
        <ArticleActions id={_id} title={title} onRemoved={changed} />
        <OwnFacts article={article} place={place} className="sm:col-start-2" />
      </div>
    </li>
  );
}
