import { useId, useState } from 'react';
import {
  REPORT_REASONS,
  type ReportKind,
  type ReportReason,
} from '../../lib/contract/rules/report-reasons.ts';
import { call } from '../../lib/stores/api.ts';
import { SignEnd } from '../sign/SignEnd.tsx';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { forSignedIn } from '../ui/for-signed-in.tsx';
import { Radio } from '../ui/form/Choice.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';

const MAX_NOTE_CHARACTERS = 500;
const REASONS = Object.entries(REPORT_REASONS) as [ReportReason, string][];

interface Props {
  kind: ReportKind;
  /** Id of an article or comment, name of a user. */
  id: string;
  back: string;
}

export default forSignedIn<Props>(function ReportForm({ kind, id, back }) {
  const noteId = useId();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState('');
  const [thanks, setThanks] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (!reason) return '请选择举报的理由';
    setThanks(await call('reportCreate', { kind, id, reason, note }, { quiet: true }));
    return '';
  }, '没有发出去，请稍后再试');
  if (thanks !== '')
    return (
      <output className="block pb-16">
        <p>{thanks}。我们会尽快查看，处理的结果不会另行通知。</p>
        <p className="mt-6">
          <a href={back} className="button">
            返回
          </a>
        </p>
      </output>
    );
  return (
    <form className="pb-16 max-w-100" noValidate aria-label="举报" onSubmit={onSubmit}>
      <fieldset className="m-0 mb-4 p-0 border-0">
        <legend className="p-0 text-sm font-600">理由</legend>
        {REASONS.map(([value, text]) => (
          <Radio
            key={value}
            name="reason"
            value={value}
            checked={reason === value}
            onChoose={() => setReason(value)}
          >
            {text}
          </Radio>
        ))}
      </fieldset>
      <label htmlFor={noteId} className="block mb-1.5 text-sm font-600">
        补充说明（可不填）
      </label>
      <textarea
        id={noteId}
        className="field block resize-y"
        rows={4}
        maxLength={MAX_NOTE_CHARACTERS}
        dir="auto"
        value={note}
        onChange={({ target }) => setNote(target.value)}
      />
      <p className="mt-1 mb-4 min-h-6 text-sm text-soft">
        <CharacterCount text={note} most={MAX_NOTE_CHARACTERS} />
      </p>
      <SignEnd refusal={problem} isBusy={isBusy} action="举报" />
    </form>
  );
});
