import { useId, useRef, useState } from 'react';
import { explain } from '../../../lib/client/call-error.ts';
import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import { call } from '../../../lib/stores/api.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FileInput } from '../../ui/form/FileInput.tsx';
import { useOnce } from '../../ui/use-once.ts';
import { TextButton } from '../../ui/Button.tsx';

const MAX_LOGO_BYTES = 1024 * 1024;

const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () =>
      resolve(typeof reader.result === 'string' ? reader.result.replace(/^.*,/, '') : ''),
    );
    reader.addEventListener('error', () => reject(new Error('the file cannot be read')));
    reader.readAsDataURL(file);
  });

/** Uploads, replaces or removes the logo. The server generates the site's icons from it. */
export function SiteLogo({ identity, onSaved }: { identity: IdentityAnswer; onSaved(): void }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const [problem, setProblem] = useState('');
  const [isBusy, once] = useOnce();
  const { logo, fixed } = identity;
  const attempt = async (work: () => Promise<unknown>, done: string) => {
    setProblem('');
    try {
      await work();
      showNotice(done);
      onSaved();
    } catch (error) {
      setProblem(explain(error, '没有成功，请再试一次'));
    }
    button.current?.focus();
  };
  const send = async (file: File) => {
    if (file.size > MAX_LOGO_BYTES) return setProblem('标志不能超过 1 MB');
    const picture = await base64Of(file);
    return attempt(() => call('siteLogo', { logo: picture }, { quiet: true }), '标志已更新');
  };
  const remove = () => attempt(() => call('siteLogoRemove', {}, { quiet: true }), '已恢复原来的标志');
  return (
    <fieldset className="m-0 mt-8 p-0 border-0 min-w-0" aria-describedby={`${id}-hint`}>
      <legend className="mb-1 p-0 text-sm text-soft">标志</legend>
      <p className="flex items-center min-h-11">
        {logo ? <img src={logo} alt="现在的标志" className="h-7 max-w-40" /> : '墨页原来的标志'}
      </p>
      <p id={`${id}-hint`} className="text-sm text-soft">
        {fixed.logo === undefined
          ? 'PNG 或 SVG，不超过 1 MB，文字要先转成路径。浏览器和手机上的图标也由它做成。'
          : `由 ${fixed.logo} 设定，要在那里修改。`}
      </p>
      {fixed.logo === undefined && (
        <p className="flex gap-3">
          <TextButton ref={button} aria-disabled={isBusy} onClick={() => input.current?.click()}>
            {logo ? '换一张' : '选择图片'}
          </TextButton>
          {logo && <TextButton onClick={() => void once(remove)}>恢复原来的标志</TextButton>}
        </p>
      )}
      <FileInput
        ref={input}
        accept=".png,.svg"
        label="选择标志的图片"
        onFile={(file) => void once(() => send(file))}
      />
      <p role="alert" className="field-error empty:hidden">
        {problem}
      </p>
    </fieldset>
  );
}
