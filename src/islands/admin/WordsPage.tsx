import { useRef, useState } from 'react';
import type { Word } from '../../lib/contract/calls/moderation-calls.ts';
import {
  ACTION_NAMES,
  WORD_ACTIONS,
  WORD_BOUNDS,
  type WordAction,
} from '../../lib/contract/rules/moderation.ts';
import { goTo } from '../../lib/stores/account/address.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice, showUndo } from '../../lib/stores/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Choice, Select } from '../ui/form/Choice.tsx';
import { AreaField, LineField } from '../ui/form/LineField.tsx';
import { SubmitButton } from '../ui/form/SubmitButton.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { PagedList } from '../ui/paged/PagedList.tsx';
import { placeQuery } from '../ui/paged/place.ts';
import { SearchField } from '../ui/paged/SearchField.tsx';
import { SelectBox, SelectionBar } from '../ui/paged/Selection.tsx';
import type { Asked } from '../ui/paged/use-paged-list.ts';
import { useOnce } from '../ui/use-once.ts';
import { Action } from '../ui/Action.tsx';

const FILTERS = { q: 'keywords', action: WORD_ACTIONS } as const;

const load = (asked: Asked<typeof FILTERS>) => call('wordList', { ...asked, category: '' }, { quiet: true });

export default forSignedIn(function WordsPage() {
  return (
    <PagedList
      filters={FILTERS}
      load={load}
      head={(place, refresh) => (
        <>
          <p className="text-sm text-soft leading-relaxed">
            全角、零宽字符、标点、空格、繁体等变形都会认出来，不必逐一添加。写的都是普通文字，不是表达式。
            站务和站长的内容不受限制。
          </p>
          <AddWords onAdded={refresh} />
          <SearchField label="搜索词库" place={place} className="mt-6 flex-wrap">
            <Select
              aria-label="处理方式"
              className="field !w-auto"
              value={place.action}
              options={{ '': '全部处理方式', ...ACTION_NAMES }}
              onChange={(action) => goTo(placeQuery({ ...place, page: 1, action }))}
            />
          </SearchField>
        </>
      )}
      summary={(total) => `共 ${total} 个词`}
      empty={({ q, action }) => (
        <EmptyState message={q !== '' || action !== '' ? '没有符合条件的词。' : '词库是空的。'} />
      )}
    >
      {(words, { changed, selection }) => (
        <>
          <SelectionBar items={words} idOf={({ _id }) => _id} selection={selection} unit="个">
            {(chosen) => <RemoveWords words={chosen} onChange={changed} />}
          </SelectionBar>
          <ol role="list">
            {words.map((word) => (
              <li key={word._id} className="hairline flex items-center gap-x-2 py-1">
                <SelectBox id={word._id} title={word.word} selection={selection} />
                <bdi className="flex-1 min-w-0 break-words">{word.word}</bdi>
                {word.category !== '' && (
                  <span className="text-sm text-soft truncate max-w-24">{word.category}</span>
                )}
                <span className="badge flex-none">{ACTION_NAMES[word.action]}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </PagedList>
  );
});

/** Adds words, one per line, with a common category and action. */
function AddWords({ onAdded }: { onAdded: () => void }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [words, setWords] = useState('');
  const [category, setCategory] = useState('');
  const [action, setAction] = useState<WordAction>('hold');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    try {
      const { added, changed } = await call('wordAdd', { words, category, action }, { quiet: true });
      setWords('');
      showNotice(`添加了 ${added} 个词${changed > 0 ? `，更新了 ${changed} 个` : ''}`);
      onAdded();
    } catch (error) {
      area.current?.focus();
      throw error;
    }
  }, '没有添加成功，请再试一次');
  return (
    <form aria-label="添加词语" method="post" className="mt-4 grid gap-3" onSubmit={onSubmit}>
      <AreaField
        ref={area}
        label="词语，一行一个"
        problem={problem}
        rows={4}
        dir="auto"
        value={words}
        onChange={setWords}
      />
      <div className="flex flex-wrap items-end gap-3">
        <Choice label="出现时" value={action} options={ACTION_NAMES} onChange={setAction} />
        <div className="flex-1 min-w-32">
          <LineField
            label="分类（可不填）"
            maxLength={WORD_BOUNDS.category[1]}
            value={category}
            onChange={setCategory}
          />
        </div>
        <SubmitButton action="添加" busy="正在添加…" isBusy={isBusy} className="button flex-none" />
      </div>
    </form>
  );
}

function RemoveWords({ words, onChange }: { words: readonly Word[]; onChange: () => void }) {
  const [isBusy, once] = useOnce();
  const putBack = async () => {
    for (const { word, category, action } of words)
      await call('wordAdd', { words: word, category, action }).catch(() => null);
    onChange();
  };
  const remove = () =>
    once(async () => {
      const { removed } = await call('wordRemove', { ids: words.map(({ _id }) => _id) });
      onChange();
      showUndo(`移除了 ${removed} 个词`, putBack);
    });
  return (
    <Action isDangerous disabled={isBusy} onClick={() => void remove()}>
      移除
    </Action>
  );
}
