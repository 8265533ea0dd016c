/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions */
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- Escape is the key */
import { useEffect, useRef, useState } from 'react';
import { sizeIn } from '../../lib/contract/rules/pictures.ts';
import { island } from '../ui/island.tsx';

/** Time for which a copy button shows the result. */
const COPY_RESULT_MS = 2_000;
/**
 * Height-to-width ratio above which a picture (such as a long screenshot) gets the full width and scrolls.
 */
const LONG_PICTURE_RATIO = 2.2;

/**
 * Copy buttons and zoomable pictures of an article. One island handles all of them; it leaves the
 * server-rendered HTML as it is.
 */
export default island(function ArticleTools() {
  const [message, setMessage] = useState('');
  const [link, setLink] = useState<HTMLAnchorElement | null>(null);
  useEffect(() => {
    // Browsers have no clipboard API on pages without HTTPS.
    if (!('clipboard' in navigator))
      for (const button of document.querySelectorAll('.prose .copy-button')) button.remove();
    const listening = new AbortController();
    const listen = (event: MouseEvent) => {
      if (!(event.target instanceof Element)) return;
      const button = event.target.closest<HTMLElement>('.prose .copy-button');
      if (button) void copyBlock(button).then(setMessage);
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
        {message}
      </span>
      {link && <Enlarged link={link} onClose={() => setLink(null)} />}
    </>
  );
});

/** Copies the button's code block. @returns the text that the button shows briefly */
async function copyBlock(button: HTMLElement): Promise<string> {
  // A long block consists of two `<code>` elements.
  const pieces = button.closest('.code-block')?.querySelectorAll('code') ?? [];
  const code = Array.from(pieces, ({ textContent }) => textContent).join('');
  const message = await navigator.clipboard.writeText(code).then(
    () => '已复制',
    () => '复制失败',
  );
  button.textContent = message;
  setTimeout(() => (button.textContent = '复制'), COPY_RESULT_MS);
  return message;
}

interface EnlargedProps {
  /** Link to the picture's file, around the picture of the article. */
  link: HTMLAnchorElement;
  onClose(): void;
}

/** Full-screen picture. Escape, a click and the browser's back button close it. */
function Enlarged({ link, onClose }: EnlargedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const { width, height } = sizeIn(link.href) ?? { width: 0, height: 0 };
  const isLong = height > LONG_PICTURE_RATIO * width;
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

/**
 * Clones the picture of a link at the largest size that fits the window. Browsers choose between its variants
 * and the original.
 */
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
