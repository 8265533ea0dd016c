import { useStore } from '@nanostores/react';
import { useEffect, useMemo, useState } from 'react';
import { explain } from '../../lib/client/call-error.ts';
import type { ShownNoticeSettings } from '../../lib/contract/notice-calls.ts';
import { NOTICE_MODE_NAMES, NOTICE_MODES, USER_NOTICES } from '../../lib/contract/notice-kinds.ts';
import { createAnswer } from '../../lib/stores/answer.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Checks } from '../ui/Checks.tsx';
import { Choice } from '../ui/Choice.tsx';
import { FormEnd } from '../ui/FormEnd.tsx';
import { Section } from '../ui/Section.tsx';
import { useOnce } from '../ui/use-once.ts';

const ask = () => call('noticeSettings', {}, { quiet: true });

/** What the reader wants to be told by e-mail: a section of /user/settings. */
export function NoticeSettings() {
  const answer = useMemo(() => createAnswer(ask), []);
  const { data, problem } = useStore(answer.$answer);
  useEffect(() => void answer.load(), [answer]);
  return (
    <Section title="邮件通知">
      {problem !== '' && !data && (
        <p role="alert" className="flex flex-wrap items-center gap-x-3 py-2 text-sm">
          {problem}
          <button type="button" className="button-text" onClick={() => void answer.load()}>
            重试
          </button>
        </p>
      )}
      {data && <Form settings={data} />}
    </Section>
  );
}

const whyNone = ({ has_mail, address }: ShownNoticeSettings): string => {
  if (!has_mail) return '本站没有设置邮件，站内的消息照旧。';
  return address === '' ? '先在上面填写并确认邮箱，之后才会收到邮件。' : '';
};

function Form({ settings }: { settings: ShownNoticeSettings }) {
  const [mode, setMode] = useState(settings.mode);
  const [kinds, setKinds] = useState(settings.kinds);
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  const why = whyNone(settings);
  if (!settings.has_mail) return <p className="text-sm text-soft">{why}</p>;
  const save = async () => {
    setProblem('');
    try {
      await call('noticeSettingsChange', { mode, kinds }, { quiet: true });
      showNotice('已保存');
    } catch (error) {
      setProblem(explain(error, '没能保存，请再试一次'));
    }
  };
  return (
    <form
      method="post"
      aria-label="邮件通知"
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void once(save);
      }}
    >
      {why !== '' && <p className="m-0 text-sm text-soft">{why}</p>}
      <Choice
        label="什么时候发"
        value={mode}
        onChange={(value) => setMode(NOTICE_MODE_NAMES.find((each) => each === value) ?? mode)}
      >
        {NOTICE_MODE_NAMES.map((each) => (
          <option key={each} value={each}>
            {NOTICE_MODES[each]}
          </option>
        ))}
      </Choice>
      {mode !== 'off' && <Checks legend="通知什么" names={USER_NOTICES} chosen={kinds} onChange={setKinds} />}
      <FormEnd problem={problem} isBusy={isBusy} />
    </form>
  );
}
