import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { isOffered } from '../../../lib/client/offered.ts';
import { addressOf, isImportedHost } from '../../../lib/contract/rules/pictures.ts';
import {
  $pictureImport,
  $leftAlone,
  importPictures,
  forgetFailed,
  leaveAlone,
  stopImport,
  type PictureImport,
} from '../../../lib/stores/pictures/outside-pictures.ts';
import { findOutsidePictures } from './outside-pictures.ts';
import type { Writing } from '../writing/writing.ts';
import { TextButton } from '../../ui/Button.tsx';

interface Props {
  content: string;
  writing: Writing | null;
  /** Hosts whose pictures are imported on paste; `*` stands for all hosts. */
  hosts: readonly string[];
  pastes: number;
}

const DEBOUNCE_MS = 500;

export function OutsidePictures({ content, writing, hosts, pastes }: Props) {
  const addresses = useOutside(content);
  const left = useStore($leftAlone);
  const state = useStore($pictureImport);
  const offered = addresses.filter((address) => !left.includes(address));

  const take = (wanted: readonly string[]) => {
    if (writing) void importPictures(wanted, (address, url) => writing.changeAddress(address, url));
  };
  const pasted = useEffectEvent(() => {
    const named = addressesIn(content).filter((address) => isImportedHost(address, hosts));
    take(named.filter((address) => !left.includes(address)));
  });
  useEffect(() => {
    if (pastes > 0 && isOffered('fetchImage')) pasted();
  }, [pastes]);

  if (state.isRunning) return <Running {...state} />;
  if (state.failed.length > 0) {
    const again = () => {
      const wanted = state.failed.map(({ address }) => address).filter((one) => addresses.includes(one));
      forgetFailed();
      take(wanted);
    };
    return <Failures {...state} onAgain={again} />;
  }
  if (!writing || offered.length === 0 || !isOffered('fetchImage')) return null;
  return (
    <section aria-label="外链图片" className="foot-row">
      <p className="min-w-0 flex-[1_1_15rem]">{offered.length} 张图片在别的网站上</p>
      <TextButton onClick={() => take(offered)}>把外链图片存到本站</TextButton>
      <TextButton onClick={() => leaveAlone(addresses)}>不用了</TextButton>
    </section>
  );
}

function Running({ total, done }: PictureImport) {
  return (
    <section aria-label="外链图片" className="foot-row">
      <output className="min-w-0 flex-1 tabular-nums">
        正在把外链图片存到本站，{done} / {total}
      </output>
      <progress className="w-32 h-1" value={done} max={total} aria-label="外链图片的进度" />
      <TextButton onClick={stopImport}>停下</TextButton>
    </section>
  );
}

function Failures({ total, failed, onAgain }: PictureImport & { onAgain(): void }) {
  const stored = total - failed.length;
  return (
    <section aria-label="外链图片">
      <div className="foot-row">
        <p role="alert" className="min-w-0 flex-[1_1_15rem]">
          {stored > 0 && `${stored} 张已存到本站，`}
          {failed.length} 张没有取到，地址没有改动
        </p>
        <TextButton onClick={onAgain}>再试一次</TextButton>
        <TextButton onClick={forgetFailed}>知道了</TextButton>
      </div>
      <ul role="list" className="max-h-[20vh] overflow-y-auto text-sm">
        {failed.map(({ address, reason }) => (
          <li key={address} className="flex flex-wrap gap-x-3 py-1">
            <bdi className="min-w-0 max-w-80 truncate text-soft" title={address}>
              {address}
            </bdi>
            <span className="text-vermilion">{reason}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const addressesIn = (text: string): string[] => [
  ...new Set(findOutsidePictures(text, location.origin).map(({ written }) => addressOf(written))),
];

function useOutside(content: string): string[] {
  const [text, setText] = useState(content);
  useEffect(() => {
    const timer = setTimeout(() => setText(content), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [content]);
  return useMemo(() => addressesIn(text), [text]);
}
