/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- Escape is the key */
import { useEffect, useRef, useState } from 'react';
import { sizeIn } from '../../lib/contract/pictures.ts';
import { island } from '../ui/island.tsx';

/** How long a button says what became of the copy. */
const SAID_MS = 2_000;
/** A picture so many times as high as wide, a long screenshot, is as wide as it can be, and scrolls. */
const LONG = 2.2;

/**
 * What an article's own buttons and pictures do: a block of code is copied, a picture is enlarged. One for
 * all of them; they are as the server printed them.
 */
export default island(function ArticleTools() {
  const [said, setSaid] = useState('');
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);
  useEffect(() => {
    // In pages that are not encrypted, browsers have no clipboard.
    if (!('clipboard' in navigator))
      for (const button of document.querySelectorAll('.prose .copy-button')) button.remove();
    const listening = new AbortController();
    const listen = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      const button = event.target.closest<HTMLElement>('.prose .copy-button');
      if (button) void copyBlock(button).then(setSaid);
      const zoom = event.target.closest<HTMLAnchorElement>('.prose a.zoom');
      if (!zoom || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setLink(zoom);
    };
    document.addEventListener('click', listen, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return (
    <>
      <span className="sr-only" role="status">
        {said}
      </span>
      {link && <Enlarged link={link} onClose={() => setLink(null)} />}
    </>
  );
});

/** Copies the block that a button stands over. @returns what the button says of it for a while */
async function copyBlock(button: HTMLElement): Promise<string> {
  // A long block stands in two pieces.
  const pieces = button.closest('.code-block')?.querySelectorAll('code') ?? [];
  const code = Array.from(pieces, ({ textContent }) => textContent).join('');
  const said = await navigator.clipboard.writeText(code).then(
    () => '已复制',
    () => '复制失败',
  );
  button.textContent = said;
  setTimeout(() => (button.textContent = '复制'), SAID_MS);
  return said;
}

interface EnlargedProps {
  /** Leads to the picture's file; holds the picture as the article shows it. */
  link: HTMLAnchorElement;
  onClose(): void;
}

/** A picture over the page. Escape, a press and the browser's way back close it. */
function Enlarged({ link, onClose }: EnlargedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = sizeIn(link.href) ?? { width: 0, height: 0 };
  const isLong = height > LONG * width;
  useEffect(() => {
    const box = dialog.current;
    if (!box) return;
    place.current?.replaceChildren(enlargedCopy(link, isLong));
    const listening = new AbortController();
    history.pushState({ isEnlarged: true }, '');
    addEventListener('popstate', () => box.close(), { signal: listening.signal });
    box.showModal();
    return () => listening.abort();
  }, [link, isLong]);
  return (
    <dialog
      ref={dialog}
      aria-label={link.querySelector('img')?.alt || '大图'}
      data-print="hide"
      className={`fixed inset-0 z-30 w-full h-full max-w-none max-h-none p-0 border-0 bg-black/90 text-white overscroll-contain ${isLong ? 'overflow-auto' : 'overflow-hidden'} cursor-zoom-out`}
      onClose={() => {
        if ((history.state as { isEnlarged?: true } | null)?.isEnlarged) history.back();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (!(target instanceof HTMLAnchorElement)) currentTarget.close();
      }}
    >
      <div ref={place} className={isLong ? '' : 'h-full'} />
      <div className="fixed top-3 right-3 flex gap-2 text-sm">
        <button type="button" className="order-last enlarged-action">
          关闭
        </button>
        <a href={link.href} target="_blank" rel="noopener" className="enlarged-action">
          原图
        </a>
      </div>
    </dialog>
  );
}

/** The picture of a link, as large as the window takes it; browsers choose from its copies and the whole. */
function enlargedCopy(link: HTMLAnchorElement, isLong: boolean): Node {
  const copy = document.importNode(link, true);
  const { width, height } = sizeIn(link.href) ?? { width: 0, height: 0 };
  const room = isLong ? innerWidth : Math.min(innerWidth, (innerHeight * width) / height);
  for (const each of copy.querySelectorAll<HTMLSourceElement | HTMLImageElement>('source, img')) {
    each.sizes = `${Math.ceil(room)}px`;
    if (!each.srcset.includes(` ${width}w`)) each.srcset += `, ${link.href} ${width}w`;
  }
  const image = copy.querySelector('img');
  if (image) {
    Object.assign(image, { width, height, loading: 'eager' });
    image.className = `block m-auto max-w-full ${isLong ? 'h-auto' : 'h-full object-contain'}`;
  }
  const picture = document.createDocumentFragment();
  picture.append(...copy.childNodes);
  return picture;
}
