import { useStore } from '@nanostores/react';
import { useRef, useState } from 'react';
import { IMAGE_TYPES } from '../../../lib/client/picture.ts';
import { $uploads, cancelUpload, startUpload } from '../../../lib/stores/pictures/uploads.ts';
import { FileInput } from './FileInput.tsx';
import { UploadRow } from './UploadRow.tsx';
import { TextButton } from '../Button.tsx';

export const COVER_FRAME = 'block w-full max-w-60 aspect-[16/9] rounded';

interface Props {
  /** URL of the picture, or the empty string. */
  cover: string;
  onChange(cover: string): void;
}

export function CoverField({ cover, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null);
  // An upload continues after the field is unmounted, because the author still wants the picture.
  const [sent, setSent] = useState<number | null>(null);
  const upload = useStore($uploads).find(({ id }) => id === sent);

  const giveUp = () => {
    if (sent !== null) cancelUpload(sent);
  };
  const send = (file: File) => {
    giveUp();
    const id = startUpload(file, (url) => {
      if (url !== null) onChange(url);
    });
    setSent(id);
  };
  const remove = () => {
    giveUp();
    onChange('');
    input.current?.parentElement?.querySelector('button')?.focus();
  };
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0">
      <legend className="mb-1 p-0 text-sm text-soft">封面</legend>
      {cover ? (
        <img src={cover} alt="现在的封面" className={`${COVER_FRAME} object-cover bg-sunk`} />
      ) : (
        <p
          className={`${COVER_FRAME} flex! items-center justify-center border border-dashed border-line text-sm text-soft`}
        >
          {upload?.problem === null ? '正在上传……' : '没有封面'}
        </p>
      )}
      {upload && (
        <ul role="list">
          <UploadRow {...upload} />
        </ul>
      )}
      <div className="flex gap-3 ml--1">
        <TextButton onClick={() => input.current?.click()}>{cover ? '换一张' : '选择图片'}</TextButton>
        {cover && <TextButton onClick={remove}>去掉封面</TextButton>}
        <FileInput ref={input} accept={IMAGE_TYPES} label="选择封面" onFile={send} />
      </div>
    </fieldset>
  );
}
