import { useRef, useState } from 'react';
import { MAX_LOGO_BYTES } from '../../../lib/contract/rules/site-rules.ts';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { attributesOf, FieldNotes } from '../../ui/form/LineField.tsx';
import { TextButton } from '../../ui/Button.tsx';
import type { SiteFrame } from './AccentField.tsx';

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });

interface Props extends SiteFrame {
  /** URL of the logo or of a chosen picture, '' for the project's own mark. */
  value: string;
  onChange(value: string): void;
}

/** Chooses or removes the logo. The server generates the site's icons from it. */
export function LogoField({ value, onChange, disabled, problem, ...frame }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [unusable, setUnusable] = useState('');
  const choose = async (file: File) => {
    setUnusable('');
    if (file.size > MAX_LOGO_BYTES) return setUnusable('标志不能超过 1 MB');
    const url = await dataUrlOf(file).catch(() => '');
    if (url === '') setUnusable('没能读出这个文件，请再选一次');
    else onChange(url);
  };
  const notes = { ...frame, problem: unusable || problem };
  const { 'aria-describedby': described } = attributesOf(frame.id, notes);
  return (
    <fieldset className="m-0 p-0 border-0 min-w-0" aria-describedby={described}>
      <legend className="mb-1 p-0 text-sm text-soft">标志</legend>
      <p className="flex items-center min-h-11">
        {value === '' ? '墨页原来的标志' : <img src={value} alt="标志" className="h-7 max-w-40" />}
      </p>
      {!disabled && (
        <p className="flex gap-3 ml--1">
          <TextButton id={frame.id} onClick={() => input.current?.click()}>
            {value === '' ? '选择图片' : '换一张'}
          </TextButton>
          {value !== '' && <TextButton onClick={() => onChange('')}>恢复原来的标志</TextButton>}
        </p>
      )}
      <FileInput ref={input} accept=".png,.svg" label="选择标志的图片" onFile={(file) => void choose(file)} />
      <FieldNotes {...notes} />
    </fieldset>
  );
}
