import { useEffect, useId, useState, type ReactNode } from 'react';
import {
  REPORT_REASONS,
  type ReportKind,
  type ReportReason,
} from '../../lib/contract/rules/report-reasons.ts';
import { isOffered } from '../../lib/client/offered.ts';
import { call, goToSignIn } from '../../lib/stores/api.ts';
import { Field } from '../sign/Field.tsx';
import { SignEnd } from '../sign/SignEnd.tsx';
import { useHumanCheck } from '../sign/use-human-check.ts';
import { CheckNote } from '../sign/CheckNote.tsx';
import { CharacterCount } from '../ui/form/CharacterCount.tsx';
import { signedInOnly } from '../ui/for-signed-in.tsx';
import { Radio } from '../ui/form/Choice.tsx';
import { useSubmit } from '../ui/form/use-submit.ts';
import { island } from '../ui/island.tsx';

const MAX_NOTE_CHARACTERS = 500;
const REASONS = Object.entries(REPORT_REASONS) as [ReportReason, string][];

interface Subject {
  kind: ReportKind;
  /** Id of an article or comment, name of a user. */
  id: string;
  back: string;
}

interface Report extends Pick<Subject, 'kind' | 'id'> {
  reason: ReportReason;
  note: string;
  email: string;
}

interface FormProps extends Subject {
  /** Whether it asks for an address for the answer. */
  asksEmail?: boolean;
  /** Sends the report; returns the server's thanks. */
  send(report: Report): Promise<string>;
  /** Shown above the button. */
  children?: ReactNode;
}

function Form({ kind, id, back, asksEmail = false, send, children }: FormProps) {
  const noteId = useId();
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [note, setNote] = useState('');
  const [email, setEmail] = useState('');
  const [thanks, setThanks] = useState('');
  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (!reason) return '请选择举报的理由';
    if (asksEmail && !/^\S+@\S+\.\S+$/.test(email.trim())) return '请填写邮箱，处理的结果会发到这里';
    setThanks(await send({ kind, id, reason, note, email: email.trim() }));
    return '';
  }, '没有发出去，请稍后再试');
  if (thanks !== '')
    return (
      <output className="block pb-16">
        <p>
          {thanks}。我们会尽快查看，{asksEmail ? '处理的结果会发到你的邮箱' : '处理以后会告诉你结果'}。
        </p>
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
      {asksEmail && (
        <Field
          label="邮箱"
          name="email"
          type="email"
          autoComplete="email"
          hint="处理的结果发到这里，不会公开，作者看不到"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      )}
      {children}
      <SignEnd refusal={problem} isBusy={isBusy} action="举报" />
    </form>
  );
}

const OwnReport = signedInOnly<Subject>(function OwnReport(subject) {
  const send = ({ kind, id, reason, note }: Report) =>
    call('reportCreate', { kind, id, reason, note }, { quiet: true });
  return <Form {...subject} send={send} />;
});

function VisitorReport(subject: Subject) {
  const human = useHumanCheck(true);
  // An edge front may have an API of an older version.
  useEffect(() => {
    if (!isOffered('visitorReport')) goToSignIn();
  }, []);
  const send = async (report: Report) => {
    try {
      return await call('visitorReport', { ...report, ...(await human.prove()) }, { quiet: true });
    } finally {
      // The server accepts a proof once.
      human.forget();
    }
  };
  return (
    <Form {...subject} asksEmail send={send}>
      <CheckNote state={human.state} />
    </Form>
  );
}

/** `isVisitor`: the page was certainly requested by someone who is not signed in. */
export default island(function ReportForm({ isVisitor, ...subject }: Subject & { isVisitor: boolean }) {
  return isVisitor ? <VisitorReport {...subject} /> : <OwnReport {...subject} />;
});
