import type { Ref } from 'react';

interface Props {
  ref: Ref<HTMLInputElement>;
  accept: string;
  label?: string;
  onFile(file: File): void;
}

/** Hidden input, opened by a button with `ref.current.click()`. */
export const FileInput = ({ ref, accept, label, onFile }: Props) => (
  <input
    ref={ref}
    type="file"
    hidden
    accept={accept}
    aria-label={label}
    onChange={({ target }) => {
      const [file] = target.files ?? [];
      // Allows choosing the same file again.
      target.value = '';
      if (file) onFile(file);
    }}
  />
);
