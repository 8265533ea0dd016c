import { useRef, useState } from 'react';
import { IMAGE_TYPES } from '../../../lib/client/picture.ts';
import { showNotice } from '../../../lib/stores/toasts.ts';
import { FileInput } from '../../ui/form/FileInput.tsx';
import type { MoveWay } from '../commands/picture-order.ts';
import { IconButton } from '../writing/Icon.tsx';
import { keyText } from '../writing/keys.ts';
import type { PictureAt } from './picture-at-caret.ts';
import { NOT_MOVED, PICTURE_DRAG } from './picture-drag.ts';
import type { PictureSource, PictureWidth } from './picture-source.ts';
import type { Writing } from '../writing/writing.ts';
import { TextButton } from '../../ui/Button.tsx';

const WIDTHS: readonly [width: PictureWidth, name: string][] = [
  ['small', '小图'],
  ['text', '原宽'],
  ['full', '通栏'],
];

export function PictureRow({ picture, writing }: { picture: PictureAt; writing: Writing }) {
  const files = useRef<HTMLInputElement>(null);
  const { alt, caption, width } = picture;
  const change = (changed: Partial<PictureSource>) => writing.changePicture(changed);
  const move = (way: MoveWay) => {
    const reason = writing.movePicture(way);
    if (reason) showNotice(NOT_MOVED[reason]);
  };
  return (
    <section aria-label="图片" className="foot-row py-1">
      <Words
        name="替代文字"
        hint="图里有什么，读给看不见的人"
        value={alt}
        onChange={(next) => change({ alt: next })}
      />
      <Words
        name="图注"
        hint="显示在图片下面，可不填"
        value={caption}
        onChange={(next) => change({ caption: next })}
      />
      <span className="flex flex-wrap items-center gap-x-3">
        {WIDTHS.map(([value, name]) => (
          <TextButton
            key={value}
            className="aria-pressed:font-700"
            aria-pressed={value === width}
            onClick={() => change({ width: value })}
          >
            {name}
          </TextButton>
        ))}
        {/* Keyboard and touch use the buttons next to it. */}
        <span
          aria-hidden="true"
          draggable
          title="拖到文中要放的地方"
          className="button-text cursor-grab max-lg:hidden"
          onDragStart={({ dataTransfer }) => {
            dataTransfer.setData(PICTURE_DRAG, '');
            dataTransfer.effectAllowed = 'move';
          }}
        >
          拖动
        </span>
        <TextButton title={keyText('Alt-↑')} onClick={() => move('up')}>
          上移
        </TextButton>
        <TextButton title={keyText('Alt-↓')} onClick={() => move('down')}>
          下移
        </TextButton>
        <TextButton onClick={() => files.current?.click()}>替换</TextButton>
        <IconButton
          icon="close"
          className="text-soft"
          label="收起图片设置"
          onClick={() => {
            writing.closePicture();
            writing.focus();
          }}
        />
      </span>
      <FileInput
        ref={files}
        accept={IMAGE_TYPES}
        label="选择替换的图片"
        onFile={(file) => writing.replacePicture(picture.url, file)}
      />
    </section>
  );
}

interface WordsProps {
  name: string;
  hint: string;
  value: string;
  onChange(value: string): void;
}

/**
 * Text field. Reports text only after input-method composition, because intermediate letters would be written
 * into the article.
 */
function Words({ name, hint, value, onChange }: WordsProps) {
  const [composed, setComposed] = useState<string | null>(null);
  return (
    <label className="flex flex-1 basis-56 items-center gap-2 min-w-0">
      <span className="flex-none text-soft">{name}</span>
      <input
        className="picture-words"
        value={composed ?? value}
        placeholder={hint}
        maxLength={200}
        onChange={({ target, nativeEvent }) => {
          const isComposing = 'isComposing' in nativeEvent && nativeEvent.isComposing === true;
          setComposed(isComposing ? target.value : null);
          if (!isComposing) onChange(target.value);
        }}
        onCompositionEnd={({ currentTarget }) => {
          setComposed(null);
          onChange(currentTarget.value);
        }}
      />
    </label>
  );
}
