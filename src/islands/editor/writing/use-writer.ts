import { useStore } from '@nanostores/react';
import { startTransition, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import { formatMinute } from '../../../lib/shared/time.ts';
import { PAGE_TYPE } from '../../../lib/contract/rules/page-tree.ts';
import { checkFields, type FieldErrors } from '../../../lib/client/check.ts';
import { isCallError } from '../../../lib/client/call-error.ts';
import { articleUrl, editUrl } from '../../../lib/shared/urls.ts';
import { call } from '../../../lib/stores/api.ts';
import { allFields } from '../../../lib/contract/rules/authored-fields.ts';
import { ask } from '../../../lib/stores/ask.ts';
import { MESSAGES } from '../../../lib/stores/draft/draft-parts.ts';
import {
  Conflict,
  DraftRefused,
  type Draft,
  type DraftFields,
} from '../../../lib/stores/draft/draft-types.ts';
import { $submitted } from '../../../lib/stores/draft/draft-server.ts';
import { dismiss, showError, showNotice } from '../../../lib/stores/toasts.ts';
import { deletionText, leaveDeleted } from '../../../lib/stores/trash.ts';
import { $uploads } from '../../../lib/stores/pictures/uploads.ts';
import { useOnce } from '../../ui/use-once.ts';

/** Pause in typing before the editor re-renders with the new text. */
const DEBOUNCE_MS = 100;

export type Writer = ReturnType<typeof useWriter>;

/**
 * State and actions of a draft for the editor.
 * @param shown receives fields replaced from outside, such as a version chosen in a conflict
 * @param refused receives the errors of refused fields, to focus the first one
 * @param conflicted called when an action of the author finds another version
 */
export function useWriter(
  draft: Draft,
  shown: (fields: DraftFields) => void,
  refused: (errors: FieldErrors) => void,
  conflicted: () => void,
) {
  const [fields, setFields] = useState(() => draft.$fields.get());
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, once] = useOnce();
  const isPublished = useStore(draft.$status) === 'normal';
  const articleId = useStore(draft.$id);
  const isPage = useStore(draft.$type) === PAGE_TYPE;

  /** Latest fields, ahead of `fields` while typing. */
  const typed = useRef(fields);
  const undoNotice = useRef(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);

  const follow = useCallback((changed: readonly string[]) => {
    clearTimeout(pause.current);
    setFields(typed.current);
    setErrors((old) => without(old, changed));
  }, []);
  const followNow = useCallback(() => startTransition(() => follow(['content'])), [follow]);
  useEffect(() => () => clearTimeout(pause.current), []);

  const show = useEffectEvent((next: DraftFields) => {
    typed.current = next;
    setFields(next);
    setErrors({});
    shown(next);
  });
  useEffect(() => draft.$fields.listen((next) => show(next)), [draft]);

  const change = useCallback(
    (changed: Partial<DraftFields>) => {
      // Stores the text before anything renders.
      draft.change(changed);
      typed.current = { ...typed.current, ...changed };
      const names = Object.keys(changed);
      if (names.join() !== 'content') return follow(names);
      // CodeMirror renders the text itself. The rest re-renders in a pause, not between key presses.
      clearTimeout(pause.current);
      pause.current = setTimeout(followNow, DEBOUNCE_MS);
    },
    [draft, follow, followNow],
  );

  const attempt = (work: () => Promise<void>, isPublishing = false) =>
    once(() =>
      work().catch((error: unknown) => {
        if (error instanceof Conflict) return conflicted();
        const isSafe = draft.$state.get() !== 'failed';
        if (!(error instanceof DraftRefused)) return explain(error, isSafe, isPublishing);
        setErrors(error.fields);
        refused(error.fields);
      }),
    );

  async function save(): Promise<void> {
    await draft.saveDraft();
    // Reloading this URL has to open the saved draft.
    const id = draft.$id.get();
    if (id && location.pathname === '/write') history.replaceState(history.state, '', editUrl(id));
  }

  /** Replaces fields, shows `notice` and offers to undo it. */
  function put(next: Partial<DraftFields>, notice: string): void {
    const write = (text: DraftFields) => {
      const all = allFields(text);
      change(all);
      shown(all);
    };
    const before = typed.current;
    write({ ...before, ...next });
    // Removes the previous undo: it would revert this change too.
    dismiss(undoNotice.current);
    undoNotice.current = showNotice(notice, { text: '撤销', run: () => write(before) });
  }

  return {
    fields,
    errors,
    isBusy,
    isPublished,
    /** Null before the first save. */
    articleId,
    /** Whether it is a page of the site, which is in no list. */
    isPage,
    change,
    /** Updates `fields` to the current text; while typing, they are updated in pauses. */
    followNow,
    now: () => typed.current,
    save: () => attempt(save),
    saveAndNotify: () =>
      attempt(async () => {
        await save();
        showNotice(
          isPublished
            ? '改动已保存，读者看到的还是原来的样子'
            : isPage
              ? '已保存在「页面」里'
              : '已保存在「我的草稿」里',
        );
      }),
    publish: () =>
      attempt(async () => {
        if (!(await mayLeavePictures())) return;
        const id = await draft.publish();
        // The list tells that the change waits; the article's page shows the approved text.
        if ($submitted.get() === id) return location.assign('/user/list?show=changed');
        // Only the server knows the article's slug, and whether the site links it.
        const { address } = await call('articleDetail', { id }, { quiet: true }).catch(() => ({
          address: '',
        }));
        location.assign(articleUrl(id, address));
      }, true),
    /** Replaces the text with an earlier version, after saving the current one. Can be undone. */
    restore: (version: DraftFields) =>
      attempt(async () => {
        if (!['clean', 'saved'].includes(draft.$state.get())) {
          await draft.saveDraft().catch((error: unknown) => {
            // There is no need to save an empty text.
            if (!(error instanceof DraftRefused)) throw error;
          });
        }
        put(allFields(version), '已换成这一版，还没有发布');
      }),
    put,
    /** Saves the draft and schedules its publication at `time` (ISO 8601), if it is valid for that. */
    schedule: (time: string) =>
      attempt(async () => {
        const found = await checkFields('articleCreate', {
          ...typed.current,
          status: 'normal',
          type: draft.$type.get(),
        });
        if (Object.keys(found).length > 0) throw new DraftRefused(found);
        await save();
        const id = draft.$id.get();
        if (id === null) return;
        const { publish_time } = await call('scheduleSet', { id, publish_time: time });
        showNotice(`已定时，${formatMinute(publish_time)} 发布`);
      }),
    remove: () =>
      attempt(async () => {
        const question = {
          title: '删除这篇文章？',
          text: deletionText(),
          action: '删除',
        };
        if (!(await ask({ ...question, isDestructive: true }))) return;
        const id = draft.$id.get();
        await draft.remove();
        if (id) leaveDeleted(id);
        location.assign(isPage ? '/admin/pages' : isPublished ? '/user/list' : '/user/draft');
      }),
  };
}

/** Asks whether to leave while uploads are running, because those pictures would be lost. */
async function mayLeavePictures(): Promise<boolean> {
  const count = $uploads.get().length;
  if (count === 0) return true;
  return ask({
    title: `还有 ${count} 张图片没有传完`,
    text: '现在离开，文章里就没有它们。',
    action: '不等了',
  });
}

/**
 * Explains why saving or publishing failed and what is safe. The call shows refusals. Offline, even the
 * validation rules may be missing.
 */
function explain(error: unknown, isSafe: boolean, isPublishing: boolean): void {
  if (isCallError(error, 'refused') || isCallError(error, 'signed-out')) return;
  if (isCallError(error, 'fault')) return showError(error.message);
  const next = isPublishing ? '还没有发布，联网后请再发布一次' : '联网后会自动保存';
  showError(isSafe ? `连不上服务器。写下的都存在这台设备上，${next}` : MESSAGES.unsafe);
  if (isPublishing)
    addEventListener('online', () => showNotice('网络恢复了，这篇还没有发布，可以发布了'), { once: true });
}

function without(errors: FieldErrors, names: readonly string[]): FieldErrors {
  if (!names.some((name) => name in errors)) return errors;
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name)));
}
