import { useStore } from '@nanostores/react';
import { useId, useRef, useState } from 'react';
import { IMAGE_TYPES } from '../../../lib/client/picture.ts';
import { $uploads, cancelUpload, startUpload } from '../../../lib/stores/pictures/uploads.ts';
import { FileInput } from './FileInput.tsx';
import { FieldNotes, type Notes } from './LineField.tsx';
import { UploadRow } from './UploadRow.tsx';
import { TextButton } from '../Button.tsx';

export const COVER_FRAME = 'block w-full max-w-60 aspect-[16/9] rounded';

interface Props extends Notes {
  /** URL of the picture, or the empty string. */
  cover: string;
  /** Name of the picture. */
  label?: string;
  /** Classes of the frame and of the picture in it. */
  frame?: string;
  fit?: string;
  onChange(cover: string): void;
}

/** Field for an uploaded picture, by default the cover of an article or series. */
export function CoverField({
  cover,
  label = '封面',
  hint,
  problem,
  frame = COVER_FRAME,
  fit = 'object-cover',
  onChange,
}: Props) {
  const id = useId();
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
      <legend className="mb-1 p-0 text-sm text-soft">{label}</legend>
      {cover ? (
        <img src={cover} alt={`现在的${label}`} className={`${frame} ${fit} bg-sunk`} />
      ) : (
        <p
          className={`${frame} flex! items-center justify-center border border-dashed border-line text-sm text-soft`}
        >
          {upload?.problem === null ? '正在上传……' : `没有${label}`}
        </p>
      )}
      {upload && (
        <ul role="list">
          <UploadRow {...upload} />
        </ul>
      )}
      <div className="flex gap-3 ml--1">
        <TextButton onClick={() => input.current?.click()}>{cover ? '换一张' : '选择图片'}</TextButton>
        {cover && <TextButton onClick={remove}>去掉{label}</TextButton>}
        <FileInput ref={input} accept={IMAGE_TYPES} label={`选择${label}`} onFile={send} />
      </div>
      <FieldNotes id={id} hint={hint} problem={problem} />
    </fieldset>
  );
}
