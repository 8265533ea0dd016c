import { useEffect, useState } from 'react';
import type { LanguageChoice } from '../../../lib/markdown/code/languages.ts';
import { loadInTime } from '../../ui/lazy.tsx';
import type { Writing } from '../writing/writing.ts';
import { languageChoices, PLAIN } from './language-choices.ts';
import { Picker } from './Picker.tsx';
import { recentPicks, rememberPick } from './recent.ts';

const LIST = 'languages';

export function LanguageDialog({ writing, onClose }: { writing: Writing; onClose(): void }) {
  const current = writing.language;
  const [all, setAll] = useState<readonly LanguageChoice[]>([]);
  const [recent] = useState(() => recentPicks(LIST));
  useEffect(() => {
    loadInTime(() => import('../../../lib/markdown/code/languages.ts')).then(
      ({ listLanguages }) => setAll(listLanguages()),
      // Without the list, a code block without a language can still be inserted.
      () => undefined,
    );
  }, []);
  const isCurrent = ({ id, words }: LanguageChoice) =>
    id === current || (current !== null && current !== '' && words.includes(current.toLowerCase()));
  return (
    <Picker
      title="代码块的语言"
      label="搜索语言"
      placeholder="搜索：js、数据库、命令行……"
      choicesOf={(query) => languageChoices(all, recent, query)}
      emptyOf={(query) =>
        all.length === 0 ? '正在加载……' : `没有叫「${query}」的语言，可以选「${PLAIN.name}」`
      }
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      onPick={({ id }) => {
        rememberPick(LIST, id);
        writing.setLanguage(id);
        // Runs after the dialog has restored focus.
        requestAnimationFrame(() => writing.focus());
      }}
      onClose={onClose}
    >
      {(choice) => (
        <>
          <span className="min-w-0 truncate">{choice.name}</span>
          <span className="ml-auto pl-3 text-soft text-xs whitespace-nowrap">
            {isCurrent(choice) ? '现在' : recent.includes(choice.id) ? '最近' : choice.id}
          </span>
        </>
      )}
    </Picker>
  );
}
