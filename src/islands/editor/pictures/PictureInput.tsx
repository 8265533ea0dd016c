import type { Ref } from 'react';
import { IMAGE_TYPES } from '../../../lib/client/picture.ts';

interface Props {
  onChosen(files: readonly File[]): void;
  ref: Ref<HTMLInputElement>;
}

export const PictureInput = ({ onChosen, ref }: Props) => (
  <input
    ref={ref}
    type="file"
    hidden
    multiple
    accept={IMAGE_TYPES}
    aria-label="选择图片"
    onChange={({ target }) => {
      onChosen([...(target.files ?? [])]);
      // Allows choosing the same file again.
      target.value = '';
    }}
  />
);
