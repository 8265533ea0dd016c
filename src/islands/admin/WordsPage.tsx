import type { Word } from '../../lib/contract/calls/moderation-calls.ts';
import { ACTION_NAMES, LIST_ACTIONS, type ListAction } from '../../lib/contract/rules/moderation.ts';
import { goTo } from '../../lib/stores/account/address.ts';
import { call } from '../../lib/stores/api.ts';
import { showUndo } from '../../lib/stores/toasts.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { Select } from '../ui/form/Choice.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { PagedList } from '../ui/paged/PagedList.tsx';
import { placeQuery, type Asked } from '../ui/paged/place.ts';
import { SearchField } from '../ui/paged/SearchField.tsx';
import { SelectBox, SelectionBar } from '../ui/paged/Selection.tsx';
import { Action } from '../ui/Action.tsx';
import { saveFile } from '../../lib/stores/save-file.ts';
import { AddWords } from './words/AddWords.tsx';
import { WordTrial } from './words/WordTrial.tsx';

const FILTERS = { q: 'keywords', action: LIST_ACTIONS } as const;

const load = (asked: Asked<typeof FILTERS>) => call('wordList', { ...asked, category: '' }, { quiet: true });

export default forSignedIn(function WordsPage() {
  return (
    <PagedList
      filters={FILTERS}
      load={load}
      head={(place, refresh) => (
        <>
          <p className="text-sm text-soft leading-relaxed">
            按字查找，前后是什么字都算：「毒品」也会命中「消毒品牌」，不该命中的把「消毒品」加为例外。全角、零宽字符、标点、空格、繁体等变形都会认出来，不必逐一添加；英文和数字要整个词相同。写的都是普通文字，不是表达式。站务和站长的内容不受限制。
          </p>
          <AddWords onAdded={refresh} />
          <WordTrial />
          <SearchField label="搜索词库" place={place} className="mt-6 flex-wrap">
            <Select
              aria-label="处理方式"
              className="field !w-auto"
              value={place.action}
              options={{ '': '所有的词', ...ACTION_NAMES }}
              onChange={(action) => goTo(placeQuery({ ...place, page: 1, action }))}
            />
          </SearchField>
        </>
      )}
      summary={(total, { action }) => `共 ${total} 个${action === 'except' ? '例外' : '词'}`}
      empty={({ q, action }) => <EmptyState message={emptyText(q, action)} />}
    >
      {(words, { changed, selection, place }) => (
        <>
          <Export q={place.q} action={place.action} />
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

function emptyText(q: string, action: ListAction | ''): string {
  if (action === 'except') return q === '' ? '还没有例外。' : '没有符合条件的例外。';
  return q !== '' || action !== '' ? '没有符合条件的词。' : '词库是空的。';
}

function Export({ q, action }: { q: string; action: ListAction | '' }) {
  const save = async () => {
    const answer = await call('wordExport', { q, action, category: '' }).catch(() => null);
    if (answer) saveFile('words.txt', answer.text, 'text/plain');
  };
  return (
    <p className="text-right text-sm">
      <Action work={save}>{q === '' && action === '' ? '导出词库' : '导出这些词'}</Action>
    </p>
  );
}

function RemoveWords({ words, onChange }: { words: readonly Word[]; onChange: () => void }) {
  const putBack = async () => {
    for (const { word, category, action } of words)
      await call('wordAdd', { words: word, category, action }).catch(() => null);
    onChange();
  };
  const remove = async () => {
    const { removed } = await call('wordRemove', { ids: words.map(({ _id }) => _id) });
    onChange();
    showUndo(`移除了 ${removed} 个词`, putBack);
  };
  return (
    <Action isDangerous work={remove}>
      移除
    </Action>
  );
}
