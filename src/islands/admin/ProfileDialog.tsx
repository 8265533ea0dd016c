import { useEffect, useState, type ReactNode } from 'react';
import { variantUrl } from '../../lib/contract/rules/picture-variants.ts';
import { PICTURE_URL } from '../../lib/contract/rules/pictures.ts';
import type { Removal, StaffProfile } from '../../lib/contract/calls/profile-calls.ts';
import { call } from '../../lib/stores/api.ts';
import { showNotice } from '../../lib/stores/toasts.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { ReasonDialog } from './ReasonDialog.tsx';
import { Action } from '../ui/Action.tsx';

const MAX_SHOWN_PICTURES = 12;
const THUMBNAIL_WIDTH = 480;

const askedFor = (username: string, page: number) => ({ username, page, pageSize: MAX_SHOWN_PICTURES });

type Target = Omit<Removal, 'reason'> & { label: string };

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
  const [target, setTarget] = useState<Target | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void call('staffProfile', askedFor(username, page))
      .then((found) => isCurrent && setProfile(found))
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [username, page]);

  const remove = async (reason: string) => {
    if (!target) return;
    const { label: _, ...asked } = target;
    const said = await call('profileRemove', { ...asked, reason } as Removal).catch(() => null);
    if (said !== null) showNotice(said);
    // After a rename, the account can no longer be found by the name that this dialog was opened with.
    if (said !== null && target.field === 'username') {
      changed();
      return onClose();
    }
    setProfile(await call('staffProfile', askedFor(username, page)).catch(() => profile));
  };
  if (target)
    return (
      <ReasonDialog
        title={`移除${target.label}`}
        action="移除"
        hint="对方会看到这个理由。移除后不能撤销，操作会记录下来。"
        onClose={() => setTarget(null)}
        onGiven={remove}
      />
    );
  return (
    <Dialog title={`${username} 的公开资料`} isOpen onClose={onClose}>
      {profile === null ? (
        <p className="mt-4 text-soft">数据加载中…</p>
      ) : (
        <>
          {profile.is_hidden && <p className="mt-2 text-sm text-soft">封禁期间，别人看不到这个账号。</p>}
          <ul role="list" className="mt-3">
            {fieldsOf(profile).map((field) => (
              <Field key={`${field.target.id} ${field.target.field}`} {...field} onRemove={setTarget} />
            ))}
          </ul>
          <Pictures profile={profile} page={page} onPage={setPage} onRemove={setTarget} />
        </>
      )}
    </Dialog>
  );
}

interface ShownField {
  label: string;
  /** Null if the account has none. */
  shown: ReactNode;
  target: Target;
}

function fieldsOf({
  username,
  version,
  display_name,
  bio,
  website,
  profile_links: links,
  avatar,
  series,
  tags,
}: StaffProfile): ShownField[] {
  const field = (
    label: string,
    shown: ReactNode,
    target: Omit<Target, 'label'>,
    name = label,
  ): ShownField => ({ label, shown, target: { ...target, label: name } });
  const user = { kind: 'user', id: username, version } as const;
  const picture = avatar === '' ? null : <Avatar username={username} file={avatar} size={56} />;
  return [
    field('用户名', <bdi>{username}</bdi>, { ...user, field: 'username' }),
    field('显示名', display_name === '' ? null : <bdi>{display_name}</bdi>, {
      ...user,
      field: 'display_name',
    }),
    field('头像', picture, { ...user, field: 'avatar' }),
    field('个人简介', bio === '' ? null : bio, { ...user, field: 'bio' }),
    field('个人网站', website === '' ? null : website, { ...user, field: 'website' }),
    field('链接', links.length === 0 ? null : links.join('\n'), { ...user, field: 'profile_links' }),
    ...series.flatMap(({ _id: id, title, description, cover, version: ofSeries }) => {
      const of = { kind: 'series', id, version: ofSeries } as const;
      const name = `「${title}」的封面`;
      const thumbnail = <Thumbnail url={cover} alt={name} />;
      return [
        field('专栏名称', <bdi>{title}</bdi>, { ...of, field: 'title' }, `专栏名称「${title}」`),
        ...(description === ''
          ? []
          : [field('专栏介绍', description, { ...of, field: 'description' }, `「${title}」的介绍`)]),
        ...(cover === '' ? [] : [field('专栏封面', thumbnail, { ...of, field: 'cover' }, name)]),
      ];
    }),
    ...tags.map(({ _id: id, name, description, version: ofTag }) =>
      field(`标签「${name}」的描述`, description, { kind: 'tag', id, field: 'description', version: ofTag }),
    ),
  ];
}

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

const Thumbnail = ({ url, alt }: { url: string; alt: string }) => (
  <a href={url} target="_blank" rel="noopener" className="block">
    <img
      src={variantUrl(url, { width: THUMBNAIL_WIDTH, format: 'webp' })}
      alt={alt}
      loading="lazy"
      decoding="async"
      className="block w-full max-h-30 object-contain rounded bg-sunk"
    />
  </a>
);

function Field({ label, shown, target, onRemove }: ShownField & Pick<PicturesProps, 'onRemove'>) {
  return (
    <li className="hairline py-2">
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm text-soft">{label}</span>
        {shown === null ? (
          <span className="text-sm text-soft">没有</span>
        ) : (
          <Action
            isDangerous
            className="text-sm whitespace-nowrap"
            label={`移除${label}`}
            onClick={() => onRemove(target)}
          >
            移除
          </Action>
        )}
      </div>
      {shown !== null && (
        <div className="whitespace-pre-line break-words" dir="auto">
          {shown}
        </div>
      )}
    </li>
  );
}
