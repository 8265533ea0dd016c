import { Fragment, useState } from 'react';
import type { CallOutput } from '../../../lib/contract/calls/calls.ts';
import { ACTION_NAMES, WORD_ACTIONS } from '../../../lib/contract/rules/moderation.ts';
import { call } from '../../../lib/stores/api.ts';
import { AreaField } from '../../ui/form/LineField.tsx';
import { SubmitButton } from '../../ui/form/FormEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { piecesOf } from './pieces.ts';

type Trial = CallOutput<'wordTrial'>;

/** Shows the listed words in a text, without storing it. */
export function WordTrial() {
  const [text, setText] = useState('');
  const [trial, setTrial] = useState<Trial | null>(null);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    setTrial(await call('wordTrial', { text }, { quiet: true }));
  }, '没能查找，请再试一次');
  return (
    <details className="mt-5">
      <summary className="min-h-11 flex items-center cursor-pointer text-indigo">试一段文字</summary>
      <form aria-label="试一段文字" method="post" className="grid gap-3" onSubmit={onSubmit}>
        <AreaField
          label="文字"
          hint="只查找，不保存。"
          problem={problem}
          rows={3}
          dir="auto"
          value={text}
          onChange={setText}
        />
        <p>
          <SubmitButton action="查找" busy="正在查找…" isBusy={isBusy} className="button-quiet" />
        </p>
      </form>
      <div aria-live="polite">{trial && <Found trial={trial} />}</div>
    </details>
  );
}

const OUTCOMES = {
  reject: '会被拒绝发布。',
  hold: '会等待审核。',
  mask: '评论里会遮盖；文章会等待审核。',
} as const;

function Found({ trial: { text, found } }: { trial: Trial }) {
  const strictest = WORD_ACTIONS.find((action) => found.some((each) => each.action === action));
  if (!strictest) return <p className="mt-3">没有词库里的词。</p>;
  const words = [...new Map(found.map((each) => [each.word, each])).values()];
  return (
    <div className="mt-3 grid gap-2">
      <p>
        找到 {words.length} 个词，{OUTCOMES[strictest]}
      </p>
      <p className="leading-relaxed whitespace-pre-line wrap-anywhere" dir="auto">
        {piecesOf(text, found).map(({ start, text, isFound }) => (
          <Fragment key={start}>{isFound ? <mark>{text}</mark> : text}</Fragment>
        ))}
      </p>
      <ul role="list">
        {words.map(({ word, category, action }) => (
          <li key={word} className="flex flex-wrap items-center gap-x-2 py-1 text-sm">
            <bdi className="wrap-anywhere">{word}</bdi>
            {category !== '' && <span className="text-soft">{category}</span>}
            <span className="badge flex-none">{ACTION_NAMES[action]}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
