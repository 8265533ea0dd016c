import { useStore } from '@nanostores/react';
import { memo, useState } from 'react';
import { avatarUrl } from '../../lib/shared/urls.ts';
import { isSameName } from '../../lib/contract/rules/names.ts';
import { takeGraphemes } from '../../lib/shared/graphemes.ts';
import { $avatar, mistrustAvatar } from '../../lib/stores/account/avatar.ts';

interface Props {
  username: string;
  /** File name of the picture, '' if the user has no picture; omitted if only the name is known. */
  file?: string | undefined;
  size: AvatarSize;
}

const SIZES = {
  32: 'w-[32px] h-[32px] text-[14px]',
  36: 'w-[36px] h-[36px] text-[15px]',
  56: 'w-[56px] h-[56px] text-[22px]',
  72: 'w-[72px] h-[72px] text-[28px]',
};
// With an explicit width, Chromium paints the broken-image icon over the character; with min and max, it does
// not.
export const AVATAR_PICTURE = 'absolute inset-0 min-w-full max-w-full min-h-full max-h-full object-cover';

export type AvatarSize = keyof typeof SIZES;

export const avatarFrame = (size: AvatarSize): string =>
  `relative inline-grid flex-none place-items-center overflow-hidden rounded-full bg-wash text-indigo font-600 leading-none ${SIZES[size]}`;

export const avatarLetter = (username: string): string => takeGraphemes(username, 1);

/**
 * Picture of a user over the first character of the name, which shows if no picture loads. In an island, it
 * follows the owner's latest choice. It is decorative: the name is always next to it.
 */
export const Avatar = memo(function Avatar({ username, file, size }: Props) {
  const chosen = useStore($avatar, { ssr: 'initial' });
  const isChosen = chosen !== null && isSameName(chosen.username, username);
  const shown = isChosen ? chosen.file : file;
  const src = avatarUrl(username, shown);
  const [failed, setFailed] = useState('');
  return (
    <span className={avatarFrame(size)} aria-hidden="true">
      {avatarLetter(username)}
      {shown !== '' && failed !== src && (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className={AVATAR_PICTURE}
          onError={() => {
            setFailed(src);
            if (isChosen) mistrustAvatar(chosen.username);
          }}
        />
      )}
    </span>
  );
});
