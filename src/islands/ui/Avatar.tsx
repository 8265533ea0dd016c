import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { avatarUrl } from '../../components/urls.ts';
import { isSameName } from '../../lib/contract/names.ts';
import { $avatar, mistrustAvatar } from '../../lib/stores/avatar.ts';

interface Props {
  username: string;
  /** File name of the picture, '' when the user has none; left out where only the name is known. */
  file?: string | undefined;
  size: 32 | 36 | 72;
}

const SIZES = {
  32: 'w-[32px] h-[32px] text-[14px]',
  36: 'w-[36px] h-[36px] text-[15px]',
  72: 'w-[72px] h-[72px] text-[28px]',
};

/**
 * A user's picture over the first character of the name, as components/Avatar.astro draws it; follows the picture its owner has just
 * chosen. Decoration: the name always stands beside it.
 */
export function Avatar({ username, file, size }: Props) {
  const chosen = useStore($avatar);
  const isChosen = chosen !== null && isSameName(chosen.username, username);
  const shown = isChosen ? chosen.file : file;
  const src = avatarUrl(username, shown);
  const [failed, setFailed] = useState('');
  return (
    <span
      className={`relative inline-grid flex-none place-items-center overflow-hidden rounded-full bg-wash text-indigo font-600 leading-none ${SIZES[size]}`}
      aria-hidden="true"
    >
      {initialOf(username)}
      {shown !== '' && failed !== src && (
        <img
          src={src}
          alt=""
          decoding="async"
          className="absolute inset-0 w-full h-full object-cover"
          onError={() => {
            setFailed(src);
            if (isChosen) mistrustAvatar(chosen.username);
          }}
        />
      )}
    </span>
  );
}

function initialOf(username: string): string {
  const [first] = new Intl.Segmenter('zh', { granularity: 'grapheme' }).segment(username);
  return first?.segment ?? '';
}
