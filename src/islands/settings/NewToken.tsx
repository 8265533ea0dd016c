import { copyText } from '../../lib/stores/copy-text.ts';
import { ShownOnce } from './ShownOnce.tsx';

export function NewToken({ token, onEnd }: { token: string; onEnd(): void }) {
  const copy = () => copyText(token, '访问令牌已复制', '浏览器不让复制，请选中后自己复制');
  return (
    <ShownOnce
      label="新的访问令牌"
      advice="请现在把它存进要用它的程序。知道它的人都能用它，别放进公开的文件。"
      actions={[{ text: '复制', run: copy }]}
      onEnd={onEnd}
    >
      <p className="my-4 font-mono text-sm leading-relaxed [overflow-wrap:anywhere] select-all">{token}</p>
    </ShownOnce>
  );
}
