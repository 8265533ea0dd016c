import { useState } from 'react';
import type { CallInput, CallOutput } from '../../../lib/contract/calls/calls.ts';
import { articleUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { QuietButton } from '../../ui/Button.tsx';

type Preview = CallOutput<'wordPreview'>;

/** Shows where words that are not listed yet occur among the newest texts. */
export function WordPreview({ text, category, action }: CallInput<'wordPreview'>) {
  const [preview, setPreview] = useState<{ asked: string; answer: Preview } | null>(null);
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    setPreview(null);
    if (text.trim() === '') return '请先填写词语';
    const answer = await call('wordPreview', { text, category, action }, { quiet: true });
    return setPreview({ asked: text, answer });
  }, '没能预览，请再试一次');
  return (
    <div className="grid gap-2">
      <p>
        <QuietButton
          className="aria-disabled:(opacity-70 cursor-progress)"
          aria-disabled={isBusy}
          onClick={onSubmit}
        >
          {isBusy ? '正在查找…' : '先看会命中什么'}
        </QuietButton>
      </p>
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
      <div aria-live="polite">{preview?.asked === text && <Found preview={preview.answer} />}</div>
    </div>
  );
}

function Found({ preview: { scanned, matched, is_whole, words, samples } }: { preview: Preview }) {
  const missing = words.filter(({ texts }) => texts === 0).map(({ word }) => word);
  return (
    <div className="grid gap-2">
      <p>
        查了最近的 {scanned} 篇文章和评论{is_whole ? '' : '（太长，没有查满一千篇）'}，
        {matched === 0 ? '都没有命中。' : `${matched} 篇命中。`}
      </p>
      {matched > 0 && missing.length > 0 && (
        <p className="text-sm text-soft wrap-anywhere">没有命中的词：{missing.slice(0, 20).join('、')}</p>
      )}
      {samples.length > 0 && (
        <ul
          role="list"
          aria-label="命中的地方"
          className="max-h-80 overflow-y-auto"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keys must scroll it
          tabIndex={0}
        >
          {samples.map(({ kind, _id, article_id, title, is_pending, before, found, after }) => (
            <li key={_id} className="hairline py-2">
              <p className="leading-relaxed wrap-anywhere" dir="auto">
                {before}
                <mark>{found}</mark>
                {after}
              </p>
              <p className="text-sm text-soft wrap-anywhere">
                {kind === 'comment' ? '评论 · ' : ''}
                <a href={articleUrl(article_id)}>
                  <bdi>{title}</bdi>
                </a>
                {is_pending ? ' · 审核中' : ''}
              </p>
            </li>
          ))}
        </ul>
      )}
      {matched > samples.length && <p className="text-sm text-soft">只列出最近的 {samples.length} 篇。</p>}
    </div>
  );
}
