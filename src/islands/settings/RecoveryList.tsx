import { useEffect, useRef } from 'react';
import { copyText } from '../../lib/stores/copy-text.ts';
import { saveFile } from '../../lib/stores/save-file.ts';

interface Props {
  codes: readonly string[];
  username: string;
  onEnd(): void;
}

export function RecoveryList({ codes, username, onEnd }: Props) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => box.current?.focus(), []);
  const text = `墨页 ${username} 的恢复码，每个只能用一次：\n${codes.join('\n')}\n`;
  const copy = () => copyText(text, '恢复码已复制', '浏览器不让复制，请选中后自己复制');
  const save = () => saveFile(`恢复码-${username}.txt`, text, 'text/plain');
  return (
    <fieldset
      ref={box}
      tabIndex={-1}
      aria-label="恢复码"
      className="m-0 mt-4 p-4 min-w-0 rounded border border-solid border-line"
    >
      <p className="text-sm">
        请把这些恢复码存在稳妥的地方。手机丢了，可以用它们代替验证码登录，每个只能用一次。
        <strong>离开这里就不再显示。</strong>
      </p>
      <ul role="list" className="my-4 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <p className="flex flex-wrap gap-3">
        <button type="button" className="button" onClick={save}>
          存成文件
        </button>
        <button type="button" className="button-quiet" onClick={() => void copy()}>
          复制
        </button>
        <button type="button" className="button-quiet" onClick={onEnd}>
          已经存好
        </button>
      </p>
    </fieldset>
  );
}
