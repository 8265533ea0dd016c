import { useRef } from 'react';
import type { IdentityAnswer } from '../../../lib/contract/calls/site-calls.ts';
import { explain } from '../../../lib/client/call-error.ts';
import { call } from '../../../lib/stores/api.ts';
import { AreaField } from '../../ui/form/LineField.tsx';
import { Section } from '../../ui/Section.tsx';
import { OptionsForm } from '../site/OptionsForm.tsx';

const HINT =
  '写在外观之后，只管公开网页的正文部分：改不到页眉、登录和后台。注释不会保存。最多 32 KB，不能引用别的网站。';

interface Props {
  identity: IdentityAnswer;
  onSaved(identity: IdentityAnswer): void;
}

/** The operator's own style sheet. The server names the line of a fault, which is then selected. */
export function StyleForm({ identity: { style, version }, onSaved }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const save = async (changes: { style?: string }) => {
    try {
      const identity = await call('siteIdentityChange', { ...changes, version }, { quiet: true });
      onSaved(identity);
      return { style: identity.style };
    } catch (error) {
      selectLine(area.current, Number(/第 (\d+) 行/.exec(explain(error, ''))?.[1]));
      throw error;
    }
  };
  return (
    <Section title="自己的样式" className="mt-10 max-w-column">
      <OptionsForm label="自己的样式" stored={{ style }} save={save}>
        {({ values, set, frame }) => (
          <AreaField
            {...frame('style')}
            ref={area}
            label="CSS"
            hint={HINT}
            rows={12}
            spellCheck={false}
            dir="ltr"
            className="font-mono !text-sm"
            value={values.style}
            onChange={(text) => set({ style: text })}
          />
        )}
      </OptionsForm>
      <p className="mt-3 text-sm text-soft">
        写坏了也不要紧：登录后在任何网页的地址后面加上 <code>?look=plain</code>
        ，就是没有外观和样式的网页，只有站务看得到；后台一直不用这份样式。
        <a href="/home?look=plain" className="inline-flex items-center min-h-11 ml-1">
          打开没有外观的首页
        </a>
      </p>
    </Section>
  );
}

function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area || !(line > 0)) return;
  const before = area.value.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, text) => sum + text.length + 1, 0);
  const [text = ''] = area.value.slice(start).split('\n', 1);
  area.setSelectionRange(start, start + text.length);
}
