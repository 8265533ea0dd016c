import { useEffect, useId, useState, type ReactNode } from 'react';
import type { FieldErrors } from '../../../lib/client/check.ts';
import { leaveNotice } from '../../../lib/stores/left-notice.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FormEnd } from '../../ui/form/FormEnd.tsx';
import { useFieldErrors } from '../../ui/form/use-field-errors.ts';
import { useSubmit } from '../../ui/form/use-submit.ts';

const DONE = '已保存，马上生效';

export interface FormContext<T> {
  values: T;
  set(change: Partial<T>): void;
  /** Id and error of a field. */
  frame(name: keyof T & string): { id: string; problem: string };
}

interface Props<T> {
  label: string;
  stored: T;
  /** Returns the errors of changed values by name. */
  check?: (changes: Partial<T>) => Promise<FieldErrors>;
  /** Saves the changed values and returns all as they are stored now. A thrown error is shown in the form. */
  save(changes: Partial<T>): Promise<T>;
  /** Whether header and footer of the page show the values: it is loaded again once they are saved. */
  isShownByPage?: boolean;
  children(context: FormContext<T>): ReactNode;
}

/**
 * Form of a section of the settings. Sends only what has changed, so a colleague's changes of other fields
 * stay. Asks before the page is left with unsaved changes.
 */
export function OptionsForm<T extends object>(props: Props<T>) {
  const { label, check, save, isShownByPage = false, children } = props;
  const id = useId();
  const [stored, setStored] = useState(props.stored);
  const [values, setValues] = useState(props.stored);
  const { errors, show, showRefusal } = useFieldErrors(id);
  const [isOver, setIsOver] = useState(false);
  const changes = changesOf(stored, values);
  const isChanged = Object.keys(changes).length > 0;
  useEffect(() => {
    if (!isChanged) return undefined;
    const stay = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', stay);
    return () => removeEventListener('beforeunload', stay);
  }, [isChanged]);
  // After the effect above has ended.
  useEffect(() => {
    if (isOver) location.reload();
  }, [isOver]);

  const { problem, isBusy, onSubmit } = useSubmit(async () => {
    if (!isChanged) return void showNotice('没有要保存的修改');
    if (show((await check?.(changes)) ?? {})) return;
    try {
      const now = await save(changes);
      setStored(now);
      setValues(now);
    } catch (error) {
      return showRefusal(error, values);
    }
    if (!isShownByPage) return void showNotice(DONE);
    leaveNotice(DONE);
    setIsOver(true);
  });
  return (
    <form method="post" aria-label={label} noValidate className="grid gap-y-5" onSubmit={onSubmit}>
      {children({
        values,
        set: (change) => setValues({ ...values, ...change }),
        frame: (name) => ({ id: `${id}-${name}`, problem: errors[name] ?? '' }),
      })}
      <div className="sticky bottom-0 py-3 hairline bg-paper">
        <FormEnd
          problem={problem}
          isBusy={isBusy || isOver}
          onEnd={isChanged ? () => setValues(stored) : undefined}
          endAction="放弃修改"
        />
        <output className="block mt-1 text-sm text-soft empty:hidden">
          {isChanged && '有还没保存的修改。'}
        </output>
      </div>
    </form>
  );
}

function changesOf<T extends object>(before: T, after: T): Partial<T> {
  const names = Object.keys(after) as (keyof T)[];
  const changed = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]])) as Partial<T>;
}
