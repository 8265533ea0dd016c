import { useRef, useState } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import type { CallOutput } from '../../../lib/contract/calls/calls.ts';
import { ACTION_NAMES, WORD_BOUNDS, type ListAction } from '../../../lib/contract/rules/moderation.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { AreaField, LineField } from '../../ui/form/LineField.tsx';
import { SubmitButton } from '../../ui/form/FormEnd.tsx';
import { useSubmit } from '../../ui/form/use-submit.ts';
import { useOnce } from '../../ui/use-once.ts';
import { WordPreview } from './WordPreview.tsx';
import { QuietButton } from '../../ui/Button.tsx';

type Imported = CallOutput<'wordImport'>;

const FAILED = '没有添加成功，请再试一次';

/** Adds words, one per line, typed or from a file, with a common category and action. */
export function AddWords({ onAdded }: { onAdded: () => void }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [category, setCategory] = useState('');
  const [action, setAction] = useState<ListAction>('hold');
  const [refused, setRefused] = useState<Imported | null>(null);
  const [fileProblem, setFileProblem] = useState('');
  const [isReading, once] = useOnce();
  const clear = () => {
    setFileProblem('');
    setRefused(null);
  };
  const add = async (text: string) => {
    const done = await call('wordImport', { text, category, action }, { quiet: true });
    setRefused(done.problem_num > 0 ? done : null);
    const unit = action === 'except' ? '例外' : '词';
    showNotice(`添加了 ${done.added} 个${unit}${done.changed > 0 ? `，更新了 ${done.changed} 个` : ''}`);
    onAdded();
    return done;
  };
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    clear();
    try {
      await add(words);
      setWords('');
    } catch (error) {
      area.current?.focus();
      throw error;
    }
  }, FAILED);
  const readFile = async (file: File) => {
    clear();
    try {
      await add(await textOf(file));
    } catch (error) {
      setFileProblem(error instanceof NotText ? error.message : explain(error, FAILED));
    }
  };
  return (
    <form aria-label="添加词语" method="post" className="mt-4 grid gap-3" onSubmit={onSubmit}>
      <AreaField
        ref={area}
        label="词语，一行一个"
        hint="词语后面可以用制表符或逗号隔开，写上处理方式和分类，不写就用下面选的。文件也是这样一行一个。"
        problem={problem || fileProblem}
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
        <QuietButton className="flex-none" aria-disabled={isReading} onClick={() => input.current?.click()}>
          {isReading ? '正在读入…' : '从文件读入'}
        </QuietButton>
        <FileInput
          ref={input}
          accept=".txt,.csv,.tsv,text/plain"
          label="词语文件"
          onFile={(file) => void once(() => readFile(file))}
        />
      </div>
      {action === 'except' && (
        <p className="text-sm text-soft leading-relaxed">
          词库里的词出现在例外里面时不算命中：词是「法轮」，例外是「法轮机」，文中的「法轮机」就没有命中。
        </p>
      )}
      <WordPreview text={words} category={category} action={action} />
      {refused && <Refused imported={refused} />}
    </form>
  );
}

class NotText extends Error {
  override message = '不是文本文件，或者用了认不出的编码';
}

/** Text of a file in UTF-8, UTF-16 or GB18030. @throws NotText */
async function textOf(file: File): Promise<string> {
  const { decode } = await import('../../../lib/markdown-file/decode.ts');
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return decode(bytes).text;
  } catch {
    throw new NotText();
  }
}

/** Lines that were not listed, and why. */
function Refused({ imported: { problems, problem_num } }: { imported: Imported }) {
  return (
    <div aria-live="polite" className="text-sm">
      <p>
        有 {problem_num} 行没有添加
        {problem_num > problems.length && `，下面是前 ${problems.length} 行`}：
      </p>
      <ul
        role="list"
        aria-label="没有添加的行"
        className="mt-1 max-h-60 overflow-y-auto text-soft"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
        tabIndex={0}
      >
        {problems.map(({ line, text, problem }) => (
          <li key={line} className="py-1 wrap-anywhere">
            第 {line} 行「<bdi>{text}</bdi>」：{problem}
          </li>
        ))}
      </ul>
    </div>
  );
}
