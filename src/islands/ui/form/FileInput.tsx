import type { Ref } from 'react';

interface Props {
  ref: Ref<HTMLInputElement>;
  accept: string;
  label?: string;
  multiple?: boolean;
  /** Called with the first file, and with all. */
  onFile(file: File, files: readonly File[]): void;
}

/** Hidden input, opened by a button with `ref.current.click()`. */
export const FileInput = ({ ref, accept, label, multiple = false, onFile }: Props) => (
  <input
    ref={ref}
    type="file"
    hidden
    multiple={multiple}
    accept={accept}
    aria-label={label}
    onChange={({ target }) => {
      const files = [...(target.files ?? [])];
      // Allows choosing the same file again.
      target.value = '';
      if (files[0]) onFile(files[0], files);
    }}
  />
);
