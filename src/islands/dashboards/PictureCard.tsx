import { useRef } from 'react';
import { articleUrl, editUrl, historyUrl, seriesUrl, userUrl } from '../../lib/shared/urls.ts';
import { IMAGE_TYPES } from '../../lib/client/picture.ts';
import type { OwnPicture, PictureUse } from '../../lib/contract/calls/picture-calls.ts';
import { variantUrl, variantWidths } from '../../lib/contract/rules/picture-variants.ts';
import {
  deletePictures,
  isReplaceable,
  nameOf,
  replacePicture,
} from '../../lib/stores/pictures/own-pictures.ts';
import { FileInput } from '../ui/form/FileInput.tsx';
import { Time } from '../ui/Time.tsx';
import { useOnce } from '../ui/use-once.ts';
import type { Selection } from '../ui/paged/Selection.tsx';
import { KIB } from '../../lib/contract/rules/units.ts';
import { Action } from '../ui/Action.tsx';

const MAX_SHOWN_USES = 2;

const PLACES: Record<PictureUse['place'], { text: string; href: (id: string) => string }> = {
  article: { text: '文章', href: articleUrl },
  draft: { text: '草稿', href: editUrl },
  revision: { text: '未发布的修改', href: editUrl },
  series: { text: '专栏封面', href: seriesUrl },
  thanks: { text: '赞赏码', href: userUrl },
  friend: { text: '友链的图标', href: () => '/friends' },
  trash: { text: '回收站', href: () => '/user/trash' },
  version: { text: '历史版本', href: historyUrl },
};

interface Props {
  picture: OwnPicture;
  label: string;
  selection: Selection;
  /** Called after it was deleted, or replaced in articles. */
  onChange: () => void;
}

export function PictureCard({ picture, label, selection, onChange }: Props) {
  const files = useRef<HTMLInputElement>(null);
  const [isReplacing, once] = useOnce();
  const { name, url, width, height, bytes, create_time, uses, more } = picture;
  return (
    <li className="min-w-0">
      <div className="relative">
        <a href={url} target="_blank" rel="noopener" className="block">
          <img
            src={thumbnailOf(picture)}
            alt={`${label}，看原图`}
            {...(width > 0 ? { width, height } : {})}
            loading="lazy"
            decoding="async"
            className="block w-full h-auto aspect-[4/3] object-contain rounded bg-sunk"
          />
        </a>
        <label className="absolute top-0 left-0 inline-flex items-center justify-center w-11 h-11 cursor-pointer">
          <input
            type="checkbox"
            className="m-0 w-4.5 h-4.5"
            aria-label={`选择${label}`}
            checked={selection.ids.has(name)}
            onChange={({ target }) => selection.choose([name], target.checked)}
          />
        </label>
      </div>
      <p className="meta mt-1 tabular-nums">
        {width > 0 && `${width}×${height} · `}
        {sizeText(bytes)} · <Time iso={create_time} />
      </p>
      <Uses uses={uses} more={more} />
      <p className="flex gap-1 mx--2 text-sm">
        {isReplaceable(picture) && (
          <Action label={`替换${label}`} disabled={isReplacing} onClick={() => files.current?.click()}>
            {isReplacing ? '正在替换……' : '替换'}
          </Action>
        )}
        <Action isDangerous label={`删除${label}`} work={() => deletePictures([picture], onChange)}>
          删除
        </Action>
      </p>
      <FileInput
        ref={files}
        accept={IMAGE_TYPES}
        label={`选择替换${label}的图片`}
        onFile={(file) => void once(() => replacePicture(picture, file, onChange))}
      />
    </li>
  );
}

function Uses({ uses, more }: Pick<OwnPicture, 'uses' | 'more'>) {
  if (uses.length === 0) return <p className="text-sm text-soft">没有用到</p>;
  const rest = uses.slice(MAX_SHOWN_USES);
  return (
    <>
      <UseList uses={uses.slice(0, MAX_SHOWN_USES)} />
      {rest.length > 0 && (
        <details className="text-sm">
          <summary className="min-h-8 text-soft cursor-pointer">
            另外 {rest.length}
            {more && '+'} 处
          </summary>
          <UseList uses={rest} />
        </details>
      )}
    </>
  );
}

const UseList = ({ uses }: { uses: readonly PictureUse[] }) => (
  <ul role="list" className="text-sm">
    {uses.map((use) => (
      <li key={use.place + use.id} className="truncate">
        <a href={PLACES[use.place].href(use.id)} className="quiet-link" title={nameOf(use)}>
          <bdi>{nameOf(use)}</bdi>
        </a>
        <span className="ml-2 text-soft">{PLACES[use.place].text}</span>
      </li>
    ))}
  </ul>
);

/** URL of the smallest variant, or of the picture if the server makes no variants. */
function thumbnailOf({ name, url }: OwnPicture): string {
  const [width] = variantWidths(name);
  return width === undefined ? url : variantUrl(url, { width, format: 'webp' });
}

/** Formats a size: 820 B, 36 KB, 1.2 MB. */
const sizeText = (bytes: number): string => {
  if (bytes < KIB) return `${bytes} B`;
  const kib = bytes / KIB;
  return kib < KIB ? `${Math.round(kib)} KB` : `${(kib / KIB).toFixed(1)} MB`;
};
