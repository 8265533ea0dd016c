import { useEffect, useRef, useState, type MouseEvent } from 'react';
import { Dialog } from '../../ui/Dialog.tsx';
import { keyText } from '../writing/keys.ts';
import { NotRendered, renderApart } from '../preview/render-apart.ts';
import { TOOLS } from '../writing/tools.ts';
import { FOCUS_KEY } from '../desk/use-screen.ts';
import { HELP_KEY } from './help-key.ts';
import { SAMPLES, type Sample } from './samples.ts';
import { QuietButton } from '../../ui/Button.tsx';

const MORE_KEYS = [
  { name: '保存', keys: 'Mod-s' },
  { name: '查找和替换', keys: 'Mod-f' },
  { name: '专注模式', keys: FOCUS_KEY },
  { name: '这份帮助', keys: HELP_KEY },
];

/** Markdown reference: each sample next to its output from the article renderer. */
export default function HelpDialog({ onClose }: { onClose(): void }) {
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
        {/* First because it takes the initial focus, which at the end would scroll the dialog down. */}
        <QuietButton className="flex-none" onClick={onClose}>
          关闭
        </QuietButton>
      </div>
      <ul role="list" className="mt-4 m-0 p-0 list-none">
        {SAMPLES.map((sample, index) => (
          <SampleRow key={sample.name} sample={sample} place={index} rendered={rendered[index]} />
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
  place: number;
  rendered: Element[] | undefined;
}

function SampleRow({ sample: { name, source }, place, rendered }: RowProps) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const element of rendered ?? []) withOwnIds(element, `help-${place}-`);
    frame.current?.replaceChildren(...(rendered ?? []));
  }, [rendered, place]);
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

/**
 * Prefixes ids in SVG, by which diagrams find their arrowheads, and removes others: the preview on the same
 * page has the same ids.
 */
function withOwnIds(element: Element, prefix: string): void {
  for (const each of [element, ...element.querySelectorAll('[id]')]) {
    if (each.closest('svg')) each.id = prefix + each.id;
    else each.removeAttribute('id');
  }
  for (const name of ['marker-start', 'marker-end'])
    for (const line of element.querySelectorAll(`[${name}]`))
      line.setAttribute(name, (line.getAttribute(name) ?? '').replace('#', `#${prefix}`));
}
