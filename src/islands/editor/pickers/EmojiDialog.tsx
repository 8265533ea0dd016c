import { useEffect, useState } from 'react';
import type { Emoji } from '../emoji/emojis.ts';
import { findEmojis, loadEmojis } from '../emoji/load.ts';
import type { Writing } from '../writing/writing.ts';
import { Picker } from './Picker.tsx';
import { recentPicks, rememberPick } from './recent.ts';

const LIST = 'emoji';
const MAX_EMOJIS = 120;

export default function EmojiDialog({ writing, onClose }: { writing: Writing; onClose(): void }) {
  const [all, setAll] = useState<readonly Emoji[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [recent] = useState(() => recentPicks(LIST));
  useEffect(() => {
    loadEmojis().then(setAll, () => setFailed(true));
  }, []);
  const missing = (query: string) => {
    if (hasFailed) return '表情没有加载出来，可能是网络不稳，请关上再打开';
    return all.length === 0 ? '正在加载……' : `没有叫「${query}」的表情`;
  };
  return (
    <Picker
      title="插入表情"
      label="搜索表情"
      placeholder="搜索：开心、心、heart……"
      choicesOf={(query) => choicesOf(all, recent, query)}
      emptyOf={missing}
      keyOf={({ sign }) => sign}
      nameOf={({ name }) => name}
      onPick={({ sign }) => {
        rememberPick(LIST, sign);
        // Runs after the dialog has restored focus.
        requestAnimationFrame(() => writing.insert(sign));
      }}
      onClose={onClose}
    >
      {({ sign, name }, query) => (
        <>
          <span className="mr-3 text-xl leading-none" aria-hidden="true">
            {sign}
          </span>
          <span className="min-w-0 truncate">{name}</span>
          {query === '' && recent.includes(sign) && (
            <span className="ml-auto pl-3 text-soft text-xs whitespace-nowrap">最近</span>
          )}
        </>
      )}
    </Picker>
  );
}

/** Returns the matches of a query; without one, recently picked emoji first, then all others in order. */
function choicesOf(all: readonly Emoji[], recent: readonly string[], query: string): Emoji[] {
  if (query !== '') return findEmojis(all, query).slice(0, MAX_EMOJIS);
  const last = recent.flatMap((sign) => all.find((each) => each.sign === sign) ?? []);
  return [...last, ...all.filter(({ sign }) => !recent.includes(sign))].slice(0, MAX_EMOJIS);
}
