import { useCallback, useEffect, useRef, useState } from 'react';
import { THEME_NAMES, type Look, type Theme } from '../../../lib/contract/rules/looks.ts';
import { choicesOf, lookSheet } from '../../../lib/shared/look-sheet.ts';
import { freshToken } from '../../../lib/stores/api.ts';
import { Choice } from '../../ui/form/Choice.tsx';
import { Answered } from '../../ui/form/Answered.tsx';

const SIZES = { phone: { text: '手机', width: 390 }, desktop: { text: '电脑', width: 1280 } } as const;
type Size = keyof typeof SIZES;
const SIZE_NAMES = { phone: SIZES.phone.text, desktop: SIZES.desktop.text };

interface Props {
  look: Look;
  /** Texts and paths of pages to show. */
  pages: Readonly<Record<string, string>>;
}

/** Pages of the site with a look that is not used yet. They run no script and have no links. */
export function Preview({ look, pages }: Props) {
  const [path, setPath] = useState('/home');
  const [size, setSize] = useState<Size>('phone');
  const [theme, setTheme] = useState<Theme>('light');
  const [box, scale] = useScale(SIZES[size].width);
  // Pages with other choices may have other parts, so the server renders them again.
  const address = `${path}?${new URLSearchParams({ look: 'plain', ...choicesOf(look) }).toString()}`;
  const ask = useCallback(() => readPage(address), [address]);
  return (
    <>
      <div className="grid grid-cols-3 gap-3">
        <Choice
          label="页面"
          value={path}
          options={Object.fromEntries(Object.entries(pages).map(([text, at]) => [at, text]))}
          onChange={setPath}
        />
        <Choice label="宽度" value={size} options={SIZE_NAMES} onChange={setSize} />
        <Choice label="主题" value={theme} options={THEME_NAMES} onChange={setTheme} />
      </div>
      <div
        ref={box}
        className="relative mt-3 h-[60vh] lg:h-[calc(100vh-14rem)] overflow-hidden border border-solid border-line rounded"
      >
        <Answered
          ask={ask}
          waiting={
            <output className="absolute inset-0 grid place-items-center text-sm text-soft">正在加载…</output>
          }
        >
          {(html) => <Frame {...{ html, look, theme, scale }} width={SIZES[size].width} />}
        </Answered>
      </div>
    </>
  );
}

interface FrameProps {
  html: string;
  look: Look;
  theme: Theme;
  width: number;
  scale: number;
}

function Frame({ html, look, theme, width, scale }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [drawn, setDrawn] = useState('');
  const isDrawn = drawn === html;
  useEffect(() => {
    if (isDrawn && frame.current) dress(frame.current, look, theme);
  }, [isDrawn, look, theme]);
  return (
    <iframe
      ref={frame}
      srcDoc={html}
      title="预览的网页"
      sandbox="allow-same-origin"
      className="block mx-auto border-0 origin-top-left"
      style={{
        width,
        height: `${100 / scale}%`,
        transform: scale < 1 ? `scale(${scale})` : undefined,
        visibility: isDrawn ? 'visible' : 'hidden',
      }}
      onLoad={() => setDrawn(html)}
    />
  );
}

async function readPage(address: string): Promise<string> {
  // Pages know the reader by the cookie of the access token, which may have expired.
  await freshToken();
  const response = await fetch(address);
  if (!response.ok) throw new Error(`The page answered ${response.status}`);
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const script of page.querySelectorAll('script')) script.remove();
  for (const link of page.querySelectorAll('a[href]')) link.removeAttribute('href');
  return page.documentElement.outerHTML;
}

/** Scales something of `width` pixels down to the element with the returned ref. */
function useScale(width: number) {
  const box = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(width);
  useEffect(() => {
    const watch = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width || width));
    if (box.current) watch.observe(box.current);
    return () => watch.disconnect();
  }, [width]);
  return [box, Math.min(1, room / width)] as const;
}

/** Gives the page in a frame the look. The policy of pages allows style sheets that scripts construct. */
function dress(frame: HTMLIFrameElement, look: Look, theme: Theme): void {
  const page = frame.contentDocument;
  const view = frame.contentWindow as (Window & typeof globalThis) | null;
  if (!page || !view) return;
  const sheet = new view.CSSStyleSheet();
  sheet.replaceSync(lookSheet(look));
  page.adoptedStyleSheets = [sheet];
  page.documentElement.dataset['theme'] = theme;
}
