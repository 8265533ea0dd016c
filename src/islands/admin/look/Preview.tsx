import { useEffect, useRef, useState } from 'react';
import { THEME_NAMES, type Look, type Theme } from '../../../lib/contract/rules/looks.ts';
import { choicesOf, lookSheet } from '../../../lib/shared/look-sheet.ts';
import { QuietButton } from '../../ui/Button.tsx';
import { Choice } from '../../ui/form/Choice.tsx';
import { Problem } from '../../ui/form/Problem.tsx';

const SIZES = { phone: { text: '手机', width: 390 }, desktop: { text: '电脑', width: 1280 } } as const;
type Size = keyof typeof SIZES;
const SIZE_NAMES = { phone: SIZES.phone.text, desktop: SIZES.desktop.text };

interface Props {
  look: Look;
  /** Texts and paths of pages to show. */
  pages: Readonly<Record<string, string>>;
}

/** Pages of the site with a look that is not used yet. The page runs no script and follows no link. */
export function Preview({ look, pages }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [path, setPath] = useState('/home');
  const [size, setSize] = useState<Size>('phone');
  const [theme, setTheme] = useState<Theme>('light');
  const [isShown, setIsShown] = useState(false);
  const [attempt, setAttempt] = useState(0);
  const [loaded, setLoaded] = useState<{ key: string; hasPage: boolean } | null>(null);
  const [box, scale] = useScale(SIZES[size].width);
  // Pages with other choices may have other parts, so the server renders them again.
  const address = `${path}?${new URLSearchParams({ look: 'preview', ...choicesOf(look) }).toString()}`;
  const key = `${address} ${attempt}`;
  const isLoading = loaded?.key !== key;
  const isReady = !isLoading && loaded.hasPage;

  useEffect(() => {
    if (isReady && frame.current) dress(frame.current, look, theme);
  }, [isReady, key, look, theme]);

  const onLoad = () => {
    const page = frame.current?.contentDocument;
    const hasPage = page?.querySelector('main') != null;
    for (const type of ['click', 'submit']) page?.addEventListener(type, (event) => event.preventDefault());
    setLoaded({ key, hasPage });
  };
  return (
    <section aria-label="预览" className="sticky top-[--header] z-1 self-start min-w-0 py-3 bg-paper">
      <QuietButton className="lg:hidden" aria-expanded={isShown} onClick={() => setIsShown(!isShown)}>
        {isShown ? '收起预览' : '看看效果'}
      </QuietButton>
      <div className={isShown ? 'max-lg:mt-3' : 'max-lg:hidden'}>
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
        <Problem
          text={isLoading || isReady ? '' : '预览没有加载出来'}
          onRetry={() => setAttempt(attempt + 1)}
        />
        <div
          ref={box}
          className="relative mt-3 h-[45vh] lg:h-[calc(100vh-14rem)] overflow-hidden border border-solid border-line rounded"
          aria-busy={isLoading}
        >
          <iframe
            ref={frame}
            key={key}
            src={address}
            title="预览的网页"
            sandbox="allow-same-origin"
            className="block border-0 origin-top-left"
            style={{
              width: SIZES[size].width,
              height: `${100 / scale}%`,
              transform: `scale(${scale})`,
              visibility: isReady ? 'visible' : 'hidden',
            }}
            onLoad={onLoad}
          />
          {isLoading && (
            <output className="absolute inset-0 grid place-items-center text-sm text-soft">正在加载…</output>
          )}
        </div>
      </div>
    </section>
  );
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
