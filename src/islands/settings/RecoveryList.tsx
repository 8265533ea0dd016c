import { copyText } from '../../lib/stores/copy-text.ts';
import { saveFile } from '../../lib/stores/save-file.ts';
import { ShownOnce } from './ShownOnce.tsx';

interface Props {
  codes: readonly string[];
  username: string;
  onEnd(): void;
}

export function RecoveryList({ codes, username, onEnd }: Props) {
  const text = `墨页 ${username} 的恢复码，每个只能用一次：\n${codes.join('\n')}\n`;
  const copy = () => copyText(text, '恢复码已复制', '浏览器不让复制，请选中后自己复制');
  const save = () => saveFile(`恢复码-${username}.txt`, text, 'text/plain');
  return (
    <ShownOnce
      label="恢复码"
      advice="请把这些恢复码存在稳妥的地方。手机丢了，可以用它们代替验证码登录，每个只能用一次。"
      actions={[
        { text: '存成文件', run: save },
        { text: '复制', run: copy },
      ]}
      onEnd={onEnd}
    >
      <ul role="list" className="my-4 grid gap-x-6 gap-y-1 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </ShownOnce>
  );
}
