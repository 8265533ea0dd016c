import { useState, type ReactNode } from 'react';
import { cleanKeywords } from '../../../lib/shared/urls.ts';
import { goTo } from '../../../lib/stores/account/address.ts';
import type { Place } from '../../../lib/stores/paged-list.ts';
import { isComposing } from '../form/composition.ts';
import { placeQuery } from './place.ts';
import { QuietButton } from '../Button.tsx';

interface Props<P> {
  label: string;
  place: P;
  className: string;
  /** Other filters, before the button. */
  children?: ReactNode;
}

/** Search within a list. Clearing the field ends the search. */
export function SearchField<P extends Place & { q: string }>(props: Props<P>) {
  const { label, place, className, children } = props;
  const [typed, setTyped] = useState({ after: place.q, text: place.q });
  // Back and forward navigation replaces the text with the keywords in the URL.
  const text = typed.after === place.q ? typed.text : place.q;
  const go = (q: string) => goTo(placeQuery({ ...place, page: 1, q }));
  const search = () => go(cleanKeywords(text));
  return (
    <search className={`flex gap-3 ${className}`}>
      <input
        type="search"
        className={`field flex-1 ${children ? 'min-w-40' : 'min-w-0'}`}
        aria-label={label}
        placeholder={label}
        maxLength={100}
        value={text}
        onChange={({ target }) => {
          setTyped({ after: place.q, text: target.value });
          if (target.value === '' && place.q !== '') go('');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !isComposing(event)) search();
        }}
      />
      {children}
      <QuietButton className="flex-none" onClick={search}>
        搜索
      </QuietButton>
    </search>
  );
}
