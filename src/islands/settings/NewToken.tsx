import { useEffect, useRef } from 'react';
import { copyText } from '../../lib/stores/copy-text.ts';

export function NewToken({ token, onEnd }: { token: string; onEnd(): void }) {
  const box = useRef<HTMLFieldSetElement>(null);
  useEffect(() => box.current?.focus(), []);
  const copy = () => copyText(token, '访问令牌已复制', '浏览器不让复制，请选中后自己复制');
  return (
    <fieldset
      ref={box}
      tabIndex={-1}
      aria-label="新的访问令牌"
      className="m-0 mt-4 p-4 min-w-0 rounded border border-solid border-line"
    >
      <p className="text-sm">
        请现在把它存进要用它的程序。知道它的人都能用它，别放进公开的文件。
        <strong>离开这里就不再显示。</strong>
      </p>
      <p className="my-4 font-mono text-sm leading-relaxed [overflow-wrap:anywhere] select-all">{token}</p>
      <p className="flex flex-wrap gap-3">
        <button type="button" className="button" onClick={() => void copy()}>
          复制
        </button>
        <button type="button" className="button-quiet" onClick={onEnd}>
          已经存好
        </button>
      </p>
    </fieldset>
  );
}
