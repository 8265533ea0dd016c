import { useEffect, useRef, useState } from 'react';
import camera from '../../icons/camera.svg?raw';
import { explain } from '../../lib/client/call-error.ts';
import { AVATAR_TYPES, readPicture, type ChosenPicture } from '../../lib/client/avatar-picture.ts';
import { announceAvatar } from '../../lib/stores/account/avatar.ts';
import { showError } from '../../lib/stores/toasts.ts';
import { Avatar } from '../ui/Avatar.tsx';
import { FileInput } from '../ui/form/FileInput.tsx';
import { Icon } from '../ui/Icon.tsx';
import { island } from '../ui/island.tsx';
import { lazyPart } from '../ui/lazy.tsx';
import { useOnce } from '../ui/use-once.ts';
import { useIsOwner } from './use-is-owner.ts';

const CropDialog = lazyPart(() => import('./CropDialog.tsx'));
const UNKNOWN = '没能打开这张图片，请再试一次';

export default island(function AvatarEditor({ username, file }: { username: string; file: string }) {
  const isOwner = useIsOwner(username);
  const input = useRef<HTMLInputElement>(null);
  const [picture, setPicture] = useState<ChosenPicture | null>(null);
  const [isReading, once] = useOnce();
  // The server-rendered file is current, while the header may have stored an older one.
  useEffect(() => {
    if (isOwner) announceAvatar(username, file);
  }, [isOwner, username, file]);
  if (!isOwner) return <Avatar username={username} file={file} size={72} />;

  const choose = async (chosen: File) => {
    try {
      setPicture(await readPicture(chosen));
    } catch (error) {
      showError(explain(error, UNKNOWN));
    }
  };

  return (
    <>
      <Avatar username={username} file={file} size={72} />
      <FileInput ref={input} accept={AVATAR_TYPES} onFile={(chosen) => void once(() => choose(chosen))} />
      <button
        type="button"
        aria-label="更换头像"
        title="更换头像"
        aria-busy={isReading}
        className="group absolute inset-0 p-0 border-0 rounded-full bg-transparent cursor-pointer aria-busy:cursor-progress"
        onClick={() => input.current?.click()}
      >
        <span className="absolute right--1 bottom--1 grid place-items-center w-7 h-7 rounded-full border border-solid border-line bg-raised text-soft transition-colors duration-150 group-hover:(border-indigo text-indigo)">
          <Icon svg={camera} size={15} />
        </span>
      </button>
      {picture && <CropDialog picture={picture} onClose={() => setPicture(null)} />}
    </>
  );
});
