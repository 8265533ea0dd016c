import { useId, useState, type SubmitEvent } from 'react';
import { formatLocal, instantOf } from '../../../lib/shared/time.ts';
import { BOUNDS } from '../../../lib/contract/rules/bounds.ts';
import type { Schedule } from '../../../lib/contract/entities.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { useOnce } from '../../ui/use-once.ts';
import type { Writer } from '../writing/use-writer.ts';
import { DAY_MS, HOUR_MS } from '../../../lib/contract/rules/units.ts';
import { QuietButton, TextButton } from '../../ui/Button.tsx';

interface Props {
  articleId: string | null;
  schedule: Schedule | null;
  writer: Writer;
  onClose(): void;
  onChanged(): void;
}

function problemOf(local: string, instant: string | null): string | null {
  if (local === '') return '请选择发布时间';
  if (instant === null) return '这一天没有这个时刻：时钟在这时拨快，请换一个时间';
  const ahead = Date.parse(instant) - Date.now();
  if (ahead <= 0) return '发布时间已经过去，请选一个以后的时间';
  return ahead > BOUNDS.scheduleDays * DAY_MS ? '发布时间最远只能定在一年以内' : null;
}

/** Start of an hour, one to two hours from now. */
const suggestion = () => new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + HOUR_MS).toISOString();

/** Sets or cancels the publication time, in the site's time zone. */
export default function ScheduleDialog({ articleId, schedule, writer, onClose, onChanged }: Props) {
  const id = useId();
  const [local, setLocal] = useState(() => formatLocal(schedule?.publish_time ?? suggestion()));
  const [earliest] = useState(() => formatLocal(new Date().toISOString()));
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, once] = useOnce();
  const zone = document.documentElement.dataset['zone'];

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const instant = instantOf(local);
    const found = problemOf(local, instant);
    setProblem(found);
    if (found !== null || instant === null) return;
    void once(async () => {
      await writer.schedule(instant);
      onChanged();
      onClose();
    });
  };
  const cancel = async () => {
    if (articleId === null) return;
    try {
      await call('scheduleCancel', { id: articleId });
      showNotice('定时发布已取消');
    } catch {
      // The call has already shown the error.
    }
    onChanged();
    onClose();
  };

  return (
    <Dialog title="定时发布" isOpen onClose={onClose}>
      <form onSubmit={submit} noValidate className="mt-4">
        <label htmlFor={id} className="block text-sm text-soft">
          发布时间
        </label>
        <input
          id={id}
          type="datetime-local"
          className="field mt-1"
          value={local}
          min={earliest}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-hint ${id}-problem`}
          onChange={({ target }) => setLocal(target.value)}
        />
        <p id={`${id}-hint`} className="mt-1 text-sm text-soft">
          按网站的时区（{zone}）。等待时可以继续改，发布的是那时的最后一稿。
        </p>
        <p id={`${id}-problem`} role="alert" className="field-error empty:hidden">
          {problem ?? (schedule?.problem && `上次没有发布成功：${schedule.problem}`)}
        </p>
        <div className="mt-6 flex flex-wrap justify-end gap-3">
          {schedule && (
            <TextButton className="mr-auto" disabled={isBusy} onClick={() => void once(cancel)}>
              取消定时
            </TextButton>
          )}
          <QuietButton onClick={onClose}>返回</QuietButton>
          <button type="submit" className="button" disabled={isBusy}>
            定时发布
          </button>
        </div>
      </form>
    </Dialog>
  );
}
