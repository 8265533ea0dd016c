import type { ReactNode } from 'react';
import { variantUrl } from '../../../lib/contract/rules/picture-variants.ts';
import type { Removal, StaffProfile } from '../../../lib/contract/calls/profile-calls.ts';
import { Action } from '../../ui/Action.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import { BeforeAfter } from '../read/FieldChanges.tsx';

const THUMBNAIL_WIDTH = 480;
const NONE = '没有';

/** A removal, with the name of what it removes. */
export type Target = Omit<Removal, 'reason'> & { label: string };

export interface ShownField {
  label: string;
  /** Empty if the account has none. */
  value: string;
  shown: ReactNode;
  target: Target;
  /** The value before its owner changed it, if it is another one. */
  former?: ReactNode;
}

export const keyOf = ({ target: { id, field } }: Pick<ShownField, 'target'>): string => `${id} ${field}`;

export const isOfOwner = (field: ShownField, { kind, id }: Target): boolean =>
  field.target.kind === kind && field.target.id === id;

/** Marks the fields that differ from `before`, also those that no longer exist. */
export function withFormer(now: readonly ShownField[], before: readonly ShownField[]): ShownField[] {
  const former = new Map(before.map((field) => [keyOf(field), field]));
  const current = new Set(now.map(keyOf));
  const gone = before.filter((field) => !current.has(keyOf(field)));
  return [...now, ...gone.map((field) => ({ ...field, value: '', shown: '' }))].map((field) => {
    const known = former.get(keyOf(field));
    const isSame = known ? known.value === field.value : field.value === '';
    return isSame ? field : { ...field, former: known?.value ? known.shown : NONE };
  });
}

/** Public fields of an account, its series and tags. */
export function fieldsOf(profile: StaffProfile): ShownField[] {
  const { username, version, display_name, bio, website, profile_links: links, avatar, thanks } = profile;
  const field = (
    label: string,
    value: string,
    target: Omit<Target, 'label'> & Partial<Target>,
    shown: ReactNode = <bdi>{value}</bdi>,
  ): ShownField => ({ label, value, shown, target: { label, ...target } });
  const user = { kind: 'user', id: username, version } as const;
  return [
    field('用户名', username, { ...user, field: 'username' }),
    field('显示名', display_name, { ...user, field: 'display_name' }),
    field(
      '头像',
      avatar,
      { ...user, field: 'avatar' },
      <Avatar username={username} file={avatar} size={56} />,
    ),
    field('个人简介', bio, { ...user, field: 'bio' }, bio),
    field('个人网站', website, { ...user, field: 'website' }, website),
    field('链接', links.join('\n'), { ...user, field: 'profile_links' }, links.join('\n')),
    field('赞赏码', thanks, { ...user, field: 'thanks' }, <Thumbnail url={thanks} alt="赞赏码" />),
    ...profile.series.flatMap(({ _id: id, title, description, cover, version: ofSeries }) => {
      const of = { kind: 'series', id, version: ofSeries } as const;
      const [ofDescription, ofCover] = [`「${title}」的介绍`, `「${title}」的封面`];
      const thumbnail = <Thumbnail url={cover} alt={ofCover} />;
      return [
        field('专栏名称', title, { ...of, field: 'title', label: `专栏名称「${title}」` }),
        field('专栏介绍', description, { ...of, field: 'description', label: ofDescription }, description),
        field('专栏封面', cover, { ...of, field: 'cover', label: ofCover }, thumbnail),
      ].filter(({ value, target: { field: name } }) => value !== '' || name === 'title');
    }),
    ...profile.tags.map(({ _id: id, name, description, version: ofTag }) => {
      const target = { kind: 'tag', id, field: 'description', version: ofTag } as const;
      return field(`标签「${name}」的描述`, description, target, description);
    }),
  ];
}

export const Thumbnail = ({ url, alt }: { url: string; alt: string }) => (
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

/** A field with the button that removes it. */
export function Field({ onRemove, ...field }: ShownField & { onRemove(target: Target): void }) {
  const { label, value, shown, target, former } = field;
  return (
    <li className="hairline py-2">
      <div className="flex items-center justify-between gap-3">
        <span className="text-sm text-soft">{label}</span>
        {value === '' ? (
          <span className="text-sm text-soft">{former === undefined && NONE}</span>
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
      {(value !== '' || former !== undefined) && (
        <div className="whitespace-pre-line break-words" dir="auto">
          {former === undefined ? shown : <BeforeAfter before={former} after={value === '' ? NONE : shown} />}
        </div>
      )}
    </li>
  );
}
