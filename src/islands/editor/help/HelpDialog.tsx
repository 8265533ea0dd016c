import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { keyText } from '../keys.ts';
import { NotRendered, renderApart } from '../render-apart.ts';
import { TOOLS } from '../Toolbar.tsx';
import { FOCUS_KEY } from '../use-screen.ts';
import { HELP_KEY } from './help-key.ts';
import { SAMPLES, type Sample } from './samples.ts';

export interface HelpProps {
  onClose(): void;
}

/** Keys that no button of the toolbar names. */
const MORE_KEYS = [
  { name: '保存', keys: 'Mod-s' },
  { name: '查找和替换', keys: 'Mod-f' },
  { name: '专注模式', keys: FOCUS_KEY },
  { name: '这份帮助', keys: HELP_KEY },
];

/** How markdown is written here: each sample beside what the article's own renderer makes of it. */
export default function HelpDialog({ onClose }: HelpProps) {
  const [rendered, setRendered] = useState<readonly Element[][]>([]);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    const { render, close } = renderApart();
    Promise.all(SAMPLES.map(({ source }) => render(source))).then(setRendered, (error: unknown) => {
      setProblem(error instanceof NotRendered ? error.message : '没能排版');
    });
    return close;
  }, []);
  return (
    <Dialog title="Markdown 写法" isOpen onClose={onClose} size="wide">
      {problem !== '' && (
        <p role="alert" className="mt-2 text-sm text-soft">
          {problem}，写法仍然可以看。
        </p>
      )}
      <div className="mt-2 flex items-start justify-between gap-4">
        <p className="text-sm text-soft">
          空行里打 / 可以选标题、列表、表格；行首或空格后打 : 加名字可以找表情。
        </p>
        {/* The first that takes the focus: at the end it would have the dialog begin there. */}
        <button type="button" className="button-quiet flex-none" onClick={onClose}>
          关闭
        </button>
      </div>
      <ul role="list" className="mt-4 m-0 p-0 list-none">
        {SAMPLES.map((sample, index) => (
          <SampleRow key={sample.name} sample={sample} rendered={rendered[index]} />
        ))}
      </ul>
      <h3 className="mt-6 mb-2 text-base font-700">快捷键</h3>
      <dl className="m-0 grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-x-8 text-sm">
        {[...TOOLS.filter(({ keys }) => keys !== undefined), ...MORE_KEYS].map(({ name, keys = '' }) => (
          <div key={name} className="flex justify-between gap-3 py-1.5">
            <dt>{name}</dt>
            <dd className="m-0 text-soft">
              <kbd className="font-sans">{keyText(keys)}</kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface RowProps {
  sample: Sample;
  /** Undefined until it has been rendered. */
  rendered: Element[] | undefined;
}

function SampleRow({ sample: { name, source }, rendered }: RowProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const element of rendered ?? []) withoutIds(element);
    frame.current?.replaceChildren(...(rendered ?? []));
  }, [rendered]);
  // A sample's links lead nowhere.
  const stay = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) event.preventDefault();
  };
  return (
    <li className="hairline grid md:grid-cols-2 gap-x-8 gap-y-3 py-4">
      <div className="min-w-0">
        <h3 className="m-0 mb-2 text-sm font-600 text-soft">{name}</h3>
        <pre className="m-0 font-mono text-sm leading-relaxed whitespace-pre-wrap break-words">{source}</pre>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- Enter on a link is a click */}
      <section ref={frame} className="prose min-w-0" onClick={stay} />
    </li>
  );
}

/** The preview beside it has the same ids. */
function withoutIds(element: Element): void {
  for (const each of [element, ...element.querySelectorAll('[id]')]) each.removeAttribute('id');
}
