import { useEffect, useEffectEvent, useState } from 'react';
import { isCallError } from '../../../lib/client/call-error.ts';
import { isRefusedWith } from '../../../lib/client/is-refused-with.ts';
import { PICTURE_URL } from '../../../lib/contract/rules/pictures.ts';
import type { Removal, StaffProfile } from '../../../lib/contract/calls/profile-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Action } from '../../ui/Action.tsx';
import { ReasonDialog } from '../ReasonDialog.tsx';
import { Field, fieldsOf, isOfOwner, keyOf, Thumbnail, withFormer, type Target } from './profile-fields.tsx';

const MAX_SHOWN_PICTURES = 12;

const askedFor = (username: string, page: number) => ({ username, page, pageSize: MAX_SHOWN_PICTURES });

interface Props {
  username: string;
  onClose(): void;
  /** Called after the account was renamed. */
  changed: () => void;
}

/** Public fields of an account, each with a button that removes it. */
export function ProfileDialog({ username, onClose, changed }: Props) {
  const [page, setPage] = useState(1);
  const [profile, setProfile] = useState<StaffProfile | null>(null);
  /** The profile before its owner changed it; what differs is marked. */
  const [seen, setSeen] = useState<StaffProfile | null>(null);
  const [refusal, setRefusal] = useState('');
  const [target, setTarget] = useState<Target | null>(null);
  const load = () => call('staffProfile', askedFor(username, page)).catch(() => null);
  const show = (found: StaffProfile | null) => {
    if (!found) return;
    setProfile(found);
    setSeen((former) => former ?? found);
  };
  const showCurrent = useEffectEvent(show);
  useEffect(() => {
    let isCurrent = true;
    void call('staffProfile', askedFor(username, page))
      .then((found) => isCurrent && showCurrent(found))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [username, page]);

  const remove = async (reason: string) => {
    if (!target) return;
    const { label: _, ...asked } = target;
    try {
      showNotice(await call('profileRemove', { ...asked, reason } as Removal, { quiet: true }));
    } catch (error) {
      if (!isCallError(error) || !isRefusedWith(error, 'VERSION_CHANGED')) throw error;
      setRefusal(error.message);
      return show(await load());
    }
    // After a rename, the account can no longer be found by the name that this dialog was opened with.
    if (target.field === 'username') {
      changed();
      return onClose();
    }
    setRefusal('');
    setSeen(null);
    show(await load());
  };
  const ask = (chosen: Target) => {
    setTarget(chosen);
    // The next dialog announces what has changed since.
    void load().then(show);
  };
  const fields = profile && seen ? withFormer(fieldsOf(profile), fieldsOf(seen)) : [];
  if (target)
    return (
      <ReasonDialog
        title={`移除${target.label}`}
        action="移除"
        hint="对方会看到这个理由。移除后不能撤销，操作会记录下来。"
        onClose={() => setTarget(null)}
        onGiven={remove}
      >
        {fields.some((field) => isOfOwner(field, target) && field.target.version !== target.version) && (
          <output className="block mt-2 text-sm text-vermilion">{CHANGED}</output>
        )}
      </ReasonDialog>
    );
  const isChanged = fields.some(({ former }) => former !== undefined);
  return (
    <Dialog title={`${username} 的公开资料`} isOpen onClose={onClose}>
      {profile === null ? (
        <p className="mt-4 text-soft">数据加载中…</p>
      ) : (
        <>
          {profile.is_hidden && <p className="mt-2 text-sm text-soft">封禁期间，别人看不到这个账号。</p>}
          {(refusal !== '' || isChanged) && (
            <output className="block mt-2 text-vermilion">{refusal === '' ? CHANGED : refusal}</output>
          )}
          <ul role="list" className="mt-3">
            {fields.map((field) => (
              <Field key={keyOf(field)} {...field} onRemove={ask} />
            ))}
          </ul>
          <Pictures profile={profile} page={page} onPage={setPage} onRemove={ask} />
        </>
      )}
    </Dialog>
  );
}

const CHANGED = '资料在你看过之后有改动，请看过现在的资料再决定。';

interface PicturesProps {
  profile: StaffProfile;
  onRemove(target: Target): void;
  page: number;
  onPage(page: number): void;
}

function Pictures({ profile: { pictures, picture_num }, page, onPage, onRemove }: PicturesProps) {
  if (picture_num === 0) return null;
  const pageCount = Math.ceil(picture_num / MAX_SHOWN_PICTURES);
  const first = (page - 1) * MAX_SHOWN_PICTURES;
  return (
    <section aria-label="上传的图片" className="mt-4">
      <h3 className="m-0 text-sm font-600">上传的图片（{picture_num} 张）</h3>
      <ul role="list" className="mt-2 grid grid-cols-2 sm:grid-cols-3 gap-3">
        {pictures.map((url, at) => (
          <li key={url} className="min-w-0 text-center">
            <Thumbnail url={url} alt={`第 ${first + at + 1} 张`} />
            <Action
              isDangerous
              className="text-sm"
              label={`移除第 ${first + at + 1} 张图片`}
              onClick={() =>
                onRemove({
                  kind: 'picture',
                  id: url.slice(PICTURE_URL.length),
                  field: 'file',
                  version: '',
                  label: `第 ${first + at + 1} 张图片`,
                })
              }
            >
              移除
            </Action>
          </li>
        ))}
      </ul>
      {pageCount > 1 && (
        <p className="mt-2 flex justify-between text-sm">
          <Action disabled={page === 1} onClick={() => onPage(page - 1)}>
            上一页
          </Action>
          <span className="meta self-center">
            {page} / {pageCount}
          </span>
          <Action disabled={page === pageCount} onClick={() => onPage(page + 1)}>
            下一页
          </Action>
        </p>
      )}
    </section>
  );
}
